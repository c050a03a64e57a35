// Makes catalog entries from a system's and a method's header.
#pragma once

#include "catalog/catalog.hpp"
#include "polhode/math/vec.hpp"
#include "polhode/method/variants.hpp"
#include "polhode/run/plan.hpp"

namespace polhode {

template <class System>
using Model = typename System::template Model<double>;
template <class System>
using HostState = typename System::template State<double>;

template <class System>
HostState<System> host_state(const double* x) {
  HostState<System> state;
  for (int i = 0; i < System::dim; ++i) state[i] = x[i];
  return state;
}

/// A system without parameters, alternatives or a chart declares none of them: an array of size 0 is no C++.
template <class System>
constexpr std::span<const Parameter> parameters_of() {
  if constexpr (requires { System::parameters; }) return System::parameters;
  return {};
}

template <class System>
constexpr std::span<const Alternative> alternatives_of() {
  if constexpr (requires { System::alternatives; }) return System::alternatives;
  return {};
}

/// Numbers in the flat array of parameters.
template <class System>
constexpr int parameter_count() {
  int count = 0;
  for (const Parameter& parameter : parameters_of<System>()) count += parameter.size;
  return count;
}

template <class System>
SystemEntry system_entry() {
  static_assert(std::size(System::observables) >= System::dim, "the state's columns are the first observables");
  static_assert(std::size(System::invariants) == System::n_invariants && System::n_invariants <= 32);
  static_assert(parameter_count<System>() <= max_parameters, "raise max_parameters in polhode/run/plan.hpp");
  SystemEntry entry{
      .name = System::name,
      .meaning = System::meaning,
      .dim = System::dim,
      .observables = System::observables,
      .invariants = System::invariants,
      .parameters = parameters_of<System>(),
      .alternatives = alternatives_of<System>(),
      .problem_with_state = System::problem_with_state,
      .observe = [](const double* p, int observable,
                    const double* x) { return Model<System>(p).observe(observable, host_state<System>(x)); },
      .conserves = System::conserves,
  };
  if constexpr (requires { System::chart; }) {
    entry.chart = &System::chart;
    entry.chart_range = System::chart_range;
    entry.chart_states = System::chart_states;
  }
  return entry;
}

template <class Method>
VariantEntry variant_entry() {
  return {Method::Solver::name, Method::Solver::meaning, Method::properties,
          [](const double* p, double step, Precision precision) {
            return precision == Precision::binary64 ? Method::template nominal_sweeps<double>(p, step)
                                                    : Method::template nominal_sweeps<float>(p, step);
          }};
}

/// A method that works with all parameters does not say so.
template <class Family>
const char* problem_with_parameters([[maybe_unused]] const double* p) {
  if constexpr (requires { Family::problem_with_parameters(p); }) return Family::problem_with_parameters(p);
  return nullptr;
}

template <class... Method>
std::span<const VariantEntry> variant_entries(Variants<Method...>) {
  static const VariantEntry entries[] = {variant_entry<Method>()...};
  return entries;
}

}  // namespace polhode

// Makes catalog entries from a system's and a method's header.
#pragma once

#include "catalog/catalog.hpp"
#include "polhode/math/vec.hpp"
#include "polhode/method/variants.hpp"

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

template <class System>
SystemEntry system_entry() {
  return {
      .name = System::name,
      .meaning = System::meaning,
      .dim = System::dim,
      .observables = System::observables,
      .invariants = System::invariants,
      .parameters = System::parameters,
      .alternatives = System::alternatives,
      .chart = &System::chart,
      .problem_with_state = System::problem_with_state,
      .observe = [](const double* p, int observable,
                    const double* x) { return Model<System>(p).observe(observable, host_state<System>(x)); },
      .has_chart = [](const double* p) { return Model<System>(p).has_chart(); },
      .chart_box =
          [](const double* p, double energy, double* half_axes) {
            const auto box = Model<System>(p).chart_box(energy);
            half_axes[0] = box[0];
            half_axes[1] = box[1];
          },
      .chart_state =
          [](const double* p, double energy, double momentum, int branch, double u, double v, double* x) {
            const auto point = Model<System>(p).chart_state(energy, momentum, branch, u, v);
            for (int i = 0; i < System::dim; ++i) x[i] = point.state[i];
            return point.valid;
          },
  };
}

template <class Method>
VariantEntry variant_entry() {
  return {Method::Solver::name, Method::Solver::meaning, Method::properties,
          [](const double* p, double step, Precision precision) {
            return precision == Precision::binary64 ? Method::template nominal_sweeps<double>(p, step)
                                                    : Method::template nominal_sweeps<float>(p, step);
          }};
}

template <class... Method>
std::span<const VariantEntry> variant_entries(Variants<Method...>) {
  static const VariantEntry entries[] = {variant_entry<Method>()...};
  return entries;
}

}  // namespace polhode

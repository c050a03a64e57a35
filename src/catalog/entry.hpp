// Makes catalog entries from a system's and a method's header.
#pragma once

#include <algorithm>
#include <array>

#include "backend/cuda/residence.hpp"
#include "catalog/catalog.hpp"
#include "polhode/math/vec.hpp"
#include "polhode/method/variants.hpp"
#include "polhode/run/plan.hpp"
#include "system/descriptions.hpp"
#include "system/start_unit.hpp"

namespace polhode {

/// Parameters of a system; none where it declares none: an array of size 0 is no C++.
template <class System>
constexpr View<Parameter> parameters_of() {
  if constexpr (requires { System::parameters; }) return System::parameters;
  return {};
}

template <class System>
constexpr View<Alternative> alternatives_of() {
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

/// Constrained systems whose momenta may be elsewhere than on the hidden constraint.
template <class System>
inline constexpr bool has_constant_mass = requires(const Model<System>& model, Vec<double, System::N> p) {
  model.to_tangent(p, p);
};

template <class System>
void project_momentum(const double* p, double* x) {
  const auto state = host_state<System>(x);
  const auto q = System::position(state);
  const auto lifted = Model<System>(p).to_hidden_constraint(q, System::momentum(state));
  for (int i = 0; i < System::N; ++i) x[System::N + i] = lifted[i];
}

template <class System>
auto velocity(const Model<System>& model, const auto& q, const auto& momentum) {
  if constexpr (requires { model.velocity(momentum); })
    return model.velocity(momentum);
  else
    return model.velocity(q, momentum);
}

template <class System>
void constraints([[maybe_unused]] const double* p, [[maybe_unused]] const double* x, [[maybe_unused]] double* r) {
  if constexpr (System::kind == Kind::constrained) {
    const Model<System> model(p);
    const auto state = host_state<System>(x);
    const auto q = System::position(state);
    const auto g = model.constraints(q), rate = model.push(q, velocity<System>(model, q, System::momentum(state)));
    for (int i = 0; i < System::D; ++i) {
      r[i] = g[i];
      r[System::D + i] = rate[i];
    }
  }
}

template <class System>
void vector_field(const double* p, const double* x, double* dx) {
  const Model<System> model(p);
  const auto state = host_state<System>(x);
  if constexpr (System::kind == Kind::reduced) {
    const auto rates = model.flow(state);
    for (int i = 0; i < System::dim; ++i) dx[i] = rates[i];
  } else {
    const auto q = System::position(state), momentum = System::momentum(state);
    const auto v = velocity<System>(model, q, momentum);
    const auto gradient = [&] {
      if constexpr (requires { model.potential_gradient(q); })
        return model.potential_gradient(q);
      else
        return model.position_gradient(q, momentum);
    }();
    for (int i = 0; i < System::N; ++i) {
      dx[i] = v[i];
      dx[System::N + i] = -gradient[i];
    }
  }
}

/// Reason why parameters cannot be used, or null, as for a system that works with all of them.
template <class System>
const char* problem_with_system([[maybe_unused]] const double* p) {
  if constexpr (requires { System::problem_with_parameters(p); }) return System::problem_with_parameters(p);
  return nullptr;
}
template <class System>
const char* doubt_about_system([[maybe_unused]] const double* p) {
  if constexpr (requires { System::doubt_about_parameters(p); }) return System::doubt_about_parameters(p);
  return nullptr;
}
template <class Family, class System>
const char* problem_with_method([[maybe_unused]] const double* p) {
  if constexpr (requires { Family::template problem_with_parameters<System>(p); })
    return Family::template problem_with_parameters<System>(p);
  return nullptr;
}

template <class System>
constexpr const char* family_of() {
  if constexpr (requires { System::family; })
    return System::family;
  else
    return System::name;
}

/// Equations of a system in text; none where it does not say them.
template <class System>
constexpr View<const char*> equations_of() {
  if constexpr (requires { System::equations; }) return System::equations;
  return {};
}

/// Publications of a system or a method; none where it does not say them.
template <class T>
constexpr Sources sources_of() {
  if constexpr (requires { T::sources; }) return T::sources;
  return {};
}

template <class System>
const char* problem_with_equilibrium(const double* p, const Equilibrium& which, [[maybe_unused]] char* text) {
  if (!which.angular_momentum) return EquilibriumStates<System>(p, which).problem();
  if (which.temperature) return "a temperature and an angular_momentum exclude each other";
  if constexpr (has_levels<System>)
    return Levels<System>(p, which).problem(text);
  else
    return "angular_momentum is for one spherical pendulum and for free bodies in three dimensions";
}

/// starts, source: as in SystemEntry.
template <class System>
constexpr SystemEntry system_entry(const StartFunctions* starts = nullptr, const SourceType& source = {}) {
  static_assert(std::size(System::observables) >= System::dim, "the state's columns are the first observables");
  static_assert(std::size(System::invariants) == System::n_invariants && System::n_invariants <= 32);
  static_assert(std::size(System::example_parameters) == parameter_count<System>());
  static_assert(parameter_count<System>() <= max_parameters, "raise max_parameters in polhode/run/plan.hpp");
  SystemEntry entry{
      .name = System::name,
      .family = family_of<System>(),
      .meaning = System::meaning,
      .sources = sources_of<System>(),
      .equations = equations_of<System>(),
      .kind = System::kind,
      .dim = System::dim,
      .layout = System::layout,
      .observables = System::observables,
      .invariants = System::invariants,
      .parameters = parameters_of<System>(),
      .alternatives = alternatives_of<System>(),
      .example_parameters = System::example_parameters,
      .example_step = System::example_step,
      .problem_with_parameters = problem_with_system<System>,
      .doubt_about_parameters = doubt_about_system<System>,
      .example_state = System::example_state,
      .prepare = prepare<System>,
      .prepare_velocities = nullptr,
      .bring_near = bring_near<System>,
      .project_momentum = nullptr,
      .observe = [](const double* p, int observable,
                    const double* x) { return Model<System>(p).observe(observable, host_state<System>(x)); },
      .conserves = System::conserves,
  };
  entry.starts = starts;
  entry.source = source;
  entry.residence = residence_of<System>();
  if constexpr (has_positions<System>) {
    entry.prepare_velocities = prepare_velocities<System>;
    entry.n_constraints = System::D;
    entry.constraints = constraints<System>;
    entry.vector_field = vector_field<System>;
  }
  if constexpr (has_positions<System>)
    if constexpr (has_constant_mass<System>) entry.project_momentum = project_momentum<System>;
  if constexpr (requires { &System::bring_to_rest; }) {
    entry.bring_to_rest = System::bring_to_rest;
    entry.reach = System::reach;
  }
  if constexpr (requires { System::chart; }) {
    entry.chart = &System::chart;
    entry.chart_range = System::chart_range;
    entry.chart_states = System::chart_states;
  }
  if constexpr (requires { typename System::Cyclic; })
    entry.transitions = Descriptions<typename System::Cyclic>::transitions;
  if constexpr (requires { System::edge; }) entry.edge = System::edge;
  if constexpr (requires { System::open; }) entry.open = System::open;
  if constexpr (requires { System::InSpace::name; }) entry.instead = System::InSpace::name;
  if constexpr (has_equilibrium<System>) entry.problem_with_equilibrium = problem_with_equilibrium<System>;
  return entry;
}

/// Name of the option for a splitting table; null where a method has none.
template <class Family>
constexpr const char* splitting_option_of() {
  if constexpr (requires { Family::splitting_option; }) return Family::splitting_option.name;
  return nullptr;
}
/// Whether a map has certain coefficients, which may depend on the system; null: all that its methods have.
template <class Map, class System>
constexpr auto has_of() -> bool (*)(const Coefficients&) {
  if constexpr (requires(const Coefficients& c) { Map::template has_on<System>(c); })
    return Map::template has_on<System>;
  else if constexpr (requires(const Coefficients& c) { Map::has(c); })
    return Map::has;
  else
    return nullptr;
}
/// Settings of a method: those of its maps that say which values they have.
template <class Family, class Map, class System>
constexpr View<MethodSetting> settings_of() {
  if constexpr (has_of<Map, System>() != nullptr) return Family::settings;
  return {};
}
/// Options of a method: for a splitting table, its settings, and others.
template <class Family, class Map, class System>
inline constexpr auto options_of = [] {
  constexpr bool is_splitting = splitting_option_of<Family>() != nullptr;
  constexpr std::size_t others = [] {
    if constexpr (requires { Family::options; }) return std::size(Family::options);
    return std::size_t{0};
  }();
  std::array<Option, is_splitting + settings_of<Family, Map, System>().size() + others> all{};
  std::size_t n = 0;
  if constexpr (is_splitting) all[n++] = Family::splitting_option;
  for (const MethodSetting& setting : settings_of<Family, Map, System>()) all[n++] = setting.option;
  if constexpr (others > 0)
    for (const Option& option : Family::options) all[n++] = option;
  return all;
}();
/// Properties of a method on a system: as its step map declares them, else as its family does.
template <class Family, class Map, class System>
constexpr Properties properties_with(const Coefficients& coefficients) {
  if constexpr (requires { Map::template properties_on<System>(Family::properties, coefficients); })
    return Map::template properties_on<System>(Family::properties, coefficients);
  else
    return Family::properties;
}
/// Publications of a method and of its map, each once.
template <class Family, class Map>
inline constexpr auto sources_of_method = [] {
  constexpr auto is_new = [](const Publication* source) {
    return std::ranges::find(sources_of<Family>(), source) == sources_of<Family>().end();
  };
  constexpr auto added = static_cast<std::size_t>(std::ranges::count_if(sources_of<Map>(), is_new));
  std::array<const Publication*, sources_of<Family>().size() + added> all{};
  std::ranges::copy_if(sources_of<Map>(), std::ranges::copy(sources_of<Family>(), all.begin()).out, is_new);
  return all;
}();
template <class Family>
constexpr bool has_adjoint() {
  if constexpr (requires { Family::has_adjoint; }) return Family::has_adjoint;
  return false;
}

template <class Map>
constexpr VariantEntry variant_entry() {
  return {Map::Solver::name, Map::Solver::meaning,
          [](const double* p, const Coefficients& coefficients, double step, Precision precision) {
            return precision == Precision::binary64 ? Map::template nominal_sweeps<double>(p, coefficients, step)
                                                    : Map::template nominal_sweeps<float>(p, coefficients, step);
          }};
}

template <class Variants>
struct VariantEntries;
template <class... Map>
struct VariantEntries<Variants<Map...>> {
  static constexpr VariantEntry all[] = {variant_entry<Map>()...};
};

/// A method as a case of a step map on a system.
template <class Family, class Map, class System>
constexpr MethodEntry method_entry(const SourceType& map) {
  return {
      .name = Family::name,
      .meaning = Family::meaning,
      .system = System::name,
      .sources = sources_of_method<Family, Map>,
      .coefficients = Family::coefficients,
      .has_adjoint = has_adjoint<Family>(),
      .options = options_of<Family, Map, System>,
      .settings = settings_of<Family, Map, System>(),
      .has = has_of<Map, System>(),
      .properties_with = properties_with<Family, Map, System>,
      .splitting_option = splitting_option_of<Family>(),
      .variants = VariantEntries<typename Map::template VariantsOn<System>>::all,
      .problem_with_parameters = problem_with_method<Family, System>,
      .map = map,
      .residence = residence_of<Map, System>(),
  };
}

}  // namespace polhode

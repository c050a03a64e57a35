// Makes catalog entries from a system's and a method's header.
#pragma once

#include <algorithm>

#include "backend/reference/reference_backend.hpp"
#include "catalog/catalog.hpp"
#include "polhode/math/vec.hpp"
#include "polhode/method/case_of_map.hpp"
#include "polhode/method/setting.hpp"
#include "polhode/method/variants.hpp"
#include "polhode/run/plan.hpp"
#include "system/descriptions.hpp"
#include "system/start_unit.hpp"

namespace polhode {

/// Parameters of a system; none where it declares none: an array of size 0 is no C++.
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
constexpr std::span<const char* const> equations_of() {
  if constexpr (requires { System::equations; }) return System::equations;
  return {};
}

inline Publication to_publication(const char* key) { return {key}; }
inline Publication to_publication(const Publication* publication) { return *publication; }

/// Publications of systems, methods and maps, each once, of those that say them: by keys, or with their texts.
template <class... T>
Sources sources_of() {
  static const std::vector<Publication> sources = [] {
    std::vector<Publication> all;
    const auto add = [&]<class One>(std::type_identity<One>) {
      if constexpr (requires { One::sources; })
        for (const auto* const source : One::sources) {
          const Publication publication = to_publication(source);
          if (std::ranges::find(all, publication) == all.end()) all.push_back(publication);
        }
    };
    (add(std::type_identity<T>()), ...);
    return all;
  }();
  return sources;
}

template <class System>
std::string problem_with_equilibrium(const double* p, const Equilibrium& which) {
  if (!which.angular_momentum) {
    const char* problem = EquilibriumStates<System>(p, which).problem();
    return problem ? problem : "";
  }
  if (which.temperature) return "a temperature and an angular_momentum exclude each other";
  if constexpr (has_levels<System>)
    return Levels<System>(p, which).problem();
  else
    return "angular_momentum is for one spherical pendulum and for free bodies in three dimensions";
}

/// starts: its functions for each instruction set, null where they are not compiled. source: the system, if modules of
/// it can be compiled.
template <class System>
SystemEntry system_entry(const std::array<const StartFunctions*, n_isas>& starts = {}, const SourceType& source = {}) {
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
template <class Map, class... Others>
OptionsOf<Map> options_of_first(Variants<Map, Others...>);
/// Options of a step map on a system, the same for all its solvers.
template <class Map, class System>
using OptionsOn = decltype(options_of_first(typename Map::template VariantsOn<System>{}));

/// Whether a map has certain options, which may depend on the system; null: all that its methods have.
template <class Map, class System>
constexpr auto has_of() -> bool (*)(const MapOptions&) {
  using Options = OptionsOn<Map, System>;
  if constexpr (requires(const Options& options) { Map::template has_on<System>(options); })
    return [](const MapOptions& all) { return Map::template has_on<System>(options_from<Options>(all)); };
  else if constexpr (requires(const Options& options) { Map::has(options); })
    return [](const MapOptions& all) { return Map::has(options_from<Options>(all)); };
  else
    return nullptr;
}
/// Settings of a method with a map: they describe the map's options.
template <class Family, class Map, class System>
constexpr std::span<const MethodSetting> settings_of() {
  if constexpr (requires { Family::settings; })
    if constexpr (has_map_options<Family, OptionsOn<Map, System>>) return Family::settings;
  return {};
}
/// Set to which the momenta of a method belong.
template <class Family, class Map, class System>
constexpr Momentum momentum_of() {
  if constexpr (requires(const OptionsOn<Map, System>& options) { Map::momentum(options); })
    return Map::momentum(map_options_of<Family, OptionsOn<Map, System>>());
  return Momentum::hidden_constraint;
}
template <class Family, class Map, class System>
std::span<const Option> options_of() {
  static const std::vector<Option> options = [] {
    std::vector<Option> all;
    if constexpr (requires { Family::splitting_option; }) all.push_back(Family::splitting_option);
    for (const MethodSetting& setting : settings_of<Family, Map, System>()) all.push_back(setting.option);
    if constexpr (requires { Family::options; })
      all.insert(all.end(), std::begin(Family::options), std::end(Family::options));
    return all;
  }();
  return options;
}
/// Properties of a method on a system: as its step map declares them, else as its family does.
template <class Family, class Map, class System>
constexpr Properties properties_with(const MapOptions& all) {
  using Options = OptionsOn<Map, System>;
  if constexpr (requires(const Options& options) { Map::template properties_on<System>(Family::properties, options); })
    return Map::template properties_on<System>(Family::properties, options_from<Options>(all));
  else
    return Family::properties;
}
template <class Family>
constexpr bool has_adjoint() {
  if constexpr (requires { Family::has_adjoint; }) return Family::has_adjoint;
  return false;
}

template <class Map>
VariantEntry variant_entry() {
  return {Map::Solver::name, Map::Solver::meaning,
          [](const double* p, const MapOptions& all, const Kicks& kicks, double step, Precision precision) {
            const auto& options = options_from<OptionsOf<Map>>(all);
            return precision == Precision::binary64 ? Map::template nominal_sweeps<double>(p, options, kicks, step)
                                                    : Map::template nominal_sweeps<float>(p, options, kicks, step);
          }};
}

template <class... Map>
std::span<const VariantEntry> variant_entries(Variants<Map...>) {
  static const VariantEntry entries[] = {variant_entry<Map>()...};
  return entries;
}

/// A method as a case of a step map on a system, with those of that map's kernels that are compiled with it.
template <class Family, class Map, class System>
MethodEntry method_entry(const SourceType& map, const std::array<const CpuTable*, n_isas>& cpu,
                         const CudaKernels* const (*cuda)[2], MakeReference reference = nullptr) {
  return {
      .name = Family::name,
      .meaning = Family::meaning,
      .system = System::name,
      .sources = sources_of<Family, Map>(),
      .map_options = to_bytes(map_options_of<Family, OptionsOn<Map, System>>()),
      .kicks = kicks_of<Family>(),
      .momentum = momentum_of<Family, Map, System>(),
      .has_adjoint = has_adjoint<Family>(),
      .options = options_of<Family, Map, System>(),
      .settings = settings_of<Family, Map, System>(),
      .has = has_of<Map, System>(),
      .properties_with = properties_with<Family, Map, System>,
      .splitting_option = splitting_option_of<Family>(),
      .variants = variant_entries(typename Map::template VariantsOn<System>{}),
      .problem_with_parameters = problem_with_method<Family, System>,
      .map = map,
      .cpu = cpu,
      .cuda = cuda,
      .own_reference = reference,
  };
}

}  // namespace polhode

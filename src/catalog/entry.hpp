// Makes catalog entries from a system's and a method's header.
#pragma once

#include <algorithm>
#include <array>

#include "backend/cuda/residence.hpp"
#include "catalog/catalog.hpp"
#include "polhode/math/vec.hpp"
#include "polhode/method/case_of_map.hpp"
#include "polhode/method/discrete_action.hpp"
#include "polhode/method/setting.hpp"
#include "polhode/method/step_maps.hpp"
#include "polhode/run/plan.hpp"
#include "system/descriptions.hpp"
#include "system/start_unit.hpp"
#include "system/vehicle_descriptions.hpp"

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

/// Length of the flat array of parameters.
template <class System>
constexpr int parameter_count() {
  int count = 0;
  for (const Parameter& parameter : parameters_of<System>()) count += parameter.size;
  return count;
}

/// Whether a constrained system has a constant mass, so that its momenta may be elsewhere than on the hidden
/// constraint.
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

/// Reason why parameters cannot be used, or null; always null for a system that declares no invalid_reason.
template <class System>
const char* invalid_reason_of([[maybe_unused]] const double* p) {
  if constexpr (requires { System::invalid_reason(p); }) return System::invalid_reason(p);
  return nullptr;
}
template <class System>
const char* warning_of([[maybe_unused]] const double* p) {
  if constexpr (requires { System::warning(p); }) return System::warning(p);
  return nullptr;
}
template <class Method, class System>
const char* invalid_reason_for([[maybe_unused]] const double* p) {
  if constexpr (requires { Method::template invalid_reason<System>(p); })
    return Method::template invalid_reason<System>(p);
  return nullptr;
}

template <class System>
constexpr const char* family_of() {
  if constexpr (requires { System::family; })
    return System::family;
  else
    return System::name;
}

/// Equations of a system in text; none where it declares none.
template <class System>
constexpr View<const char*> equations_of() {
  if constexpr (requires { System::equations; }) return System::equations;
  return {};
}

constexpr Publication to_publication(const char* key) { return {key}; }
constexpr Publication to_publication(const Publication* publication) { return *publication; }

/// Number of publications that a type names.
template <class T>
constexpr std::size_t count_sources() {
  if constexpr (requires { T::sources; }) return std::size(T::sources);
  return 0;
}

/// Publications that types (systems, methods, maps) name in `sources`, each once: by keys, or with their texts.
template <class... T>
struct SourcesOf {
  static constexpr auto with_room = [] {
    std::pair<std::array<Publication, (0 + ... + count_sources<T>())>, std::size_t> all{};
    const auto add = [&]<class One>(std::type_identity<One>) {
      if constexpr (count_sources<One>() > 0)
        for (const auto* const source : One::sources) {
          const Publication publication = to_publication(source);
          const auto end = all.first.begin() + static_cast<std::ptrdiff_t>(all.second);
          if (std::find(all.first.begin(), end, publication) == end) all.first[all.second++] = publication;
        }
    };
    (add(std::type_identity<T>()), ...);
    return all;
  }();
  static constexpr Sources all{with_room.first.data(), with_room.second};
};

template <class System>
const char* invalid_equilibrium_reason(const double* p, const Equilibrium& which, [[maybe_unused]] char* text) {
  if (!which.angular_momentum) return EquilibriumStates<System>(p, which).problem();
  if (which.temperature) return "a temperature and an angular_momentum exclude each other";
  if constexpr (has_levels<System>)
    return Levels<System>(p, which).problem(text);
  else
    return "angular_momentum is for one spherical pendulum and for free bodies in three dimensions";
}

/// Catalog entry of a system. starts, source: as in SystemEntry.
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
      .sources = SourcesOf<System>::all,
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
      .invalid_reason = invalid_reason_of<System>,
      .warning = warning_of<System>,
      .example_state = System::example_state,
      .prepare = prepare<System>,
      .prepare_velocities = nullptr,
      .bring_near = bring_near<System>,
      .project_momentum = nullptr,
      .own_observable = [](const double* p, int observable,
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
  if constexpr (requires { VehicleDescriptions<System>::transitions; })
    entry.transitions = VehicleDescriptions<System>::transitions;
  if constexpr (requires { System::edge; }) entry.edge = System::edge;
  if constexpr (requires { System::open; }) entry.open = System::open;
  if constexpr (requires { System::InSpace::name; }) entry.system_in_space = System::InSpace::name;
  if constexpr (has_equilibrium<System>) entry.invalid_equilibrium_reason = invalid_equilibrium_reason<System>;
  return entry;
}

/// Name of the option for a splitting table; null where a method has none.
template <class Method>
constexpr const char* splitting_option_of() {
  if constexpr (requires { Method::splitting_option; }) return Method::splitting_option.name;
  return nullptr;
}
/// Name of the option for a table that kernels are compiled with; null where a method has none.
template <class Method>
constexpr const char* table_option_of() {
  if constexpr (requires { Method::table_option; }) return Method::table_option.name;
  return nullptr;
}
template <class Map, class... Others>
OptionsOf<Map> options_of_first(StepMaps<Map, Others...>);
/// Type of the options of a step map on a system, the same for all solvers of the map.
template <class Map, class System>
using OptionsOn = decltype(options_of_first(typename Map::template StepMapsOn<System>{}));

/// Value of MethodEntry::has: a function that tells whether there is a step map with given options on the system; null
/// where there is one with any options of its methods.
template <class Map, class System>
constexpr auto has_function_of() -> bool (*)(const MapOptions&) {
  using Options = OptionsOn<Map, System>;
  if constexpr (requires(const Options& options) { Map::template has_on<System>(options); })
    return [](const MapOptions& all) { return Map::template has_on<System>(options_from<Options>(all)); };
  else if constexpr (requires(const Options& options) { Map::has(options); })
    return [](const MapOptions& all) { return Map::has(options_from<Options>(all)); };
  else
    return nullptr;
}
/// Settings of a method, where they set options of this step map on the system; none where the map has other options.
template <class Method, class Map, class System>
constexpr View<MethodSetting> settings_of() {
  static_assert(
      !requires { Method::settings; } || requires { Method::map_options; },
      "settings are members of the map_options that a method declares");
  if constexpr (requires { Method::settings; })
    if constexpr (has_map_options<Method, OptionsOn<Map, System>>) return Method::settings;
  return {};
}
/// Set to which the momenta of a method belong.
template <class Method, class Map, class System>
constexpr Momentum momentum_of() {
  if constexpr (requires(const OptionsOn<Map, System>& options) { Map::momentum(options); })
    return Map::momentum(map_options_of<Method, OptionsOn<Map, System>>());
  return Momentum::hidden_constraint;
}
/// Options of a method: those for a splitting table and for a table of its kernels, its settings, and its others.
template <class Method, class Map, class System>
inline constexpr auto options_of = [] {
  constexpr bool is_splitting = splitting_option_of<Method>() != nullptr;
  constexpr bool has_table = table_option_of<Method>() != nullptr;
  constexpr std::size_t others = [] {
    if constexpr (requires { Method::options; }) return std::size(Method::options);
    return std::size_t{0};
  }();
  std::array<MethodOption, is_splitting + has_table + settings_of<Method, Map, System>().size() + others> all{};
  std::size_t n = 0;
  if constexpr (is_splitting) all[n++] = Method::splitting_option;
  if constexpr (has_table) all[n++] = Method::table_option;
  for (const MethodSetting& setting : settings_of<Method, Map, System>()) all[n++] = setting.option;
  if constexpr (others > 0)
    for (const MethodOption& option : Method::options) all[n++] = option;
  return all;
}();
/// Properties of a method on a system: those that the method declares, or where the step map has properties_on(), what
/// that makes of them with the options `all`.
template <class Method, class Map, class System>
Properties properties_with(const MapOptions& all) {
  using Options = OptionsOn<Map, System>;
  if constexpr (requires(const Options& options) { Map::template properties_on<System>(Method::properties, options); })
    return Map::template properties_on<System>(Method::properties, options_from<Options>(all));
  else
    return Method::properties;
}
/// Whether the compiler decides what is inlined in the kernels of a step map.
template <class Map>
constexpr bool leaves_inlining() {
  if constexpr (requires { Map::leaves_inlining; }) return Map::leaves_inlining;
  return false;
}
/// Whether the step map of a method on a system, with given options, has a discrete action.
template <class Map, class System>
bool has_action([[maybe_unused]] const MapOptions& all) {
  using First = StepMapAt<0, typename Map::template StepMapsOn<System>>;
  using Step = typename First::template Step<double>;
  constexpr bool is_there = requires(const Step& step, const StepContext<System, double>& context,
                                     const typename System::template State<double>& x, const Mask<double>& active) {
    step.action(context, x, x, active);
  };
  if constexpr (requires { Map::has_action(OptionsOn<Map, System>{}); })
    return is_there && Map::has_action(options_from<OptionsOn<Map, System>>(all));
  else
    return is_there;
}
template <class Method>
constexpr bool has_adjoint() {
  if constexpr (requires { Method::has_adjoint; }) return Method::has_adjoint;
  return false;
}

template <class Map>
constexpr SolverEntry solver_entry() {
  return {Map::Solver::name, Map::Solver::meaning,
          [](const double* p, const MapOptions& all, const Kicks& kicks, double step, Precision precision) {
            const auto& options = options_from<OptionsOf<Map>>(all);
            return precision == Precision::binary64 ? Map::template nominal_sweeps<double>(p, options, kicks, step)
                                                    : Map::template nominal_sweeps<float>(p, options, kicks, step);
          }};
}

template <class List>
struct SolverEntries;
template <class... Map>
struct SolverEntries<StepMaps<Map...>> {
  static constexpr SolverEntry all[] = {solver_entry<Map>()...};
};

/// Catalog entry of a method as a case of a step map on a system.
template <class Method, class Map, class System>
MethodEntry method_entry(const SourceType& map) {
  return {
      .name = Method::name,
      .meaning = Method::meaning,
      .system = System::name,
      .sources = SourcesOf<Method, Map>::all,
      .map_options = to_bytes(map_options_of<Method, OptionsOn<Map, System>>()),
      .kicks = kicks_of<Method>(),
      .momentum = momentum_of<Method, Map, System>(),
      .has_adjoint = has_adjoint<Method>(),
      .options = options_of<Method, Map, System>,
      .settings = settings_of<Method, Map, System>(),
      .has = has_function_of<Map, System>(),
      .has_action = has_action<Map, System>,
      .properties_with = properties_with<Method, Map, System>,
      .splitting_option = splitting_option_of<Method>(),
      .table_option = table_option_of<Method>(),
      .solvers = SolverEntries<typename Map::template StepMapsOn<System>>::all,
      .invalid_reason = invalid_reason_for<Method, System>,
      .map = map,
      .residence = residence_of<Map, System>(),
      .leaves_inlining = leaves_inlining<Map>(),
  };
}

}  // namespace polhode

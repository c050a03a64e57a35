#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

#include "backend/cpu/isa.hpp"
#include "catalog/own_systems.hpp"
#include "error.hpp"
#include "formula/added_observables.hpp"
#include "polhode/observer/statistics.hpp"
#include "spec/angle_limits.hpp"
#include "spec/method_options.hpp"
#include "spec/method_step.hpp"
#include "spec/observables.hpp"
#include "spec/resolve_parts.hpp"
#include "spec/resolved_run.hpp"
#include "spec/schema.hpp"
#include "spec/table_of_method.hpp"
#include "suggestion.hpp"

namespace polhode {
namespace {

template <class Entry>
std::vector<std::string> names_of(View<Entry> entries) {
  std::vector<std::string> names;
  for (const Entry& entry : entries) names.emplace_back(entry.name);
  return names;
}

/// System that a specification names: by its own name, or by that of its family and the size of the first vector
/// parameter that is given. Throws InputError where there is none, or no such parameter is given.
const SystemEntry* choose_system(const SystemSpec& spec) {
  const std::vector<const SystemEntry*> family = find_systems(spec.name);
  if (spec.name.empty()) refuse_missing("system", table_of<SystemSpec>.keys[0]);
  if (family.empty()) {
    std::vector<std::string> known;  // several may have one name, or one family
    for (const SystemEntry& system : systems())
      for (const char* name : {system.name, system.family})
        if (std::ranges::find(known, name) == known.end()) known.emplace_back(name);
    refuse("system", "name", fmt::format("unknown system \"{}\"{}", spec.name, nearest_known(spec.name, known)),
           near_names(spec.name, known).empty()
               ? "See polhode list systems, or name the header of your own system with --system or system.header"
               : "See polhode list systems");
  }
  if (family.size() == 1) return family.front();
  for (const Parameter& parameter : family.front()->parameters) {
    const auto given = spec.parameters.find(parameter.name);
    if (parameter.size == 1 || given == spec.parameters.end()) continue;
    std::vector<int> sizes;
    for (const SystemEntry* system : family)
      for (const Parameter& other : system->parameters)
        if (std::string_view(other.name) == parameter.name) {
          if (other.size == static_cast<int>(given->second.size())) return system;
          sizes.push_back(other.size);
        }
    refuse("system", parameter.name, fmt::format("it has {} numbers", given->second.size()),
           fmt::format("Give {}", fmt::join(sizes, " or ")));
  }
  for (const Parameter& parameter : family.front()->parameters)
    if (parameter.size > 1) refuse_missing("system", parameter.name, parameter.meaning);
  return family.front();
}

/// The system of a user's header, or of formulas, which a specification has. Throws InputError where the specification
/// has the name of another system, and as require_system() (catalog/own_systems.hpp).
const SystemEntry& own_system(const RunSpec& spec, const OwnHeader& header) {
  std::optional<WantedKernel> wanted;
  const ExecutionSpec& run = spec.execution;
  const std::optional<GuessedTable> guessed = guess_table(spec.method);
  // A kernel with added observables is another.
  const bool is_observed = spec.system.hamiltonian.empty() && !spec.system.observables.empty();
  if (guessed && !is_observed && (run.backend == BackendChoice::automatic || run.backend == BackendChoice::cpu))
    wanted = {spec.method.name, spec.method.solver, run.precision, run.isa.value_or(best_isa()), guessed->table};
  const SystemEntry& own = require_system(header, wanted ? &*wanted : nullptr);
  if (const std::string& name = spec.system.name; !name.empty() && name != own.name && name != own.family)
    refuse("system", "name", fmt::format("{} has the system \"{}\"", header.name, own.name),
           "Correct it, or leave it out");
  return own;
}

/// The parameter of that name among those given, or null. Throws InputError where it does not have `size` numbers.
const std::vector<double>* find_parameter(const SystemSpec& spec, const char* name, int size) {
  const auto given = spec.parameters.find(name);
  if (given == spec.parameters.end()) return nullptr;
  if (static_cast<int>(given->second.size()) != size)
    refuse("system", name, fmt::format("it has {} numbers", given->second.size()), fmt::format("Give {}", size));
  return &given->second;
}

void check_bound(const Parameter& parameter, const std::vector<double>& value) {
  const auto fail = [&](const char* why) {
    throw InputError(fmt::format("cannot use {} = {:.15g} ({}). Correct it in [system].", parameter.name,
                                 fmt::join(value, ", "), why));
  };
  double norm_squared = 0;
  for (const double x : value) {
    if (!std::isfinite(x)) fail("it must be finite");
    if (parameter.bound == Bound::positive && !(x > 0)) fail("it must be positive");
    norm_squared += x * x;
  }
  if (parameter.bound == Bound::unit_vector && std::abs(norm_squared - 1) > 2e-6)
    fail("it must be a unit vector, to 1e-6");
}

/// Parameters of the system, flat. Completes `spec` with defaults, and turns alternatives into the parameters that they
/// stand for. Throws InputError where a parameter is unknown, missing, given twice or out of bounds.
std::vector<double> resolve_parameters(const SystemEntry& system, SystemSpec& spec) {
  std::vector<std::string> known{"name", "header"};
  for (const Parameter& parameter : system.parameters) known.emplace_back(parameter.name);
  for (const Alternative& alternative : system.alternatives) known.emplace_back(alternative.name);
  for (const auto& [name, value] : spec.parameters)
    if (std::ranges::find(known, name) == known.end())
      throw InputError(fmt::format("unknown key system.{} ([system] has no such key{}). Correct or remove it.", name,
                                   nearest_known(name, known)));

  std::vector<double> flat;
  std::map<std::string, std::vector<double>> complete;
  for (const Parameter& parameter : system.parameters) {
    std::optional<std::vector<double>> value;
    if (const auto* given = find_parameter(spec, parameter.name, parameter.size)) value = *given;
    for (const Alternative& alternative : system.alternatives) {
      if (std::string_view(alternative.parameter) != parameter.name) continue;
      const auto* given = find_parameter(spec, alternative.name, parameter.size);
      if (!given) continue;
      if (value) refuse("system", alternative.name, fmt::format("{} is given too", parameter.name), "Give one of them");
      value.emplace(parameter.size);
      alternative.convert(given->data(), value->data());
    }
    if (!value) {
      if (!parameter.default_value) refuse_missing("system", parameter.name, parameter.meaning);
      value.emplace(parameter.default_value, parameter.default_value + parameter.size);
    }
    check_bound(parameter, *value);
    flat.insert(flat.end(), value->begin(), value->end());
    complete.emplace(parameter.name, *std::move(value));
  }
  spec.parameters = std::move(complete);
  return flat;
}

const MethodEntry* choose_method(const SystemEntry& system, const std::string& name) {
  if (name.empty()) refuse_missing("method", table_of<MethodSpec>.keys[0]);
  if (const MethodEntry* method = find_method(system.name, name)) return method;
  std::vector<std::string> known;
  for (const MethodEntry* entry : methods_of(system)) known.emplace_back(entry->name);
  refuse("method", "name", fmt::format("{} has no method \"{}\"{}", system.name, name, nearest_known(name, known)),
         fmt::format("See polhode list methods {}", system.name));
}

void resolve_method(ResolvedRun& run) {
  MethodSpec& method = run.spec.method;
  run.method = choose_method(*run.system, method.name);
  std::vector<std::string> solvers;
  for (const SolverEntry& solver : run.method->solvers) solvers.emplace_back(solver.name);
  run.solver_index = choose("method", "solver", method.solver, solvers);
  method.solver = solvers[run.solver_index];
  if (const char* problem = run.method->invalid_reason(run.parameters.data()))
    throw InputError(fmt::format("cannot use the method {} ({}). Choose another method or other parameters.",
                                 run.method->name, problem));
  resolve_options(*run.method, method);
  const auto [step, properties] = step_of(*run.method, method.options);
  run.step_plan = step;
  run.properties = properties;
  run.table = table_of_method(*run.method, method.options);
}

int find_observable(const char* table, const char* key, const SystemEntry& system, const std::string& name) {
  const int observable = system.find_observable(name);
  if (observable < 0)
    refuse(table, key,
           fmt::format("unknown observable \"{}\"{}", name, nearest_known(name, names_of(system.observables))),
           fmt::format("See polhode list sections {}", system.name));
  return observable;
}

/// Columns that section points keep; empty: all, in the order of the state, even if they are given in another order.
std::vector<int> resolve_section_columns(const SectionSpec& section, const SystemEntry& system) {
  if (!section.columns) return {};
  if (!section.points) refuse("section", "columns", "section.points = false keeps no points", "Leave one of them out");
  if (section.columns->empty()) refuse("section", "columns", "there are none", "Leave it out for all columns");
  const std::vector<std::string> known = names_of(system.observables.first(system.dim));
  std::vector<int> columns;
  for (const std::string& name : *section.columns) {
    const auto found = std::ranges::find(known, name);
    if (found == known.end())
      refuse("section", "columns", fmt::format("unknown column \"{}\"{}", name, nearest_known(name, known)),
             fmt::format("Give some of {}", fmt::join(known, ", ")));
    const int column = static_cast<int>(found - known.begin());
    if (std::ranges::find(columns, column) != columns.end())
      refuse("section", "columns", fmt::format("\"{}\" is there twice", name), "Give each column once");
    columns.push_back(column);
  }
  if (columns.size() == known.size()) return {};
  return columns;
}

void resolve_section(ResolvedRun& run) {
  const SectionSpec& section = *run.spec.section;
  const SystemEntry& system = *run.system;
  run.section = find_observable("section", "name", system, section.name);
  const Quantity& observable = system.observables[run.section];
  check_section_value(observable, section.value);
  if (!section.points && !run.spec.density)
    throw InputError("cannot use section.points = false (nothing would be left of the section). Add [density].");
  // A step of length theta h ends near the projected momentum for theta near 0, not where the one before left it.
  const bool has_momenta =
      system.added && run.section >= system.added->n_own
          ? system.added->depends(run.section - system.added->n_own, system.n_positions(), system.dim)
          : run.section >= system.n_positions() && run.section < system.dim;
  if (run.method->momentum == Momentum::unprojected && has_momenta)
    throw InputError(
        fmt::format("cannot use section.name = {} with the method {} (it leaves momenta off the constraints, "
                    "and they jump there). Choose a position, a derived observable or another method.",
                    observable.name, run.method->name));
  run.section_columns = resolve_section_columns(section, system);
  if (!section.terminal) return;
  // The time loop ends a trajectory before its crossing is refined, which is when both of these are known.
  if (!section.where.empty())
    throw InputError(
        "cannot use section.terminal with section.where (the condition is judged on the refined point, where the "
        "trajectory has ended already). Leave one of them out.");
  if (observable.angle == Angle::wrapped)
    throw InputError(
        fmt::format("cannot use section.terminal with section.name = {} (an angle jumps from pi to -pi, and "
                    "that would be an end, too). Choose another observable.",
                    observable.name));
}

void resolve_density(ResolvedRun& run) {
  const DensitySpec& density = *run.spec.density;
  if (!run.spec.section)
    throw InputError("cannot use [density] (it counts section points, and there is no [section]). Add a section.");
  for (int i = 0; i < 2; ++i) run.axes[i] = find_observable("density", "axes", *run.system, density.axes[i]);
  if (run.axes[0] == run.axes[1]) refuse("density", "axes", "both are the same observable", "Give two different ones");
  for (int i = 0; i < 2; ++i) check_angle_range("density", run.system->observables[run.axes[i]], density.range[i]);
  if (density.bins[0] > max_density_cells / density.bins[1])
    throw InputError(
        fmt::format("cannot use density.bins (they make more than {} cells). Use fewer.", max_density_cells));
}

void resolve_statistics(ResolvedRun& run) {
  const StatisticsSpec& statistics = *run.spec.statistics;
  if (statistics.observables.empty())
    throw InputError("cannot use statistics.observables (there are none). Give columns or observables.");
  if (statistics.observables.size() > max_statistics)
    throw InputError(fmt::format("cannot use statistics.observables (there are {}, and {} at most). Give fewer.",
                                 statistics.observables.size(), max_statistics));
  for (const std::string& name : statistics.observables)
    run.observables.push_back(find_observable("statistics", "observables", *run.system, name));
  if (statistics.bins > 0 && statistics.range.empty())
    refuse_missing("statistics", "range", "[low, high] of each observable's histogram");
  if (statistics.bins == 0 && !statistics.range.empty())
    refuse_missing("statistics", "bins", "cells of each histogram");
  if (statistics.bins > 0 && statistics.range.size() != statistics.observables.size())
    refuse("statistics", "range", fmt::format("it has {} pairs", statistics.range.size()),
           fmt::format("Give {}, one for each observable", statistics.observables.size()));
  for (std::size_t i = 0; i < statistics.range.size(); ++i)
    check_angle_range("statistics", run.system->observables[run.observables[i]], statistics.range[i]);
}

void check_energy_limit(const ResolvedRun& run) {
  if (!run.spec.execution.energy_limit) return;
  if (!run.spec.record.invariants)
    refuse("run", "energy_limit", "record.invariants = false compares no energies", "Leave one of them out");
  if (run.system->find_energy() < 0)
    refuse("run", "energy_limit", fmt::format("{} has no energy among its invariants", run.system->name),
           "Leave it out");
}

void check_shadow_energy(const ResolvedRun& run) {
  const RecordSpec& record = run.spec.record;
  if (record.shadow_energy == 0) return;
  if (record.shadow_energy != 4 && record.shadow_energy != 6 && record.shadow_energy != 8)
    refuse("record", "shadow_energy", "it is neither 4, 6 nor 8", "Give one of these orders, or 0 for none");
  if (record.snapshots == 0) refuse_missing("record", "snapshots", "steps between the states whose energy it is");
  if (!run.method->has_action(run.step_plan.options))
    refuse("record", "shadow_energy",
           fmt::format("{} with these options has no discrete action on {}", run.method->name, run.system->name),
           "Leave it out");
}

}  // namespace

int choose(const char* table, const char* key, const std::string& name, const std::vector<std::string>& known) {
  if (name.empty()) return 0;
  const auto found = std::ranges::find(known, name);
  if (found == known.end())
    refuse(table, key, fmt::format("unknown value \"{}\"{}", name, nearest_known(name, known)), "Choose one of those");
  return static_cast<int>(found - known.begin());
}

std::uint32_t ResolvedRun::all_invariants() const {
  const std::size_t count = system->invariants.size();
  return count == 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << count) - 1;
}

std::string ResolvedRun::table_in_words() const { return table ? in_words(*table) : ""; }

bool ResolvedRun::section_is_at_jump() const {
  return spec.section && system->observables[section].angle == Angle::wrapped &&
         std::abs(spec.section->value) >= std::numbers::pi;
}

ResolvedRun resolve(RunSpec given) {
  ResolvedRun run;
  run.spec = std::move(given);
  RunSpec& spec = run.spec;
  const std::optional<OwnHeader> own = own_header_of(spec.system);
  run.system = own ? &own_system(spec, *own) : choose_system(spec.system);
  spec.system.name = run.system->name;
  run.parameters = resolve_parameters(*run.system, spec.system);
  if (const char* problem = run.system->invalid_reason(run.parameters.data()))
    throw InputError(fmt::format("cannot use the system {} ({}). Choose other parameters.", run.system->name, problem));
  resolve_method(run);
  resolve_observables(run);
  require_plane(run);  // before a grid and an energy are asked for
  for_each_part(spec, [](const auto& table, const auto& part) {
    for (const auto& key : table.keys) check_limits(table.name, key, key.get(part));
  });
  resolve_ensemble(run);
  check_energy_limit(run);
  check_shadow_energy(run);
  if (spec.statistics) resolve_statistics(run);
  if (spec.density) resolve_density(run);
  if (spec.section) resolve_section(run);
  return run;
}

}  // namespace polhode

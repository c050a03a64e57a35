#include <fmt/format.h>

#include <algorithm>

#include "error.hpp"
#include "spec/resolve_parts.hpp"
#include "spec/schema.hpp"
#include "suggestion.hpp"

namespace polhode {
namespace {

void require_dim(const char* key, std::size_t size, int dim) {
  if (size != static_cast<std::size_t>(dim))
    refuse("ensemble", key, fmt::format("it has {} numbers", size), fmt::format("Give {}", dim));
}

/// Index of the column `name` of the state. Throws InputError unless it is one of first, ..., last - 1.
int find_column(const SystemEntry& system, const char* key, const std::string& name, int first, int last) {
  const int column = system.find_observable(name);
  if (column >= first && column < last) return column;
  std::vector<std::string> known;
  for (int i = first; i < last; ++i) known.emplace_back(system.observables[i].name);
  refuse("ensemble", key,
         fmt::format("\"{}\" is not a {}{}", name, first > 0 ? "momentum column" : "column of the state",
                     nearest_known(name, known)),
         fmt::format("See polhode list systems {}", system.name));
}

/// Completes starts in the plane of two columns, which ensemble.axes names in place of the chart. Throws InputError
/// where they cannot be used.
template <class Starts>
void resolve_columns(const ResolvedRun& run, Starts& starts) {
  const SystemEntry& system = *run.system;
  if (starts.axes.size() != 2) refuse("ensemble", "axes", fmt::format("it has {} names", starts.axes.size()), "Give 2");
  int axes[2];
  for (int i = 0; i < 2; ++i) axes[i] = find_column(system, axes_row.name, starts.axes[i], 0, system.dim);
  if (axes[0] == axes[1]) refuse("ensemble", "axes", "both are the same column", "Give two");
  if (starts.solve.empty()) refuse_missing("ensemble", solve_row.name, solve_row.meaning);
  const int N = system.n_positions(), solve = find_column(system, solve_row.name, starts.solve, N, 2 * N);
  if (std::ranges::find(axes, solve) != std::end(axes))
    refuse("ensemble", "solve", fmt::format("{} is one of the axes", starts.solve), "Choose another momentum");
  if (starts.base.empty()) refuse_missing("ensemble", base_row.name, base_row.meaning);
  require_dim("base", starts.base.size(), system.dim);
  if (starts.momentum != 0)
    refuse("ensemble", "momentum", "it is for the starts of a chart, and ensemble.axes are given", "Leave it out");
  if (!run.spec.section)
    throw InputError(
        "cannot use ensemble.axes (the starts are to lie on a section, and there is no [section]). Add it.");
  const int section = system.find_observable(run.spec.section->name);
  const auto is_momentum = [&](int column) { return column >= N && column < 2 * N; };
  if (run.method->momentum == Momentum::tangent &&
      (is_momentum(axes[0]) || is_momentum(axes[1]) || is_momentum(section)))
    refuse("ensemble", "axes",
           fmt::format("momenta of {} are projected to the tangent space afterwards", run.method->name),
           "Use positions for axes and section, or rattle");
  if (std::ranges::find(axes, section) != std::end(axes))
    refuse("ensemble", "axes", fmt::format("{} is the section, on which it does not change", run.spec.section->name),
           "Choose other columns");
  const std::vector<std::string> branches{"+", "-"};
  starts.branch = branches[choose("ensemble", "branch", starts.branch, branches)];
}

template <class Starts>
void resolve_plane(const ResolvedRun& run, Starts& starts) {
  if (!starts.axes.empty()) return resolve_columns(run, starts);
  for (const auto& [key, is_given] :
       {std::pair{solve_row.name, !starts.solve.empty()}, {base_row.name, !starts.base.empty()}})
    if (is_given) refuse("ensemble", key, "it goes with ensemble.axes", "Give both, or neither");
  const std::vector<std::string> branches = branch_names(*run.system->chart);
  starts.branch = branches[choose("ensemble", "branch", starts.branch, branches)];
}

void resolve_starts(const ResolvedRun& run, SectionStarts& starts) {
  resolve_plane(run, starts);
  if (!starts.window.empty() && starts.window.size() != 2)
    refuse("ensemble", "window", fmt::format("it has {} pairs", starts.window.size()), "Give 2");
  if (!starts.axes.empty() && starts.window.empty())
    refuse_missing("ensemble", "window", "[low, high] of both columns of ensemble.axes");
  if (starts.grid[0] > max_grid_cells / starts.grid[1]) {
    const Chart* const chart = starts.axes.empty() ? run.system->chart : nullptr;
    throw InputError(fmt::format(
        "cannot use ensemble.grid = [{}, {}] (it has more than 2^32 cells). Give the cells along {} and {}.",
        starts.grid[0], starts.grid[1], chart ? chart->axes[0].name : starts.axes[0],
        chart ? chart->axes[1].name : starts.axes[1]));
  }
}

void resolve_starts(const ResolvedRun& run, LineStarts& starts) {
  resolve_plane(run, starts);
  const std::vector<double>& ends = starts.ends.numbers;
  if (starts.ends.width != 2 || ends.size() != 4)
    refuse("ensemble", "ends", "they are not two points of the plane", "Give [[u, v], [u, v]]");
  if (starts.count > 1 && ends[0] == ends[2] && ends[1] == ends[3])
    refuse("ensemble", "ends", "both are the same point", "Give two points, or count = 1");
}

/// Sets run.given_as to the description in which states are given, with its parameters; leaves it empty without
/// ensemble.as. Throws InputError where there is no such description, or `mu` is missing or not used.
template <class Starts>
void resolve_description(ResolvedRun& run, const Starts& starts) {
  if (starts.as.empty()) {
    if (starts.mu) refuse("ensemble", mu_row.name, "it goes with ensemble.as", "Leave it out");
    return;
  }
  std::vector<const SystemEntry*> known = descriptions_of(*run.system);
  if (known.empty())
    refuse("ensemble", as_row.name, fmt::format("{} has no other description", run.system->name), "Leave it out");
  known.push_back(run.system);
  std::vector<std::string> names;
  for (const SystemEntry* system : known) names.emplace_back(system->name);
  const SystemEntry& system = *known[choose("ensemble", as_row.name, starts.as, names)];
  std::vector<double> parameters = run.parameters;
  if (system.parameters.size() > run.system->parameters.size()) {
    if (!starts.mu) refuse_missing("ensemble", mu_row.name, system.parameters.back().meaning);
    parameters.push_back(*starts.mu);
  } else if (starts.mu) {
    refuse("ensemble", mu_row.name, fmt::format("states of {} are given without", system.name), "Leave it out");
  }
  run.given_as = {&system, *Conversion::between(system, *run.system), std::move(parameters)};
}

void require_variables(const SystemEntry& system, Variables variables) {
  if (variables == Variables::velocity && !system.has_positions())
    refuse("ensemble", "variables", fmt::format("{} has no velocities", system.name), "Give momenta");
}

void resolve_starts(ResolvedRun& run, GivenStarts& starts) {
  resolve_description(run, starts);
  const SystemEntry& system = run.given_system();
  require_variables(system, starts.variables);
  const auto& [numbers, width] = starts.states;
  const auto fail = [&](const std::string& why) {
    refuse("ensemble", "states", why, fmt::format("Give a list of states, each a list of {} numbers", system.dim));
  };
  if (numbers.empty()) return;
  if (width != static_cast<std::size_t>(system.dim)) fail(fmt::format("state 0 has {} numbers", width));
  if (const std::size_t rest = numbers.size() % width; rest > 0)
    fail(fmt::format("state {} has {} numbers", numbers.size() / width, rest));
}

void resolve_starts(ResolvedRun& run, FileStarts& starts) {
  resolve_description(run, starts);
  require_variables(run.given_system(), starts.variables);
}

void resolve_distribution(const SystemEntry&, const Microcanonical&) {}
void resolve_distribution(const SystemEntry&, const Canonical&) {}
void resolve_distribution(const SystemEntry& system, const RandomAttitudes& attitudes) {
  require_dim("state", attitudes.state.size(), system.dim);
}
void resolve_distribution(const SystemEntry& system, Cloud& cloud) {
  require_dim("state", cloud.state.size(), system.dim);
  if (cloud.width.size() == 1) cloud.width.resize(system.dim, cloud.width.front());
  if (cloud.width.size() != static_cast<std::size_t>(system.dim))
    refuse("ensemble", "width", fmt::format("it has {} numbers", cloud.width.size()),
           fmt::format("Give 1, or {}", system.dim));
}

void resolve_starts(const ResolvedRun& run, RandomStarts& starts) {
  std::visit([&](auto& distribution) { resolve_distribution(*run.system, distribution); }, starts.distribution);
}

void resolve_starts(const ResolvedRun& run, const RelativeEquilibriumStarts& starts) {
  const SystemEntry& system = *run.system;
  if (system.kind != Kind::reduced)
    throw InputError(fmt::format(
        "cannot use ensemble.from = \"{}\" ({} is not reduced by an angle). Choose a system that is, or other starts.",
        ensemble_kinds[run.spec.ensemble.index()], system.name));
  if (!starts.near.empty() && static_cast<int>(starts.near.size()) != system.n_positions())
    refuse("ensemble", "near", fmt::format("it has {} numbers", starts.near.size()),
           fmt::format("Give {}, the positions", system.n_positions()));
}

}  // namespace

bool ResolvedRun::velocities() const {
  if (const auto* given = std::get_if<GivenStarts>(&spec.ensemble)) return given->variables == Variables::velocity;
  if (const auto* file = std::get_if<FileStarts>(&spec.ensemble)) return file->variables == Variables::velocity;
  return false;
}

bool ResolvedRun::starts_at_rest() const {
  return std::visit(
      [](const auto& starts) {
        if constexpr (requires { starts.at_rest; }) return starts.at_rest;
        return false;
      },
      spec.ensemble);
}

std::vector<std::string> ResolvedRun::start_axes() const {
  return std::visit(
      [](const auto& starts) -> std::vector<std::string> {
        if constexpr (requires { starts.axes; }) return starts.axes;
        return {};
      },
      spec.ensemble);
}

void require_plane(const ResolvedRun& run) {
  const SystemEntry& system = *run.system;
  std::visit(
      [&](const auto& starts) {
        if constexpr (requires { starts.axes; }) {
          const char* const from = ensemble_kinds[run.spec.ensemble.index()];
          if (!starts.axes.empty() && !system.has_positions())
            refuse("ensemble", "axes", fmt::format("two columns do not determine a state of {}", system.name),
                   system.chart ? "Leave them out" : "Give states or a file");
          if (starts.axes.empty() && !system.chart)
            throw InputError(fmt::format(
                "cannot use ensemble.from = \"{}\" ({} has no chart of a section). Give {}.", from, system.name,
                system.has_positions() ? "ensemble.axes, solve and base" : "\"states\" or \"file\""));
        }
      },
      run.spec.ensemble);
}

void resolve_ensemble(ResolvedRun& run) {
  std::visit([&](auto& starts) { resolve_starts(run, starts); }, run.spec.ensemble);
  if (run.starts_at_rest() && !run.system->bring_to_rest)
    refuse("ensemble", at_rest_name, fmt::format("{} is held, as only molecules are not", run.system->name),
           "Leave it out");
}

}  // namespace polhode

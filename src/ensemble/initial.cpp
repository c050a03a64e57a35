#include "ensemble/initial.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <bit>
#include <cmath>

#include "error.hpp"
#include "output/result_file.hpp"

namespace polhode {
namespace {

// Memory for a state and its output is hundreds of bytes a trajectory; more cells than this are a mistake.
constexpr std::int64_t max_cells = std::int64_t{1} << 32;

/// Refuses an ensemble that cannot fit before the machine runs out of memory.
void require_memory(std::int64_t n, const RunSpec& spec) {
  static const double physical =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  // A batch is held about five times: at the start, before and after a segment, and for a checkpoint.
  const double bytes =
      static_cast<double>(n) * 5 * 8 * (spec.system->dim + 2 * std::popcount(kept_invariants(spec)) + 2);
  if (bytes > physical)
    throw InputError(fmt::format(
        "the ensemble does not fit into memory ({} trajectories or more need {:.0f} GB of {:.0f}). Use fewer.", n,
        bytes / 1e9, physical / 1e9));
}

/// Centres of the cells of the box around the energy surface, in the plane of the section's chart.
InitialStates from_section(const RunSpec& spec) {
  const SystemEntry& system = *spec.system;
  const EnsembleSpec& ensemble = spec.ensemble;
  const double* p = spec.parameters.data();
  if (!system.chart)
    throw InputError(fmt::format("{} has no chart of a section. Give ensemble.from = \"states\".", system.name));
  if (!system.has_chart(p))
    throw InputError(fmt::format("these parameters of {} have no chart ({}). Give ensemble.from = \"states\".",
                                 system.name, system.chart->section));
  const auto [nu, nv] = ensemble.grid;
  if (nu < 1 || nv < 1 || nu > max_cells / nv)
    throw InputError(
        fmt::format("cannot use ensemble.grid = [{}, {}] (each must be positive, with at most 2^32 cells). Give "
                    "the cells along {} and {}.",
                    nu, nv, system.chart->coordinates[0], system.chart->coordinates[1]));

  InitialStates initial;
  double half[2] = {0, 0};
  if (ensemble.energy > 0) system.chart_box(p, ensemble.energy, half);
  std::vector<double> x(system.dim);
  for (std::int64_t i = 0; i < nu; ++i)
    for (std::int64_t j = 0; j < nv; ++j) {
      const double u = half[0] * (static_cast<double>(2 * i + 1) / static_cast<double>(nu) - 1);
      const double v = half[1] * (static_cast<double>(2 * j + 1) / static_cast<double>(nv) - 1);
      if (!system.chart_state(p, ensemble.energy, ensemble.momentum, ensemble.branch, u, v, x.data())) continue;
      initial.state.insert(initial.state.end(), x.begin(), x.end());
      require_memory(++initial.n, spec);
    }
  if (initial.n == 0)
    throw InputError(
        fmt::format("no start on the section (no point of the {} x {} grid has energy {} and momentum {}). Change "
                    "ensemble.energy, momentum or grid.",
                    nu, nv, ensemble.energy, ensemble.momentum));
  initial.remark = fmt::format("{} of {} grid points lie on the energy surface, {} outside", initial.n, nu * nv,
                               nu * nv - initial.n);
  return initial;
}

}  // namespace

InitialStates make_initial_states(const RunSpec& spec) {
  const int dim = spec.system->dim;
  InitialStates initial;
  switch (spec.ensemble.from) {
    case EnsembleSpec::From::section: initial = from_section(spec); break;
    case EnsembleSpec::From::states:
      initial.state = spec.ensemble.states;
      initial.n = static_cast<std::int64_t>(initial.state.size()) / dim;
      break;
    case EnsembleSpec::From::file: {
      States states = read_states(spec.ensemble.path, spec.ensemble.dataset, dim);
      initial.n = states.n;
      initial.state = std::move(states.values);
      break;
    }
  }
  if (initial.n == 0) throw InputError("the ensemble is empty (it has no states). Give at least one.");
  for (std::int64_t k = 0; k < initial.n; ++k) {
    const double* x = initial.state.data() + k * dim;
    for (std::size_t i = 0; i < spec.system->observables.size(); ++i)
      if (!std::isfinite(spec.system->observe(spec.parameters.data(), static_cast<int>(i), x)))
        throw InputError(fmt::format("state {} of the ensemble cannot be used ({} is not finite). Correct it.", k,
                                     spec.system->observables[i].name));
    if (const char* problem = spec.system->problem_with_state(spec.parameters.data(), x))
      throw InputError(fmt::format("state {} of the ensemble cannot be used ({}). Correct it.", k, problem));
  }
  return initial;
}

Batch make_batch(const RunSpec& spec, const InitialStates& initial) {
  const int dim = spec.system->dim;
  Batch batch(initial.n, dim, std::popcount(kept_invariants(spec)));
  for (std::int64_t k = 0; k < initial.n; ++k)
    for (int i = 0; i < dim; ++i) batch.state[i * initial.n + k] = initial.state[k * dim + i];
  return batch;
}

}  // namespace polhode

#include "ensemble/initial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <mutex>
#include <tuple>

#include "ensemble/in_blocks.hpp"
#include "ensemble/memory.hpp"
#include "ensemble/random_states.hpp"
#include "ensemble/section_starts.hpp"
#include "error.hpp"
#include "spec/schema.hpp"

namespace polhode {
namespace {

/// How far starts were moved to the constraints.
class Moves {
 public:
  void add(std::int64_t trajectory, const Preparation& prepared) {
    position_.add(trajectory, prepared.moved_position);
    momentum_.add(trajectory, prepared.moved_momentum);
    if (prepared.is_tangent) ++tangent_;
  }
  /// Of other trajectories.
  void add(const Moves& others) {
    position_.add(others.position_.trajectory, others.position_.moved);
    momentum_.add(others.momentum_.trajectory, others.momentum_.moved);
    tangent_ += others.tangent_;
  }
  void describe(bool velocities, std::vector<std::string>& remarks) const {
    std::string text;
    const auto append = [&](const char* what, const Most& most) {
      if (!(most.moved > noticeable)) return;
      text += fmt::format("{}{} by up to {:.2g} (trajectory {})",
                          text.empty() ? "starts were moved to the constraints: " : ", ", what, most.moved,
                          most.trajectory);
    };
    append("positions", position_);
    append(velocities ? "velocities" : "momenta", momentum_);
    if (!text.empty()) remarks.push_back(text + " of their length");
    if (tangent_ > 0)
      remarks.push_back(fmt::format(
          "the momenta of {} start{} are tangent to the constraints as vectors (G p = 0), as velocities are, "
          "but not on the hidden constraint (G H_p = 0): were they meant as velocities (variables = \"velocity\"), or "
          "as momenta of single rods?",
          tangent_, tangent_ == 1 ? "" : "s"));
  }

 private:
  static constexpr double noticeable = 1e-9;  ///< digits that a file would show
  struct Most {
    double moved = 0;
    std::int64_t trajectory = 0;
    void add(std::int64_t k, double by) {
      if (by > moved || (by == moved && k < trajectory)) *this = {by, k};
    }
  };
  Most position_, momentum_;
  std::int64_t tangent_ = 0;
};

InitialStates of_states(std::vector<double> states, int dim) {
  const auto n = static_cast<std::int64_t>(states.size()) / dim;
  return {.n = n, .state = std::move(states), .remarks = {}};
}

InitialStates starts_of(const ResolvedRun& run, const SectionStarts& starts, const ReadStates&,
                        const StartsProgress& progress) {
  return make_section_starts(run, starts, progress);
}
InitialStates starts_of(const ResolvedRun& run, const LineStarts& starts, const ReadStates&,
                        const StartsProgress& progress) {
  return make_section_starts(run, starts, progress);
}
InitialStates starts_of(const ResolvedRun& run, const GivenStarts& starts, const ReadStates&, const StartsProgress&) {
  return of_states(starts.states.numbers, run.system->dim);
}
InitialStates starts_of(const ResolvedRun& run, const FileStarts& starts, const ReadStates& read,
                        const StartsProgress&) {
  return of_states(read(starts.path, starts.dataset, run.system->dim), run.system->dim);
}
InitialStates starts_of(const ResolvedRun& run, const RandomStarts& starts, const ReadStates&,
                        const StartsProgress& progress) {
  require_memory(starts.count, run, false);
  return of_states(draw_states(run, starts, progress), run.system->dim);
}

/// Makes an initial state of one that is given, in place. Throws where it cannot be used.
Preparation prepare_start(const ResolvedRun& run, std::int64_t k, double* x) {
  const SystemEntry& system = *run.system;
  const auto refuse_infinite = [&](int i) {
    throw InputError(fmt::format("state {} of the ensemble cannot be used ({} is not finite). Correct it.", k,
                                 system.observables[i].name));
  };
  for (int i = 0; i < system.dim; ++i)
    if (!std::isfinite(x[i])) refuse_infinite(i);
  const auto prepare = run.velocities() ? system.prepare_velocities : system.prepare;
  const Preparation prepared = prepare(run.parameters.data(), run.method->coefficients.momentum, x);
  if (prepared.problem)
    throw InputError(
        fmt::format("state {} of the ensemble cannot be used ({}{}). Correct it.", k, prepared.problem,
                    prepared.moved_position > 0 ? fmt::format(": by {:.2g} of it", prepared.moved_position) : ""));
  for (int i = system.dim; i < static_cast<int>(system.observables.size()); ++i)
    if (!std::isfinite(system.observe(run.parameters.data(), i, x))) refuse_infinite(i);
  return prepared;
}

/// Bit i: invariant i of the system is recorded, because it is one on the orbit of every state.
std::uint32_t kept_invariants(const ResolvedRun& run, const std::vector<double>& states) {
  if (!run.spec.record.invariants) return 0;
  const auto dim = static_cast<std::int64_t>(run.system->dim);
  const auto count = static_cast<int>(run.system->invariants.size());
  std::atomic<std::uint32_t> kept{count == 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << count) - 1};
  in_blocks(static_cast<std::int64_t>(states.size()) / dim, run.spec.integration.threads, {},
            [&](std::int64_t first, std::int64_t last) {
              std::uint32_t here = kept;
              for (std::int64_t k = first; k < last && here; ++k)
                for (int i = 0; i < count; ++i)
                  if (here >> i & 1u && !run.system->conserves(run.parameters.data(), states.data() + k * dim, i))
                    here &= ~(std::uint32_t{1} << i);
              kept &= here;
            });
  return kept;
}

/// What a run with a section takes from its points.
PointSelection selection_of(const ResolvedRun& run) {
  static_assert(max_density_cells < std::numeric_limits<std::uint32_t>::max(), "points hold the number of their cell");
  PointSelection selection{.where = run.where, .axes = {}, .points = run.spec.section->points};
  if (const auto& density = run.spec.density)
    for (int i = 0; i < 2; ++i)
      selection.axes[i] = {run.axes[i], density->bins[i], density->range[i][0], density->range[i][1]};
  return selection;
}

StatisticsPlan statistics_of(const ResolvedRun& run) {
  const StatisticsSpec& spec = *run.spec.statistics;
  StatisticsPlan plan{
      .every = spec.every, .bins = spec.bins, .count = static_cast<int>(run.observables.size()), .axes = {}};
  for (int i = 0; i < plan.count; ++i) {
    plan.axes[i].observable = run.observables[i];
    if (spec.bins > 0) std::tie(plan.axes[i].low, plan.axes[i].high) = std::tie(spec.range[i][0], spec.range[i][1]);
  }
  return plan;
}

}  // namespace

InitialStates make_initial_states(const ResolvedRun& run, const ReadStates& read, const StartsProgress& progress) {
  InitialStates initial =
      std::visit([&](const auto& starts) { return starts_of(run, starts, read, progress); }, run.spec.ensemble);
  if (initial.n == 0) throw InputError("the ensemble is empty (it has no states). Give at least one.");
  Moves moves;
  std::mutex mutex;
  in_blocks(initial.n, run.spec.integration.threads, {}, [&](std::int64_t first, std::int64_t last) {
    Moves here;
    for (std::int64_t k = first; k < last; ++k)
      here.add(k, prepare_start(run, k, initial.state.data() + k * run.system->dim));
    const std::lock_guard lock(mutex);
    moves.add(here);
  });
  if (initial.remarks.empty()) moves.describe(run.velocities(), initial.remarks);  // else they are computed, not given
  if (const char* doubt = run.system->doubt_about_parameters(run.parameters.data())) initial.remarks.push_back(doubt);
  return initial;
}

Plan make_plan(const ResolvedRun& run, const std::vector<double>& states) {
  const RunSpec& spec = run.spec;
  Plan plan{};
  std::copy(run.parameters.begin(), run.parameters.end(), plan.parameters);
  plan.method = run.method->with_sweeps(run.step, run.variant, run.parameters.data(), spec.method.step,
                                        spec.integration.precision);
  plan.step = spec.method.step;
  plan.section = {.observable = -1, .value = 0, .up = false, .down = false};
  if (const auto& section = spec.section) {
    plan.section = {run.section,
                    section->value,
                    section->direction != Direction::down,
                    section->direction != Direction::up,
                    section->terminal,
                    run.properties.long_steps};
    plan.selection = selection_of(run);
  }
  plan.last_step = spec.integration.steps;
  plan.invariants = kept_invariants(run, states);
  plan.invariants_every = spec.record.invariants_every;
  plan.snapshots_every = spec.record.snapshots;
  if (spec.statistics) plan.statistics = statistics_of(run);
  return plan;
}

Batch make_batch(int dim, const Plan& plan, std::span<const double> states) {
  const auto n = static_cast<std::int64_t>(states.size()) / dim;
  Batch batch(shape_of(plan, n, dim));
  for (std::int64_t k = 0; k < n; ++k)
    for (int i = 0; i < dim; ++i) batch.state[i * n + k] = states[k * dim + i];
  return batch;
}

}  // namespace polhode

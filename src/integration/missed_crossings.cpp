#include "integration/missed_crossings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "backend/segments.hpp"
#include "integration/plan.hpp"

namespace polhode {
namespace {

/// Number of trajectories of a sample, which are evenly spaced in the ensemble, and of steps that each of them takes.
struct SampleSize {
  std::int64_t trajectories, steps;
};

/// Size of the sample: at most 1024 trajectories, of at most 1000 steps each. Together they take at most one in 5000 of
/// the run's steps, since a step whose state is kept costs up to fifty times as much as others, and at most 2^17; but
/// 1000 steps, which cost nothing, are always allowed.
SampleSize size_of_sample(std::int64_t n, std::int64_t steps) {
  const double all = static_cast<double>(n) * static_cast<double>(steps);
  const auto budget = static_cast<std::int64_t>(std::clamp(all / 5000, 1000.0, 0x1p17));
  const std::int64_t few = std::min<std::int64_t>(n, 8);  // trajectories that the budget allows at least
  const std::int64_t length = std::min({steps, std::int64_t{1000}, budget / few});
  return {std::min({n, std::int64_t{1024}, budget / length}), length};
}

/// Largest change of an angle in a step, in radians: where it changes by more, it is taken to jump.
constexpr double most_change_of_angle = std::numbers::pi / 2;

/// Values f[j] of the section's observable, less the section's value, after successive steps j; their slopes and jumps.
class Stencil {
 public:
  Stencil(const SectionPlan& section, std::span<const double> f) : section_(section), f_(f) {}

  /// Value of f after step j + i; for an angle without bound, less the whole turns that it has made at step j.
  double value(std::int64_t j, std::int64_t i) const {
    const double f = f_[static_cast<std::size_t>(j + i)];
    return section_.modulo_turns ? f - turns(f_[static_cast<std::size_t>(j)]) : f;
  }
  /// Slope of f, per step, after step j + at, from differences of as many neighbours as there are, four at most; 0
  /// where f has fewer than three values.
  double slope(std::int64_t j, std::int64_t at) const {
    const std::int64_t last = std::ssize(f_) - 1, k = j + at;
    const auto f = [&](std::int64_t i) { return value(j, at + i); };
    if (k >= 2 && k + 2 <= last) return (8 * (f(1) - f(-1)) - (f(2) - f(-2))) / 12;
    if (k >= 1 && k + 1 <= last) return (f(1) - f(-1)) / 2;
    if (k + 2 <= last) return (4 * f(1) - 3 * f(0) - f(2)) / 2;
    return k >= 2 ? (3 * f(0) - 4 * f(-1) + f(-2)) / 2 : 0;
  }
  /// Whether the observable is an angle that jumps between f[j] and f[j + 1].
  bool jumps(std::int64_t j) const {
    return section_.jumps &&
           std::abs(f_[static_cast<std::size_t>(j + 1)] - f_[static_cast<std::size_t>(j)]) > most_change_of_angle;
  }
  /// Whether no jump lies between the values that the slopes after steps j and j + 1 are computed from.
  bool is_continuous(std::int64_t j) const {
    for (std::int64_t k = std::max<std::int64_t>(0, j - 2); k < std::min<std::int64_t>(std::ssize(f_) - 1, j + 3); ++k)
      if (jumps(k)) return false;
    return true;
  }

 private:
  static double turns(double f) { return f - std::remainder(f, 2 * std::numbers::pi); }

  const SectionPlan& section_;
  std::span<const double> f_;
};

/// Whether a cubic that begins a step at f0 and ends it at f1, both on the same side of zero, with the given slopes per
/// step, is on the other side of zero in between.
bool turns_beyond(double f0, double slope0, double f1, double slope1) {
  const double side = f0 < 0 ? 1 : -1;
  const double a = side * f0, r0 = side * slope0, b = side * f1, r1 = side * slope1;
  if (r0 <= 0 || r1 >= 0) return false;
  const double c = 3 * (b - a) - 2 * r0 - r1, d = r0 + r1 - 2 * (b - a);
  const double top = r0 / (std::sqrt(c * c - 3 * d * r0) - c);
  return a + top * (r0 + top * (c + top * d)) > 0;
}

}  // namespace

std::int64_t count_missed(const SectionPlan& section, std::span<const double> f) {
  const Stencil stencil(section, f);
  const auto crosses = [&](double f0, double f1) {
    return (section.up && f0 < 0 && f1 >= 0) || (section.down && f0 > 0 && f1 <= 0);
  };
  std::int64_t missed = 0;
  for (std::int64_t j = 0; j + 1 < std::ssize(f); ++j) {
    const double f0 = stencil.value(j, 0), f1 = stencil.value(j, 1);
    if (section.terminal && (missed > 0 || crosses(f0, f1))) break;
    if (!(f0 * f1 > 0)) continue;
    if (stencil.jumps(j)) {
      const double change = std::remainder(f1 - f0, 2 * std::numbers::pi);  // without the jump
      if (std::abs(change) < most_change_of_angle) missed += crosses(f0, f0 + change) || crosses(f1 - change, f1);
    } else if (!section.long_steps && stencil.is_continuous(j) &&
               turns_beyond(f0, stencil.slope(j, 0), f1, stencil.slope(j, 1))) {
      missed += section.terminal ? 1 : (section.up ? 1 : 0) + (section.down ? 1 : 0);
    }
  }
  return missed;
}

double estimate_missed(const PreparedRun& prepared, std::int64_t first, std::int64_t count) {
  RunPlan plan = prepared.plan;
  if (plan.section.observable < 0 || (plan.section.long_steps && !plan.section.jumps) || count == 0) return 0;
  const std::int64_t n = prepared.n();
  const SampleSize size = size_of_sample(n, plan.last_step);
  const int dim = prepared.run.system->dim;
  std::vector<double> starts;
  for (std::int64_t k = 0; k < size.trajectories; ++k) {
    const std::int64_t trajectory = k * n / size.trajectories;
    if (trajectory < first || trajectory >= first + count) continue;
    starts.resize(starts.size() + static_cast<std::size_t>(dim));
    prepared.initial.starts.copy_rows(trajectory, 1, 1, starts.data() + starts.size() - dim);
  }
  if (starts.empty()) return 0;

  const SectionPlan section = std::exchange(plan.section, {.observable = -1, .value = 0, .up = false, .down = false});
  plan.selection = {};
  plan.statistics = {};
  plan.statistics_every = 0;
  plan.invariants = 0;
  plan.last_step = size.steps;
  plan.snapshots_every = 1;
  ResolvedRun run = prepared.run;
  if (run.spec.execution.backend != BackendChoice::reference) {
    run.spec.execution.isa = processor_of(run);
    run.spec.execution.backend = BackendChoice::cpu;
  }
  run.spec.execution.threads = 1;
  const std::unique_ptr<Backend> backend = make_backend(run, plan).backend;
  const Batch batch = make_batch(plan, Starts(dim, std::move(starts)));
  backend->load(batch);

  // f[k][step], as far as trajectory k comes.
  std::vector<std::vector<double>> f(static_cast<std::size_t>(batch.n));
  std::vector<double> x(static_cast<std::size_t>(dim));
  const auto observe = [&](const double* columns) {
    for (std::int64_t k = 0; k < batch.n; ++k) {
      for (int i = 0; i < dim; ++i) x[static_cast<std::size_t>(i)] = columns[i * batch.n + k];
      f[static_cast<std::size_t>(k)].push_back(
          run.system->observe(run.parameters.data(), section.observable, x.data()) - section.value);
    }
  };
  observe(batch.state.data());
  for (std::int64_t step = 0; step < size.steps;) {
    const CompletedSegment taken =
        advance_as_far_as_fits(*backend, {step, std::min<std::int64_t>(size.steps - step, 64)});
    for (std::int64_t t = 0; t < taken.segment.count; ++t)
      observe(taken.result->snapshots.data() + t * snapshot_size(batch));
    step += taken.segment.count;
  }
  Batch end;
  backend->store(end);
  std::int64_t missed = 0;
  for (std::int64_t k = 0; k < batch.n; ++k) {
    auto& values = f[static_cast<std::size_t>(k)];
    values.resize(static_cast<std::size_t>(end.steps[static_cast<std::size_t>(k)] + 1));
    missed += count_missed(section, values);
  }
  // A trajectory of the sample stands for others, and its steps for all of them; an end comes but once.
  const double steps =
      section.terminal ? 1 : static_cast<double>(prepared.plan.last_step) / static_cast<double>(size.steps);
  return static_cast<double>(missed) * steps * static_cast<double>(n) / static_cast<double>(size.trajectories);
}

}  // namespace polhode

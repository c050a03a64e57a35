#include "accuracy/orbits.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <utility>

#include "integration/backends.hpp"
#include "integration/plan.hpp"
#include "polhode/method/status.hpp"

namespace polhode {
namespace {

/// Bit of the energy in `recorded`, the bits of the recorded invariants; 0 where the energy is not recorded.
std::uint32_t energy_bit(const SystemEntry& system, std::uint32_t recorded) {
  for (std::size_t i = 0; i < system.invariants.size(); ++i)
    if (system.invariants[i].name == std::string("energy")) return recorded & (std::uint32_t{1} << i);
  return 0;
}

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Lift of momenta to the hidden constraint, so that states of different methods can be compared; does nothing where
/// the method or the system has momenta on it already.
class ToHiddenConstraint {
 public:
  explicit ToHiddenConstraint(const ResolvedRun& run)
      : run_(run), needed_(run.system->project_momentum && run.method->momentum != Momentum::hidden_constraint) {}

  void operator()(double* x) const {
    if (needed_) run_.system->project_momentum(run_.parameters.data(), x);
  }
  void operator()(Batch& batch) const {
    if (!needed_) return;
    std::vector<double> x(batch.dim);
    for (std::int64_t k = 0; k < batch.n; ++k) {
      for (int i = 0; i < batch.dim; ++i) x[i] = batch.state[i * batch.n + k];
      (*this)(x.data());
      for (int i = 0; i < batch.dim; ++i) batch.state[i * batch.n + k] = x[i];
    }
  }

 private:
  const ResolvedRun& run_;
  bool needed_;
};

}  // namespace

bool Solution::reached_end(std::int64_t k) const { return end().code[k] == static_cast<std::uint8_t>(Status::ok); }

Orbits::Orbits(const ResolvedRun& run, std::vector<double> starts, std::int64_t steps)
    : run_(run),
      starts_(std::move(starts)),
      steps_(std::min({steps, run.spec.execution.steps, std::int64_t{1} << 40})) {
  const ToHiddenConstraint lift(run_);
  for (std::int64_t k = 0; k < count(); ++k) lift(starts_.data() + k * run_.system->dim);
}

ResolvedRun Orbits::by(MethodSpec method, std::int64_t steps) const {
  RunSpec spec = run_.spec;
  spec.method = std::move(method);
  spec.execution.backend = BackendChoice::cpu;
  spec.execution.threads = 1;
  spec.execution.steps = steps;
  if (spec.section) {
    spec.section->where.clear();
    spec.section->points = true;
    spec.section->terminal = false;
  }
  spec.density.reset();
  spec.statistics.reset();
  spec.record = {.snapshots = 0, .invariants = true, .invariants_every = std::max<std::int64_t>(1, steps / 64)};
  return resolve(std::move(spec));
}

Solution Orbits::solve(const ResolvedRun& run, const std::vector<std::int64_t>& at, double least_seconds,
                       const SolutionProgress& progress) const {
  std::vector<double> starts = starts_;
  const int dim = run.system->dim;
  for (std::int64_t k = 0; k < count(); ++k)
    run.system->prepare(run.parameters.data(), run.method->momentum, starts.data() + k * dim);
  RunPlan plan = make_plan(run, invariants_of(run, starts));
  plan.invariants = energy_bit(*run.system, plan.invariants);
  const Batch batch = make_batch(plan, Starts(dim, std::move(starts)));
  const auto backend = make_backend(run, plan).backend;
  Solution solution{.recording = {}, .step = plan.step, .steps = at.back(), .energy = {}, .isa = {}};
  const Reached reached = [&](std::int64_t step) { progress(plan.step, step, at.back()); };
  const double begin = processor_seconds();
  int repeats = 0;
  do {
    solution.recording = record(*backend, batch, at, progress ? reached : Reached());
    ++repeats;
  } while (processor_seconds() - begin < least_seconds);
  solution.seconds = (processor_seconds() - begin) / repeats;
  solution.isa = backend->isa();
  solution.stages = solution.steps * plan.step_plan.n_stages;
  for (std::int64_t k = 0; k < batch.n; ++k) solution.failed += !solution.reached_end(k);
  if (plan.invariants) solution.energy = solution.end().max_drift;
  const ToHiddenConstraint lift(run);
  for (Batch& states : solution.recording.states) lift(states);
  for (std::int64_t k = 0; k < solution.recording.section.size(); ++k)
    lift(solution.recording.section.state.data() + k * dim);
  return solution;
}

}  // namespace polhode

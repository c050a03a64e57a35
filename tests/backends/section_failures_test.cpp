// Trajectories that fail: what is kept of them, what they leave to a section, and that their neighbours go on.
#include "backends/figure_run.hpp"

namespace polhode::test {
namespace {

TEST(Failures, AFailedTrajectoryKeepsItsLastStateAndItsNeighboursGoOn) {
  constexpr std::int64_t steps = 500;
  Batch batch = random_tops(40, 3);
  batch.state[0 * 40 + 17] = 5000.0;
  const Outcome outcome = run_figure(figure_plan(steps), batch, steps);
  for (std::int64_t k = 0; k < 40; ++k) {
    const bool failed = k == 17;
    EXPECT_EQ(outcome.batch.code[k], failed ? 1 : 0) << k;
    EXPECT_EQ(outcome.batch.steps[k], failed ? 0 : steps) << k;
    for (int i = 0; i < 6; ++i) {
      EXPECT_TRUE(std::isfinite(outcome.batch.state[i * 40 + k])) << k;
      if (failed) {
        EXPECT_EQ(outcome.batch.state[i * 40 + k], batch.state[i * 40 + k]);
      }
    }
  }
}

TEST(Failures, AStepThatFailsIsNoCrossing) {
  // Every third top stands next to the section and turns by 2 to 20 radians a step, for which there is no solution. The
  // iteration runs away here; the next test has steps that fail with finite numbers.
  constexpr std::int64_t n = 300, steps = 300;
  const Batch slow = random_tops(n, 3);
  Batch batch = slow;
  const auto fails = [](std::int64_t k) { return k % 3 == 0; };
  for (std::int64_t k = 0; k < n; k += 3) {
    double* const x = batch.state.data() + k;
    const double speed = (60 + 2 * k) / std::hypot(x[0], x[n], x[2 * n]), norm = std::hypot(x[3 * n], x[4 * n]);
    for (int i = 0; i < 3; ++i) x[i * n] *= speed;
    for (int i = 3; i < 5; ++i) x[i * n] /= norm;
    x[5 * n] = k % 2 == 0 ? 1e-9 : -1e-9;
  }
  RunPlan plan = figure_plan(steps);
  plan.section.down = true;
  const Outcome outcome = run_figure(plan, batch, steps), neighbours = run_figure(plan, slow, steps);
  for (std::int64_t k = 0; k < n; ++k) {
    EXPECT_EQ(outcome.batch.code[k], fails(k) ? 1 : 0) << k;
    EXPECT_EQ(outcome.batch.steps[k], fails(k) ? 0 : steps) << k;
  }
  for (const std::int64_t k : outcome.section.trajectory) EXPECT_FALSE(fails(k)) << k;
  // The others cross as they do among slow tops.
  const auto of_others = [&](const Outcome& from) {
    std::vector<double> states;
    for (std::int64_t j = 0; j < from.section.size(); ++j)
      if (!fails(from.section.trajectory[j]))
        states.insert(states.end(), from.section.state.begin() + 6 * j, from.section.state.begin() + 6 * j + 6);
    return states;
  };
  EXPECT_GT(outcome.section.size(), n);
  EXPECT_TRUE(same_bits(of_others(outcome), of_others(neighbours)));
}

TEST(Failures, CrossingsEndWhereTheTrajectoryDoes) {
  // Steps of 0.9 are too long for many of the tops sooner or later.
  constexpr std::int64_t steps = 200;
  RunPlan plan = body_plan(figure_top, 0.9, steps);
  plan.section.down = true;
  plan.snapshots_every = 1;
  const Batch batch = random_tops(500, 21);
  Outcome outcome = run_figure(plan, batch, steps);
  std::int64_t count = 0, ended = 0;
  for (std::int64_t k = 0; k < batch.n; ++k) {
    const std::int64_t last = outcome.batch.steps[k];
    EXPECT_EQ(outcome.batch.code[k], last < steps ? 1 : 0);
    ended += last > 0 && last < steps;
    double before = batch.state[5 * batch.n + k];
    for (std::int64_t n = 1; n <= last; ++n) {
      const double after = snapshot(outcome, n, k)[5];
      count += (before < 0 && after >= 0) || (before > 0 && after <= 0);
      before = after;
    }
  }
  EXPECT_GT(ended, 50);
  EXPECT_EQ(outcome.section.size(), count);
  std::int64_t soon = 0;
  for (std::int64_t j = 0; j < outcome.section.size(); ++j) {
    const std::int64_t last = outcome.batch.steps[outcome.section.trajectory[j]];
    EXPECT_LT(outcome.section.step[j], last);
    soon += last < steps && outcome.section.step[j] / 8 == last / 8;
  }

  // The same in runs of 8 steps, in some of which a trajectory crosses and fails.
  EXPECT_GT(soon, 10);
  plan.snapshots_every = 0;
  outcome.snapshots.clear();
  expect_same_bits(outcome, run_figure(plan, batch, steps), "in runs");
}

TEST(Failures, AStepFarTooLargeEndsInStatuses) {
  RunPlan plan = figure_plan(200);
  plan.step = 50;
  plan.step_plan = heavy_top_rattle().with_sweeps(plan.step_plan, 0, plan.parameters, plan.step, Precision::binary64);
  const Outcome outcome = run_figure(plan, random_tops(64, 5), 200);
  EXPECT_GT(std::count(outcome.batch.code.begin(), outcome.batch.code.end(), 1), 32);
  for (const double x : outcome.batch.state) EXPECT_TRUE(std::isfinite(x));
  for (const double x : outcome.batch.max_drift) EXPECT_TRUE(std::isfinite(x));
}

}  // namespace
}  // namespace polhode::test

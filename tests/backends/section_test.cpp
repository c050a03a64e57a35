// Poincare sections: what is counted, where the points lie, and the named orbit of MS Figure 1.
#include "backends/support.hpp"
#include "polhode/method/rattle.hpp"

namespace polhode::test {
namespace {

using Method = Rattle<HeavyTop, CayleySolver>;

Outcome run_figure(const Plan& plan, const Batch& batch, std::int64_t steps) {
  return run_all(*make_cpu(plan, best_isa(), 2), batch, steps, steps);
}

/// State of trajectory k after step n >= 1 from snapshots at every step.
Vec<double, 6> snapshot(const Outcome& outcome, std::int64_t n, std::int64_t k) {
  Vec<double, 6> x;
  for (int i = 0; i < 6; ++i) x[i] = outcome.snapshots[((n - 1) * 6 + i) * outcome.batch.n + k];
  return x;
}

TEST(Section, NamedOrbitCrosses589Times) {
  // theory.md sect. 2: m13 = 0.5, m12 = 0.64, 60000 steps.
  Batch batch(1, 6, 3);
  const Plan plan = figure_plan(60000);
  double x[6];
  ASSERT_TRUE(heavy_top().chart_state(plan.parameters, 1.0, 0.0, 0, 0.5, 0.64, x));
  std::copy_n(x, 6, batch.state.begin());
  const Outcome outcome = run_figure(plan, batch, 60000);
  EXPECT_EQ(outcome.section.size(), 589);
  for (std::int64_t k = 0; k < outcome.section.size(); ++k) {
    const double* point = outcome.section.state.data() + 6 * k;
    EXPECT_GT(point[1], 0.500 - 5e-4);  // m13, to the digits given
    EXPECT_LT(point[1], 0.665 + 5e-4);
    EXPECT_GT(-point[2], 0.615 - 5e-4);  // m12
    EXPECT_LT(-point[2], 0.663 + 5e-4);
    EXPECT_GT(point[0], 0);
  }
}

TEST(Section, PointsLieOnTheSectionAndAreReachedByTheMap) {
  constexpr std::int64_t steps = 2000;
  Plan plan = figure_plan(steps);
  plan.snapshots_every = 1;
  const Batch batch = figure_grid(12);
  const Outcome outcome = run_figure(plan, batch, steps);
  ASSERT_GT(outcome.section.size(), 1000);
  const HeavyTop::Model<double> model(plan.parameters);
  for (std::int64_t k = 0; k < outcome.section.size(); ++k) {
    const double* point = outcome.section.state.data() + 6 * k;
    EXPECT_NEAR(point[5], 0.0, 1e-13);
    const std::int64_t trajectory = outcome.section.trajectory[k], step = outcome.section.step[k];
    const double theta = outcome.section.theta[k];
    EXPECT_GT(theta, 0);
    EXPECT_LE(theta, 1);
    Vec<double, 6> x;
    for (int i = 0; i < 6; ++i) x[i] = batch.state[i * batch.n + trajectory];
    if (step > 0) x = snapshot(outcome, step, trajectory);
    EXPECT_LT(x[5], 0);
    ASSERT_TRUE((Method::Step<double>(model, theta * plan.step, plan.sweeps)(x, true)));
    for (int i = 0; i < 6; ++i) EXPECT_EQ(x[i], point[i]);  // the very bits
  }
}

TEST(Section, CountEqualsThatFromSnapshots) {
  constexpr std::int64_t steps = 1500;
  const Batch batch = figure_grid(10);
  for (const auto& [up, down] : {std::pair{true, false}, {false, true}, {true, true}}) {
    Plan plan = figure_plan(steps);
    plan.snapshots_every = 1;
    plan.section.up = up;
    plan.section.down = down;
    const Outcome outcome = run_figure(plan, batch, steps);
    std::int64_t k = 0;
    for (std::int64_t trajectory = 0; trajectory < batch.n; ++trajectory) {
      double before = batch.state[5 * batch.n + trajectory];
      EXPECT_EQ(before, 0);  // a start on the section is not a crossing
      for (std::int64_t n = 1; n <= steps; ++n) {
        const double after = snapshot(outcome, n, trajectory)[5];
        if ((up && before < 0 && after >= 0) || (down && before > 0 && after <= 0)) {
          ASSERT_LT(k, outcome.section.size());
          EXPECT_EQ(outcome.section.trajectory[k], trajectory);
          EXPECT_EQ(outcome.section.step[k], n - 1);
          ++k;
        }
        before = after;
      }
    }
    EXPECT_EQ(k, outcome.section.size());
    EXPECT_GT(k, batch.n);
  }
}

TEST(Section, TakesAnyObservableAndValue) {
  constexpr std::int64_t steps = 1000;
  for (const char* name : {"pi2", "gamma1", "height", "energy"}) {
    Plan plan = figure_plan(steps);
    plan.section.observable = heavy_top().find_observable(name);
    plan.section.value = std::string_view(name) == "energy" ? 0.9999 : 0.25;
    const Outcome outcome = run_figure(plan, figure_grid(8), steps);
    EXPECT_GT(outcome.section.size(), 10) << name;
    for (std::int64_t k = 0; k < outcome.section.size(); ++k)
      EXPECT_NEAR(heavy_top().observe(plan.parameters, plan.section.observable, outcome.section.state.data() + 6 * k),
                  plan.section.value, 1e-13)
          << name;
  }
}

TEST(Section, OverflowHalvesTheSegmentAndLosesNothing) {
  const Plan plan = figure_plan(3000);
  const Batch batch = figure_grid(6);
  const Outcome whole = run_figure(plan, batch, 3000);
  const auto small = make_cpu_backend(plan, heavy_top_rattle().cpu[static_cast<int>(best_isa())]->kernels[0][0],
                                      best_isa(), {.threads = 1, .capacity = 1});
  expect_same_bits(run_all(*small, batch, 3000, 3000), whole, "small capacity");
}

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

TEST(Failures, AStepFarTooLargeEndsInStatuses) {
  Plan plan = figure_plan(200);
  plan.step = 50;
  plan.sweeps = heavy_top_rattle().variants[0].nominal_sweeps(plan.parameters, plan.step, Precision::binary64);
  const Outcome outcome = run_figure(plan, random_tops(64, 5), 200);
  EXPECT_GT(std::count(outcome.batch.code.begin(), outcome.batch.code.end(), 1), 32);
  for (const double x : outcome.batch.state) EXPECT_TRUE(std::isfinite(x));
  for (const double x : outcome.batch.max_drift) EXPECT_TRUE(std::isfinite(x));
}

}  // namespace
}  // namespace polhode::test

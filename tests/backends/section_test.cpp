// Poincare sections: what is counted, where the points lie, and the named orbit of MS Figure 1.
#include "backends/figure_run.hpp"
#include "polhode/method/bound_method.hpp"
#include "polhode/method/kicked_rotation.hpp"
#include "polhode/method/rattle.hpp"
#include "polhode/system/heavy_top.hpp"

namespace polhode::test {
namespace {

using Method = BoundMethod<RattleMethod, KickedRotation<HeavyTop, CayleySolver>>;

TEST(Section, NamedOrbitCrosses589Times) {
  // theory.md sect. 2: m13 = 0.5, m12 = 0.64, 60000 steps.
  const RunPlan plan = figure_plan(60000);
  const Batch batch = to_batch({figure_start(0.5, 0.64)});
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
  RunPlan plan = figure_plan(steps);
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
    ASSERT_TRUE((Method::Step<double>(model, theta * plan.step, plan.step_plan.stages[0].sweeps)(x, x, true)));
    for (int i = 0; i < 6; ++i) EXPECT_EQ(x[i], point[i]);  // the very bits
  }
}

TEST(Section, CountEqualsThatFromSnapshots) {
  constexpr std::int64_t steps = 1500;
  const Batch batch = figure_grid(10);
  for (const auto& [up, down] : {std::pair{true, false}, {false, true}, {true, true}}) {
    RunPlan plan = figure_plan(steps);
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

TEST(Section, IsTheSameWhateverElseIsLookedAt) {
  // A pack takes a run of several steps before it is looked at, which snapshots and invariants cut short; with a
  // snapshot of every step, as in the tests above, a run is one step.
  constexpr std::int64_t steps = 500;
  const Batch batch = figure_grid(10);
  RunPlan plan = figure_plan(steps);
  plan.section.down = true;
  for (const std::int64_t invariants_every : {1, 5, 16}) {
    plan.invariants_every = invariants_every;
    plan.snapshots_every = 1;
    Outcome each_step = run_figure(plan, batch, steps);
    each_step.snapshots.clear();
    EXPECT_GT(each_step.section.size(), batch.n);
    for (const std::int64_t snapshots_every : {0, 3, 7, 8, 9})
      for (const std::int64_t segment : {steps, std::int64_t{13}}) {
        plan.snapshots_every = snapshots_every;
        Outcome outcome = run_all(*make_cpu(plan, best_isa(), 2), batch, steps, segment);
        outcome.snapshots.clear();
        expect_same_bits(each_step, outcome,
                         "invariants every " + std::to_string(invariants_every) + ", snapshots every " +
                             std::to_string(snapshots_every) + ", segments of " + std::to_string(segment));
      }
  }
}

TEST(Section, TakesAnyObservableAndValue) {
  constexpr std::int64_t steps = 1000;
  for (const char* name : {"pi2", "gamma1", "height", "energy"}) {
    RunPlan plan = figure_plan(steps);
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

TEST(Section, ChartGivesTheStartOfTheFigure) {
  // The chart solves for Gamma in general; figure_start is its special case, written out.
  const Point expected = figure_start(0.5, 0.64);
  Point x[max_chart_points];
  ASSERT_EQ(heavy_top().chart_states(figure_top.data(), 1.0, 0.0, 0, 0.5, 0.64, x[0].data()), 1);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(x[0][i], expected[i], 4e-16);  // a few roundings of numbers up to 1.5
}

TEST(Section, EnergyBandOfTheWholeFigure) {
  // theory.md, sect. 2: H - 1 over a cell-centred 24 x 24 grid of starts stays inside [-1.6e-3, 4e-4], here at every
  // step.
  constexpr std::int64_t steps = 60000, segment = 500;
  RunPlan plan = figure_plan(steps);
  plan.section.observable = -1;
  plan.snapshots_every = 1;
  const Batch batch = figure_grid(24);
  EXPECT_GT(batch.n, 400);  // pi/4 of the cells
  const HeavyTop::Model<double> model(plan.parameters);
  const auto backend = make_cpu(plan, best_isa(), 2);
  backend->load(batch);
  double lowest = 0, highest = 0;
  for (std::int64_t n = 0; n < steps; n += segment) {
    const SegmentResult result = *backend->advance({n, segment});
    for (std::int64_t t = 0; t < segment; ++t) {
      const double* column = result.snapshots.data() + t * snapshot_rows * batch.n;
      for (std::int64_t k = 0; k < batch.n; ++k) {
        Vec<double, 6> x;
        for (int i = 0; i < 6; ++i) x[i] = column[i * batch.n + k];
        const double error = model.energy(x) - 1;
        lowest = std::min(lowest, error);
        highest = std::max(highest, error);
      }
    }
  }
  // The band is given to its digits; measured: -1.529e-3 and 3.525e-4.
  EXPECT_GT(lowest, -1.6e-3);
  EXPECT_LT(lowest, -1.5e-3);
  EXPECT_LT(highest, 4e-4);
  EXPECT_GT(highest, 3e-4);
  RecordProperty("lowest", std::to_string(lowest * 1e3) + "e-3");
  RecordProperty("highest", std::to_string(highest * 1e4) + "e-4");
}

TEST(Section, ANegativeStepGoesBackThroughTheSameCrossings) {
  constexpr std::int64_t steps = 1000;
  for (int solver = 0; solver < 2; ++solver) {
    // Away from the section at both ends, so that every crossing is seen from both sides.
    const Batch batch = run_all(*make_cpu(figure_plan(7), best_isa(), 1), regular_orbits(), 7, 7).batch;
    RunPlan plan = figure_plan(steps, solver);
    Batch start(batch.n, 6, 3);
    start.state = batch.state;
    const Outcome forth = run_all(*make_cpu(plan, best_isa(), 1, solver), start, steps, steps);
    Batch end(batch.n, 6, 3);
    end.state = forth.batch.state;
    plan.step = -plan.step;
    const auto count = [&](bool up, bool down) {
      plan.section.up = up;
      plan.section.down = down;
      return run_all(*make_cpu(plan, best_isa(), 1, solver), end, steps, steps);
    };
    const Outcome back = count(false, true);  // up is meant in the order of steps
    // Round-off of 2e-16 in each of 2000 steps, which grows at most linearly on a regular orbit; measured: 2e-13.
    for (std::size_t i = 0; i < start.state.size(); ++i) EXPECT_NEAR(back.batch.state[i], start.state[i], 1e-11);
    ASSERT_EQ(back.section.size(), forth.section.size());
    EXPECT_GT(forth.section.size(), 40);
    EXPECT_EQ(count(true, true).section.size(), count(true, false).section.size() + back.section.size());
    // Trajectories stand in the same order, the crossings of each in the opposite one.
    std::int64_t last = 0;
    for (std::int64_t k = 0; k < forth.section.size(); ++k) {
      const std::int64_t trajectory = forth.section.trajectory[k];
      while (last < forth.section.size() && forth.section.trajectory[last] <= trajectory) ++last;
      std::int64_t first = k;
      while (first > 0 && forth.section.trajectory[first - 1] == trajectory) --first;
      const std::int64_t j = first + last - 1 - k;
      ASSERT_EQ(back.section.trajectory[j], trajectory);
      EXPECT_EQ(back.section.step[j], steps - 1 - forth.section.step[k]);
      // Not the same point: the fraction of a step is taken from the other end, with an error of a fraction of h^3 =
      // 1.25e-4; measured: 3.1e-5.
      for (int i = 0; i < 6; ++i)
        EXPECT_NEAR(back.section.state[6 * j + i], forth.section.state[6 * k + i], 1e-4) << "crossing " << k;
    }
  }
}

class SectionIn : public ::testing::TestWithParam<Precision> {
 protected:
  Outcome run(const RunPlan& plan, const Batch& batch) const {
    return run_all(*make_cpu(plan, best_isa(), 1, 0, GetParam()), batch, plan.last_step, plan.last_step);
  }
  double epsilon() const {
    return GetParam() == Precision::binary64 ? std::numeric_limits<double>::epsilon()
                                             : std::numeric_limits<float>::epsilon();
  }
};

INSTANTIATE_TEST_SUITE_P(Precisions, SectionIn, ::testing::Values(Precision::binary64, Precision::binary32),
                         [](const auto& info) { return info.param == Precision::binary64 ? "double" : "single"; });

TEST_P(SectionIn, ACrossingExactlyAtAStepIsTheStateThere) {
  // The section is laid through the state after step n: theta = 1, the point is that state, and the next step, which
  // starts on the section, does not count again.
  constexpr std::int64_t steps = 120;
  RunPlan plan = figure_plan(steps, 0, GetParam());
  plan.section.observable = heavy_top().find_observable("pi2");
  plan.snapshots_every = 1;
  const Batch batch = to_batch({figure_start(0.5, 0.64), figure_start(0.2, 1.0), figure_start(-0.2, 0.3)});
  const Outcome free = run(plan, batch);
  int ups = 0, downs = 0;
  for (std::int64_t k = 0; k < batch.n; ++k)
    for (std::int64_t n = 3; n < steps; n += 4) {
      const double before = snapshot(free, n - 1, k)[1], at = snapshot(free, n, k)[1];
      if (before == at) continue;
      plan.section.value = at;
      plan.section.up = before < at;
      plan.section.down = !plan.section.up;
      plan.snapshots_every = 1;
      Outcome outcome = run(plan, batch);
      int found = 0;
      for (std::int64_t j = 0; j < outcome.section.size(); ++j) {
        if (outcome.section.trajectory[j] != k) continue;
        EXPECT_NE(outcome.section.step[j], n) << "counted twice";
        if (outcome.section.step[j] != n - 1) continue;
        ++found;
        EXPECT_EQ(outcome.section.theta[j], 1);
        for (int i = 0; i < 6; ++i) EXPECT_EQ(outcome.section.state[6 * j + i], snapshot(free, n, k)[i]);
      }
      EXPECT_EQ(found, 1) << "trajectory " << k << ", step " << n;
      // The same in runs of several steps, where the time loop itself compares the column with the value.
      plan.snapshots_every = 0;
      outcome.snapshots.clear();
      expect_same_bits(outcome, run(plan, batch), "in runs");
      ++(plan.section.up ? ups : downs);
    }
  EXPECT_GT(ups, 20);
  EXPECT_GT(downs, 20);
}

TEST_P(SectionIn, DirectionsCountAtAnyValue) {
  constexpr std::int64_t steps = 1500;
  const Batch batch = figure_grid(8);
  for (const auto& [up, down] : {std::pair{true, false}, {false, true}, {true, true}}) {
    RunPlan plan = figure_plan(steps, 0, GetParam());
    plan.snapshots_every = 1;
    plan.section = {heavy_top().find_observable("gamma1"), 0.3, up, down};
    Outcome outcome = run(plan, batch);
    const double value = GetParam() == Precision::binary64 ? 0.3 : double{0.3f};
    std::int64_t count = 0;
    for (std::int64_t trajectory = 0; trajectory < batch.n; ++trajectory) {
      double before = batch.state[3 * batch.n + trajectory] - value;
      for (std::int64_t n = 1; n <= steps; ++n) {
        const double after = snapshot(outcome, n, trajectory)[3] - value;
        if ((up && before < 0 && after >= 0) || (down && before > 0 && after <= 0)) {
          ASSERT_LT(count, outcome.section.size());
          EXPECT_EQ(outcome.section.trajectory[count], trajectory);
          EXPECT_EQ(outcome.section.step[count], n - 1);
          ++count;
        }
        before = after;
      }
    }
    EXPECT_EQ(count, outcome.section.size());
    EXPECT_GT(count, batch.n);
    // A few roundings of gamma, of size 1: what a step makes of it, which no theta removes.
    for (std::int64_t k = 0; k < outcome.section.size(); ++k)
      EXPECT_NEAR(outcome.section.state[6 * k + 3], value, 8 * epsilon()) << "crossing " << k;
    // The same in runs of several steps.
    plan.snapshots_every = 0;
    outcome.snapshots.clear();
    expect_same_bits(outcome, run(plan, batch), "in runs");
  }
}

TEST(Section, PointsOfFastBodiesLieOnIt) {
  // Body C of the acceptance references, |Pi| = 99, E = 5436, and a top of the figure that turns 1000 times faster;
  // gamma itself is still of size 1.
  constexpr TopParameters body_c{15.234375, 0.46875, 15.234375, 0, 1, 0, 15 * 9.81};
  const Point start_c{0, 150 * 0.46875, -4.61538 * 15.234375, 0, 0, 1};
  Point fast = figure_start(0.5, 0.64);
  for (int i = 0; i < 3; ++i) fast[i] *= 1000 / std::hypot(fast[0], fast[1], fast[2]);
  const struct {
    const char* name;
    TopParameters body;
    double h;
    Point start;
  } cases[] = {{"C", body_c, 1e-3, start_c}, {"fast", figure_top, 2e-4, fast}};
  for (const auto& [name, body, h, start] : cases)
    for (int solver = 0; solver < 2; ++solver) {
      const RunPlan plan = body_plan(body, h, 5000, solver);
      const Outcome outcome = run_all(*make_cpu(plan, best_isa(), 1, solver), to_batch({start}), 5000, 5000);
      EXPECT_EQ(outcome.batch.code[0], 0) << name;
      EXPECT_GT(outcome.section.size(), 20) << name;
      double worst = 0;
      for (std::int64_t k = 0; k < outcome.section.size(); ++k)
        worst = std::max(worst, std::abs(outcome.section.state[6 * k + 5]));
      EXPECT_LT(worst, 1e-14) << name << ", solver " << solver;  // a few roundings of gamma; measured: 1.3e-15
      for (const double theta : outcome.section.theta) EXPECT_TRUE(theta > 0 && theta <= 1) << name;
    }
}

TEST(Section, OverflowHalvesTheSegmentAndLosesNothing) {
  const RunPlan plan = figure_plan(3000);
  const Batch batch = figure_grid(6);
  const Outcome whole = run_figure(plan, batch, 3000);
  const auto small = make_cpu_backend(plan, heavy_top_rattle().kernels(0, Precision::binary64, best_isa()), best_isa(),
                                      {.threads = 1, .capacity = 1});
  expect_same_bits(run_all(*small, batch, 3000, 3000), whole, "small capacity");
}

}  // namespace
}  // namespace polhode::test

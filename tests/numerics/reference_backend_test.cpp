// The backend of the reference: its loop, sections, records and failures.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "backend/reference/heavy_top_embedding.hpp"
#include "backend/reference/reference_backend.hpp"
#include "backend/reference/reference_body.hpp"
#include "numerics/constrained_bodies.hpp"
#include "support/heavy_top.hpp"

namespace polhode::test {
namespace {

/// McLachlan & Scovel 1995, Figure 1: alpha = (0.44, 0.5, 1), section Gamma3 = 0 upwards.
RunPlan figure_plan(std::int64_t steps) {
  RunPlan plan{};
  std::copy(figure_top.begin(), figure_top.end(), plan.parameters);
  plan.step_plan.kicks[0] = {.before = 0.5, .after = 0.5};
  plan.step = figure_step;
  plan.section = {.observable = 5, .value = 0, .up = true, .down = false};
  plan.last_step = steps;
  plan.invariants = 0b111;
  plan.invariants_every = 16;
  return plan;
}

Batch make_batch(const std::vector<Point>& states) {
  const auto n = static_cast<std::int64_t>(states.size());
  Batch batch(n, 6, 3);
  for (std::int64_t i = 0; i < n; ++i)
    for (int k = 0; k < 6; ++k) batch.state[k * n + i] = states[i][k];
  return batch;
}

struct Outcome {
  Batch batch;
  SectionPoints section;
  std::vector<double> snapshots;
};

void append(const SegmentResult& from, Outcome& run) {
  const SectionPoints& s = from.section.front();
  run.section.trajectory.insert(run.section.trajectory.end(), s.trajectory.begin(), s.trajectory.end());
  run.section.step.insert(run.section.step.end(), s.step.begin(), s.step.end());
  run.section.theta.insert(run.section.theta.end(), s.theta.begin(), s.theta.end());
  run.section.state.insert(run.section.state.end(), s.state.begin(), s.state.end());
  run.snapshots.insert(run.snapshots.end(), from.snapshots.begin(), from.snapshots.end());
}

/// The whole run of the plan in segments of the given length.
Outcome run_backend(const RunPlan& plan, const std::vector<Point>& states, std::int64_t segment) {
  Outcome run;
  const auto backend = reference_of<HeavyTop>()(plan, {"rattle"});
  backend->load(make_batch(states));
  for (std::int64_t first = 0; first < plan.last_step; first += segment)
    append(*backend->advance({first, std::min(segment, plan.last_step - first)}), run);
  backend->store(run.batch);
  return run;
}

TEST(ReferenceBackend, DrawsTheRegularOrbitOfTheFigure) {
  const Outcome run = run_backend(figure_plan(60000), {figure_start(0.5, 0.64)}, 60000);
  // Count and window, to 3 decimals, from theory.md, sect. 2.
  EXPECT_EQ(run.section.size(), 589);
  for (std::int64_t k = 0; k < run.section.size(); ++k) {
    const double* x = &run.section.state[6 * k];
    EXPECT_GT(x[0], 0);
    EXPECT_NEAR(x[1], (0.500 + 0.665) / 2, (0.665 - 0.500) / 2 + 0.0005);
    EXPECT_NEAR(-x[2], (0.615 + 0.663) / 2, (0.663 - 0.615) / 2 + 0.0005);
    // |Gamma3'| h < 0.1 times the last bracket, 2^-53, and the round-off of Gamma.
    EXPECT_NEAR(x[5], 0, 4e-16);
    EXPECT_GT(run.section.theta[k], 0);
    EXPECT_LE(run.section.theta[k], 1);
  }
  EXPECT_EQ(run.batch.steps[0], 60000);
  // Energy oscillates within [-1.6e-3, 4e-4]; Casimirs drift by round-off only (theory.md: 1e-14 after 60000 steps).
  EXPECT_NEAR(run.batch.invariants[0], 1, 1e-15);
  EXPECT_LT(run.batch.max_drift[0], 1.6e-3);
  EXPECT_GT(run.batch.max_drift[0], 1e-4);
  EXPECT_LT(run.batch.max_drift[1], 2e-14);
  EXPECT_LT(run.batch.max_drift[2], 2e-14);
}

void expect_same_bits(const Outcome& a, const Outcome& b) {
  EXPECT_EQ(a.batch.state, b.batch.state);
  EXPECT_EQ(a.batch.invariants, b.batch.invariants);
  EXPECT_EQ(a.batch.max_drift, b.batch.max_drift);
  EXPECT_EQ(a.batch.steps, b.batch.steps);
  EXPECT_EQ(a.batch.code, b.batch.code);
  EXPECT_EQ(a.snapshots, b.snapshots);
  EXPECT_EQ(a.section.trajectory, b.section.trajectory);
  EXPECT_EQ(a.section.step, b.section.step);
  EXPECT_EQ(a.section.theta, b.section.theta);
  EXPECT_EQ(a.section.state, b.section.state);
}

TEST(ReferenceBackend, SegmentsAndNeighboursDoNotAlterABit) {
  RunPlan plan = figure_plan(500);
  plan.snapshots_every = 30;
  const Point x = figure_start(0.5, 0.64), y = figure_start(-0.2, 0.3);
  const Outcome whole = run_backend(plan, {x}, 500), pieces = run_backend(plan, {x}, 37);
  expect_same_bits(whole, pieces);
  EXPECT_GT(whole.section.size(), 0);

  const Outcome pair = run_backend(plan, {y, x}, 500);
  for (int k = 0; k < 6; ++k) EXPECT_EQ(pair.batch.state[2 * k + 1], whole.batch.state[k]);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(pair.batch.max_drift[2 * k + 1], whole.batch.max_drift[k]);
}

TEST(ReferenceBackend, GoesOnFromACheckpointToRoundOff) {
  const RunPlan plan = figure_plan(200);
  const Outcome whole = run_backend(plan, {figure_start(0.5, 0.64)}, 200);
  const auto first = reference_of<HeavyTop>()(plan, {"rattle"}), second = reference_of<HeavyTop>()(plan, {"rattle"});
  Batch batch = make_batch({figure_start(0.5, 0.64)});
  first->load(batch);
  first->advance({0, 90});
  first->store(batch);
  second->load(batch);
  Batch untouched;
  second->store(untouched);
  EXPECT_EQ(untouched.state, batch.state);  // loading alone changes nothing
  second->advance({90, 110});
  second->store(batch);
  // 110 regular steps with about one epsilon each, summed as in the worst case.
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(batch.state[k], whole.batch.state[k], 1e-13);
  EXPECT_EQ(batch.steps[0], 200);
  EXPECT_EQ(batch.invariants, whole.batch.invariants);
}

TEST(ReferenceBackend, RecordsAtTheDocumentedSteps) {
  RunPlan plan = figure_plan(13);
  plan.snapshots_every = 5;
  plan.invariants_every = 4;
  const std::vector<Point> states = {figure_start(0.5, 0.64), figure_start(-0.2, 0.3)};
  const Outcome run = run_backend(plan, states, 7);
  ASSERT_EQ(run.snapshots.size(), 2u * (6 + 3) * 2);  // steps 5 and 10
  for (std::size_t i = 0; i < states.size(); ++i) {
    ReferenceBody<double, HeavyTopEmbedding, RattleBody> top(plan.parameters, plan.step);
    top.set_state(states[i]);
    double drift = 0;
    for (int n = 1; n <= 13; ++n) {
      ASSERT_TRUE(top.step());
      const Point x = top.state();
      for (int k = 0; n % 5 == 0 && k < 6; ++k) EXPECT_EQ(run.snapshots[((n / 5 - 1) * (6 + 3) + k) * 2 + i], x[k]);
      if (n % 4 == 0 || n == 13) drift = std::max(drift, std::abs(top.motion().energy() - run.batch.invariants[i]));
    }
    // The energy of (Q, P) and that of (Pi, Gamma) differ by a few roundings of numbers up to 1.
    EXPECT_NEAR(run.batch.max_drift[i], drift, 2e-15);
  }
}

TEST(ReferenceBackend, CountsTheDirectionsThatAreAskedFor) {
  RunPlan up = figure_plan(2000), down = up, both = up;
  down.section = {.observable = 5, .value = 0, .up = false, .down = true};
  both.section = {.observable = 5, .value = 0, .up = true, .down = true};
  const std::vector<Point> states = {figure_start(0.5, 0.64)};
  const auto ups = run_backend(up, states, 2000).section, downs = run_backend(down, states, 2000).section;
  const auto all = run_backend(both, states, 2000).section;
  EXPECT_GT(ups.size(), 10);
  EXPECT_LE(std::abs(ups.size() - downs.size()), 1);  // they alternate
  EXPECT_EQ(all.size(), ups.size() + downs.size());
  // The start lies on the section and moves up; that is not a crossing, so the first one goes down.
  EXPECT_EQ(all.step.front(), downs.step.front());
}

TEST(ReferenceBackend, FindsSectionsOfDerivedObservables) {
  // chi = e3: the height is Gamma3. Energy on its own initial value is crossed too, at points with that energy.
  RunPlan gamma3 = figure_plan(500), height = gamma3, energy = gamma3;
  height.section.observable = 7;
  energy.section = {.observable = 6, .value = 0.9999, .up = true, .down = false};
  const std::vector<Point> states = {figure_start(0.5, 0.64)};
  EXPECT_EQ(run_backend(gamma3, states, 500).section.state, run_backend(height, states, 500).section.state);
  const SectionPoints points = run_backend(energy, states, 500).section;
  EXPECT_GT(points.size(), 0);
  const HeavyTop::Model<double> model(energy.parameters);
  for (std::int64_t k = 0; k < points.size(); ++k) {
    const double* x = &points.state[6 * k];
    EXPECT_NEAR(model.energy({x[0], x[1], x[2], x[3], x[4], x[5]}), 0.9999, 4e-15);  // round-off of the energy
  }
}

TEST(ReferenceBackend, AFailedTrajectoryStopsAloneAtItsLastGoodState) {
  // Steps of 0.9 are too long once the falling body turns fast enough.
  RunPlan plan = figure_plan(60);
  plan.step = 0.9;
  plan.snapshots_every = 60;
  const Point falls = {0.01, 0, 0, 0, 0.6, 0.8}, hangs = {0, 0, 0.1, 0, 0, -1};
  const Outcome run = run_backend(plan, {falls, hangs}, 16);
  EXPECT_EQ(static_cast<Status>(run.batch.code[0]), Status::not_converged);
  EXPECT_EQ(static_cast<Status>(run.batch.code[1]), Status::ok);
  EXPECT_EQ(run.batch.steps[1], 60);

  const std::int64_t steps = run.batch.steps[0];
  EXPECT_GT(steps, 0);
  EXPECT_LT(steps, 60);
  ReferenceBody<double, HeavyTopEmbedding, RattleBody> top(plan.parameters, plan.step);
  top.set_state(falls);
  for (std::int64_t n = 0; n < steps; ++n) ASSERT_TRUE(top.step());
  EXPECT_FALSE(top.step());
  for (int k = 0; k < 6; ++k) {
    EXPECT_EQ(run.batch.state[2 * k], top.state()[k]);
    EXPECT_EQ(run.snapshots[2 * k], top.state()[k]);  // stored after the failure
  }
}

}  // namespace
}  // namespace polhode::test

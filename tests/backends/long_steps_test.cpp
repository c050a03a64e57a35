// Sections of long steps: two crossings in one step against those of many short steps from the same states, by methods
// whose error is far below what tells crossings apart.
#include <cmath>
#include <map>

#include "backends/support.hpp"

namespace polhode::test {
namespace {

struct Chosen {
  const char* method;
  std::map<std::string, Value> options;
};
Chosen splitting(const char* table) { return {"splitting", {{"coefficients", std::string(table)}}}; }
Chosen runge_kutta(const char* table) { return {"runge-kutta", {{"table", std::string(table)}}}; }
Chosen gauss(std::int64_t stages) { return {"gauss", {{"stages", stages}}}; }

/// A method on its system, with a section.
RunPlan plan_of(const char* system, const Chosen& chosen, double h, std::int64_t steps, const SectionPlan& section) {
  const MethodEntry& method = *find_method(system, chosen.method);
  RunPlan plan{};
  const auto parameters = find_system(system)->example_parameters;
  std::copy(parameters.begin(), parameters.end(), plan.parameters);
  if (is_top(*find_system(system))) std::copy(figure_top.begin(), figure_top.end(), plan.parameters);
  plan.step = h;
  plan.step_plan =
      method.with_sweeps(step_of(method, chosen.options).step_plan, 0, plan.parameters, h, Precision::binary64);
  plan.section = section;
  plan.last_step = steps;
  plan.invariants_every = steps;
  return plan;
}

Outcome run(const char* system, const RunPlan& plan, const Batch& batch,
            const Chosen& chosen = splitting("srkn8-19a")) {
  const MethodEntry& method = *find_method(system, chosen.method);
  const auto table = table_of_method(method, chosen.options);
  return run_all(*make_cpu(plan, best_isa(), 2, 0, Precision::binary64, method, table), batch, plan.last_step,
                 plan.last_step);
}

struct Crossings {
  std::vector<double> times;
};
std::map<std::int64_t, Crossings> by_trajectory(const Outcome& outcome, double h) {
  std::map<std::int64_t, Crossings> all;
  for (std::int64_t k = 0; k < outcome.section.size(); ++k)
    all[outcome.section.trajectory[k]].times.push_back(
        (static_cast<double>(outcome.section.step[k]) + outcome.section.theta[k]) * h);
  return all;
}

/// One long step from each state against 64 short ones: the number of crossings, and their times.
void expect_same_crossings(const char* system, double h, const SectionPlan& section, const Batch& batch,
                           std::int64_t least_pairs, double time_error, const Chosen& chosen = splitting("srkn8-19a")) {
  SectionPlan of_long_steps = section;
  of_long_steps.long_steps = true;
  const Outcome coarse = run(system, plan_of(system, chosen, h, 1, of_long_steps), batch, chosen);
  const Outcome fine = run(system, plan_of(system, splitting("srkn8-19a"), h / 64, 64, section), batch);
  ASSERT_EQ(std::count(coarse.batch.code.begin(), coarse.batch.code.end(), 0), batch.n);
  EXPECT_EQ(coarse.unrefined, 0);
  const auto found = by_trajectory(coarse, h), expected = by_trajectory(fine, h / 64);
  std::int64_t pairs = 0;
  double worst = 0;
  for (const auto& [k, crossings] : expected) {
    const auto at = found.find(k);
    ASSERT_NE(at, found.end()) << "trajectory " << k;
    ASSERT_EQ(at->second.times.size(), crossings.times.size()) << "trajectory " << k;
    EXPECT_TRUE(std::is_sorted(at->second.times.begin(), at->second.times.end()));
    for (std::size_t i = 0; i < crossings.times.size(); ++i)
      worst = std::max(worst, std::abs(at->second.times[i] - crossings.times[i]));
    pairs += crossings.times.size() > 1;
  }
  // A short step has one crossing at most: one that comes back to a start on the section within the first has none.
  for (const auto& [k, crossings] : found) {
    if (expected.contains(k)) continue;
    for (const double time : crossings.times) EXPECT_LT(time, h / 64) << "trajectory " << k;
  }
  EXPECT_GE(pairs, least_pairs);  // what a sign a step would miss
  EXPECT_LT(worst, time_error);
}

/// Tops of rates of about 1, 32000 of them.
Batch tops() { return random_tops(32000, 5, 1, 0, heavy_top(), 0); }

TEST(LongSteps, OfATopFindTwoCrossingsInOneStep) {
  const int gamma3 = heavy_top().find_observable("gamma3"), height = heavy_top().find_observable("height");
  // Two crossings that are close have times with errors of the square root of the step's own, 1e-9 at h = 0.6.
  for (const double h : {0.4, 0.6}) expect_same_crossings("heavy-top", h, {gamma3, 0, true, true}, tops(), 20, 1e-4);
  expect_same_crossings("heavy-top", 0.6, {gamma3, 0.3, true, true}, tops(), 50, 1e-4);
  expect_same_crossings("heavy-top", 0.6, {height, 0.1, true, true}, tops(), 50, 1e-4);  // not a column
}

TEST(LongSteps, CountTheDirectionsAskedFor) {
  const int gamma1 = heavy_top().find_observable("gamma1");
  for (const auto& [up, down] : {std::pair{true, false}, {false, true}})
    expect_same_crossings("heavy-top", 0.6, {gamma1, 0, up, down}, tops(), 0, 1e-4);
}

TEST(LongSteps, OfHenonHeilesFindTwoCrossingsInOneStep) {
  const MethodEntry& method = *find_method("henon-heiles", "splitting");
  expect_same_crossings("henon-heiles", 1.0, {0, 0.2, true, true}, random_states(20000, 3, 1, 0, method, 0), 50, 1e-3);
}

/// Gauss collocation takes steps as long, and says so from order 6 on.
TEST(LongSteps, OfGaussFindTwoCrossingsInOneStep) {
  for (const char* system : {"henon-heiles", "heavy-top"})
    for (const std::int64_t stages : {2, 3, 8}) {
      const MethodEntry& method = *find_method(system, "gauss");
      EXPECT_EQ(step_of(method, gauss(stages).options).properties.long_steps, stages > 2) << system;
    }
  const MethodEntry& method = *find_method("henon-heiles", "gauss");
  expect_same_crossings("henon-heiles", 1.0, {0, 0.2, true, true}, random_states(20000, 3, 1, 0, method, 0), 50, 1e-3,
                        gauss(8));
  expect_same_crossings("heavy-top", 0.4, {5, 0, true, true}, tops(), 20, 1e-4, gauss(8));
}

/// So do tables of Runge-Kutta methods, and say so from order 5 on.
TEST(LongSteps, OfRungeKuttaFindTwoCrossingsInOneStep) {
  for (const char* system : {"henon-heiles", "heavy-top", "spherical-pendulum", "double-spherical-pendulum-reduced"})
    for (const char* table : {"rk4", "dopri5", "dop853"})
      EXPECT_EQ(step_of(*find_method(system, "runge-kutta"), runge_kutta(table).options).properties.long_steps,
                table != std::string("rk4"))
          << system;
  const MethodEntry& method = *find_method("henon-heiles", "runge-kutta");
  expect_same_crossings("henon-heiles", 1.0, {0, 0.2, true, true}, random_states(20000, 3, 1, 0, method, 0), 50, 1e-3,
                        runge_kutta("dop853"));
  expect_same_crossings("heavy-top", 0.4, {5, 0, true, true}, tops(), 20, 1e-4, runge_kutta("dop853"));
}

/// A start on the section is no crossing, but the step may come back to it.
TEST(LongSteps, StartOnTheSection) {
  Batch batch = random_tops(20000, 11, 1, 0, heavy_top(), 0);
  for (std::int64_t k = 0; k < batch.n; ++k) {
    const double length = std::hypot(batch.state[3 * batch.n + k], batch.state[4 * batch.n + k]);
    batch.state[3 * batch.n + k] /= length;
    batch.state[4 * batch.n + k] /= length;
    batch.state[5 * batch.n + k] = 0;
  }
  expect_same_crossings("heavy-top", 0.6, {5, 0, true, true}, batch, 0, 1e-3);
}

/// Without being told, a step has one crossing at most.
TEST(LongSteps, AreNotLookedForOtherwise) {
  const Batch batch = tops();
  const SectionPlan section{5, 0, true, true};
  const Outcome outcome = run("heavy-top", plan_of("heavy-top", splitting("srkn8-19a"), 0.6, 1, section), batch);
  for (const std::int64_t count : outcome.batch.section_count) EXPECT_LE(count, 1);
}

/// An observable of the attitude, and rates of about 1: at most an eighth of a turn in a step for most.
TEST(LongSteps, OfABodyFindTwoCrossingsInOneStep) {
  const SystemEntry& body = *find_system("rigid-body");
  expect_same_crossings("rigid-body", 0.6, {body.find_observable("height"), 0.2, true, true},
                        random_tops(32000, 7, 1, 0, body, 0), 20, 1e-4);
}

/// The section is laid through the state after the step: the point is that state, with its bits.
TEST(LongSteps, ACrossingAtTheEndIsTheStateThere) {
  const Batch batch = tops();
  RunPlan plan = plan_of("heavy-top", splitting("srkn6-14a"), 0.5, 1, {0, 0, true, true, false, true});
  plan.snapshots_every = 1;
  const Outcome free = run("heavy-top", plan, batch);
  for (const std::int64_t k : {0, 1, 7, 30, 999}) {
    plan.section.value = free.snapshots[k];
    const Outcome outcome = run("heavy-top", plan, batch);
    int found = 0;
    for (std::int64_t j = 0; j < outcome.section.size(); ++j) {
      if (outcome.section.trajectory[j] != k || outcome.section.theta[j] != 1) continue;
      ++found;
      for (int i = 0; i < 6; ++i) EXPECT_EQ(outcome.section.state[6 * j + i], free.snapshots[i * batch.n + k]);
    }
    EXPECT_EQ(found, 1) << "trajectory " << k;
  }
}

/// Points and their bits do not depend on how a run is divided into segments.
TEST(LongSteps, InSegments) {
  const MethodEntry& method = *find_method("heavy-top", "splitting");
  const RunPlan plan = plan_of("heavy-top", splitting("srkn6-14a"), 0.6, 12, {5, 0.3, true, true, false, true});
  const auto run_in = [&](std::int64_t segment) {
    return run_all(*make_cpu(plan, best_isa(), 2, 0, Precision::binary64, method), tops(), plan.last_step, segment);
  };
  const Outcome whole = run_in(12);
  ASSERT_GT(whole.section.size(), 10000);
  for (const std::int64_t segment : {1, 5})
    expect_same_bits(run_in(segment), whole, "segments of " + std::to_string(segment));
}

/// Points are on the section to round-off, and on the step map over theta h up to a correction along the flow: of at
/// most 2^-26 of a step, where the map leaves the flow by its error.
TEST(LongSteps, PointsLieOnTheSectionAndAreReachedByTheMap) {
  for (const auto& [table, map_error] : {std::pair{"strang", 1e-8}, {"srkn6-14a", 1e-13}}) {
    RunPlan plan = plan_of("heavy-top", splitting(table), 0.5, 1, {5, 0.2, true, true, false, true});
    const Batch batch = tops();
    const Outcome outcome = run("heavy-top", plan, batch);
    ASSERT_GT(outcome.section.size(), 1000);
    double worst = 0;
    for (std::int64_t k = 0; k < outcome.section.size(); ++k) {
      const double* point = outcome.section.state.data() + 6 * k;
      EXPECT_NEAR(point[5], 0.2, 1e-14);
      EXPECT_NEAR(point[3] * point[3] + point[4] * point[4] + point[5] * point[5], 1, 2e-14);
      const double theta = outcome.section.theta[k];
      EXPECT_GT(theta, 0);
      EXPECT_LE(theta, 1);
      const Batch start = part_of(batch, outcome.section.trajectory[k], outcome.section.trajectory[k] + 1);
      plan.step = theta * 0.5;
      plan.section.observable = -1;
      const Batch end = run("heavy-top", plan, start).batch;
      for (int i = 0; i < 6; ++i) worst = std::max(worst, std::abs(end.state[i] - point[i]));
    }
    EXPECT_LT(worst, map_error) << table;
  }
}

}  // namespace
}  // namespace polhode::test

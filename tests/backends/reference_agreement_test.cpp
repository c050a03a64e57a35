// The fast CPU backend against the independent reference: one step from common states, whole trajectories, sections.
#include "backend/reference/reference_backend.hpp"
#include "backends/support.hpp"

namespace polhode::test {
namespace {

class ReferenceAgreement : public ::testing::TestWithParam<int> {
 protected:
  Outcome run_cpu(const Plan& plan, const Batch& batch, std::int64_t steps) const {
    return run_all(*make_cpu(plan, best_isa(), 1, GetParam()), batch, steps, steps);
  }
  Outcome run_reference(const Plan& plan, const Batch& batch, std::int64_t steps) const {
    return run_all(*make_reference_backend(plan), batch, steps, steps);
  }
};

INSTANTIATE_TEST_SUITE_P(Rattle, ReferenceAgreement, ::testing::Values(0, 1),
                         [](const auto& info) { return heavy_top_rattle().variants[info.param].solver; });

TEST_P(ReferenceAgreement, OneStepFromCommonStates) {
  // 20 random bodies (moments, chi, c), 50 random states of each; the difference in units of the state's norm, which is
  // at least that of |gamma| = 1.
  std::mt19937_64 random(42);
  double worst = 0;
  for (int body = 0; body < 20; ++body) {
    Plan plan = body_plan(random_body(random), 0.05, 1, GetParam());
    plan.section.observable = -1;
    const Batch batch = random_tops(50, random());
    const Outcome cpu = run_cpu(plan, batch, 1), reference = run_reference(plan, batch, 1);
    for (std::int64_t k = 0; k < batch.n; ++k) {
      double difference = 0, norm = 0;
      for (int i = 0; i < 6; ++i) {
        const double a = cpu.batch.state[i * batch.n + k], b = reference.batch.state[i * batch.n + k];
        difference += (a - b) * (a - b);
        norm += b * b;
      }
      ASSERT_EQ(cpu.batch.code[k], 0) << "body " << body << ", state " << k;
      ASSERT_EQ(reference.batch.code[k], 0) << "body " << body << ", state " << k;
      worst = std::max(worst, std::sqrt(difference / norm));
    }
  }
  EXPECT_LT(worst, 1e-14);  // a few ulps of two different formulations; measured: 9e-16
  EXPECT_GT(worst, 0);      // they are different formulations
  RecordProperty("worst", std::to_string(worst * 1e16) + "e-16");
}

TEST_P(ReferenceAgreement, RegularOrbitsAndTheirSections) {
  // Round-off of 1e-16 a step grows at most linearly in each of 1000 steps on a regular orbit: 1e-10 at the very worst.
  constexpr std::int64_t steps = 1000;
  const Plan plan = figure_plan(steps, GetParam());
  const Batch batch = regular_orbits();
  const Outcome cpu = run_cpu(plan, batch, steps), reference = run_reference(plan, batch, steps);
  for (std::size_t i = 0; i < cpu.batch.state.size(); ++i)
    EXPECT_NEAR(cpu.batch.state[i], reference.batch.state[i], 1e-10);
  for (std::size_t i = 0; i < cpu.batch.max_drift.size(); ++i)
    EXPECT_NEAR(cpu.batch.max_drift[i], reference.batch.max_drift[i], 1e-12);
  EXPECT_EQ(cpu.section.trajectory, reference.section.trajectory);
  EXPECT_EQ(cpu.section.step, reference.section.step);
  ASSERT_EQ(cpu.section.size(), reference.section.size());
  EXPECT_GT(cpu.section.size(), 40);
  for (std::size_t i = 0; i < cpu.section.state.size(); ++i)
    EXPECT_NEAR(cpu.section.state[i], reference.section.state[i], 1e-10);
}

TEST_P(ReferenceAgreement, DriftsWhereTrajectoriesFail) {
  // Steps of 0.9 are too long for some of the tops sooner or later. Each solver has its own limit, so the reference is
  // run for as long as the other went.
  constexpr std::int64_t steps = 24;
  Plan plan = body_plan(figure_top, 0.9, steps, GetParam());
  plan.section.observable = -1;
  plan.invariants_every = 4;  // the state between the last of these and a failure does not count
  const Batch batch = random_tops(64, 9);
  const Outcome cpu = run_cpu(plan, batch, steps);
  int failed_on_the_way = 0;
  for (std::int64_t k = 0; k < batch.n; ++k) {
    const bool failed = cpu.batch.code[k] == 1;
    const std::int64_t made = cpu.batch.steps[k];
    EXPECT_EQ(made == steps, !failed) << k;
    failed_on_the_way += failed && made > 0;
    const Outcome reference = run_reference(plan, part_of(batch, k, k + 1), made);
    ASSERT_EQ(reference.batch.code[0], 0) << k;
    for (int i = 0; i < 3; ++i) {
      // Round-off of invariants up to 10, over 24 steps of tops that tumble; measured: 1.1e-14.
      EXPECT_NEAR(cpu.batch.max_drift[i * batch.n + k], reference.batch.max_drift[i], 1e-12)
          << k << ", invariant " << i;
    }
  }
  EXPECT_GT(failed_on_the_way, 3);  // or it would be empty
  EXPECT_LT(failed_on_the_way, batch.n - 3);
}

}  // namespace
}  // namespace polhode::test

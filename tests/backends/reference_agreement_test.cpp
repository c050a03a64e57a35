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
  // 1000 random states; the difference in units of the state's norm, which is at least that of |gamma| = 1.
  const Batch batch = random_tops(1000, 42);
  Plan plan = figure_plan(1, GetParam());
  plan.section.observable = -1;
  const Outcome cpu = run_cpu(plan, batch, 1), reference = run_reference(plan, batch, 1);
  double worst = 0;
  for (std::int64_t k = 0; k < batch.n; ++k) {
    double difference = 0, norm = 0;
    for (int i = 0; i < 6; ++i) {
      const double a = cpu.batch.state[i * batch.n + k], b = reference.batch.state[i * batch.n + k];
      difference += (a - b) * (a - b);
      norm += b * b;
    }
    ASSERT_EQ(reference.batch.code[k], 0) << k;
    worst = std::max(worst, std::sqrt(difference / norm));
  }
  EXPECT_LT(worst, 1e-14);  // a few ulps of two different formulations
  EXPECT_GT(worst, 0);      // they are different formulations
  RecordProperty("worst", std::to_string(worst * 1e16) + "e-16");
}

TEST_P(ReferenceAgreement, RegularOrbitsAndTheirSections) {
  // Round-off of 1e-16 a step grows at most linearly in each of 1000 steps on a regular orbit: 1e-10 at the very worst.
  constexpr std::int64_t steps = 1000;
  const Plan plan = figure_plan(steps, GetParam());
  Batch batch(6, 6, 3);
  const double starts[6][2] = {{0.5, 0.64}, {-0.5, -0.64}, {0.55, 0.64}, {0.2, 1.0}, {-0.2, -1.0}, {0.58, 0.64}};
  for (int k = 0; k < 6; ++k) {
    double x[6];
    ASSERT_TRUE(heavy_top().chart_state(plan.parameters, 1.0, 0.0, 0, starts[k][0], starts[k][1], x));
    for (int i = 0; i < 6; ++i) batch.state[i * 6 + k] = x[i];
  }
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

}  // namespace
}  // namespace polhode::test

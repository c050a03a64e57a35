// The fast CPU backend against the independent reference on every constrained system of the catalog, with every method
// and solver: one step from common states, whole trajectories with their invariants and sections.
#include <bit>

#include "backends/support.hpp"

namespace polhode::test {
namespace {

std::vector<Case> constrained_cases() {
  std::vector<Case> cases = all_cases({Precision::binary64});
  std::erase_if(cases, [](const Case& c) { return is_top(*find_system(c.method->system)); });
  return cases;
}

class ConstrainedAgreement : public ::testing::TestWithParam<Case> {
 protected:
  const MethodEntry& method() const { return *GetParam().method; }
  const SystemEntry& system() const { return *find_system(method().system); }
  int dim() const { return system().dim; }

  Outcome run_cpu(const Plan& plan, const Batch& batch, std::int64_t steps) const {
    return run_all(*make_cpu(plan, best_isa(), 1, GetParam().variant, Precision::binary64, method()), batch, steps,
                   steps);
  }
  static Outcome run_reference(const MethodEntry& method, const Plan& plan, const Batch& batch, std::int64_t steps) {
    return run_all(*method.make_reference(plan), batch, steps, steps);
  }

  /// The largest difference of positions and of momenta of two batches' states, each in units of the norm of its half.
  double distance(const Batch& a, const Batch& b) const {
    double worst = 0;
    for (std::int64_t k = 0; k < a.n; ++k)
      for (const int first : {0, dim() / 2}) {
        double difference = 0, norm = 0;
        for (int i = first; i < first + dim() / 2; ++i) {
          const double u = a.state[i * a.n + k], v = b.state[i * b.n + k];
          difference += (u - v) * (u - v);
          norm += v * v;
        }
        worst = std::max(worst, std::sqrt(difference / norm));
      }
    return worst;
  }

  /// One step of a thousand random states, against the reference of another method or with the first parameter larger
  /// by a factor.
  double worst_step(const MethodEntry& other, double first_parameter = 1) const {
    Plan plan = example_plan(method(), 1, GetParam().variant);
    plan.section.observable = -1;
    const Batch batch = random_states(1000, 42, 1, 0, method(), std::popcount(plan.invariants));
    const Batch fast = run_cpu(plan, batch, 1).batch;
    plan.parameters[0] *= first_parameter;
    const Batch slow = run_reference(other, plan, batch, 1).batch;
    EXPECT_EQ(std::count(fast.code.begin(), fast.code.end(), 0), batch.n);
    EXPECT_EQ(std::count(slow.code.begin(), slow.code.end(), 0), batch.n);
    return distance(fast, slow);
  }
};

INSTANTIATE_TEST_SUITE_P(Every, ConstrainedAgreement, ::testing::ValuesIn(constrained_cases()), case_name);

TEST_P(ConstrainedAgreement, OneStepFromCommonStates) {
  const double worst = worst_step(method());
  // The multipliers are found from positions to round-off, 1e-16, and act on the momentum over h: what the projection
  // does not take away again, a part h of it, is some units; SHAKE takes nothing away.
  const double allowed =
      method().coefficients.momentum == Momentum::unprojected ? 1e-15 / system().example_step : 1e-14;
  EXPECT_LT(worst, allowed);
  EXPECT_GT(worst, 0);  // they are different formulations
  RecordProperty("worst", std::to_string(worst * 1e16) + "e-16");
}

TEST_P(ConstrainedAgreement, NoticesASlightlyWrongParameter) { EXPECT_GT(worst_step(method(), 1 + 1e-9), 1e-13); }

TEST_P(ConstrainedAgreement, Trajectories) {
  // Over 200 steps round-off grows with the motion's own divergence; a thousandfold is allowed.
  constexpr std::int64_t steps = 200;
  Plan plan = example_plan(method(), steps, GetParam().variant);
  plan.section.down = true;
  plan.snapshots_every = 50;
  const Batch batch = random_states(16, 5, 1, 0, method(), std::popcount(plan.invariants));
  const Outcome cpu = run_cpu(plan, batch, steps), reference = run_reference(method(), plan, batch, steps);
  EXPECT_EQ(std::count(cpu.batch.code.begin(), cpu.batch.code.end(), 0), batch.n);
  EXPECT_LT(distance(cpu.batch, reference.batch), 1e-11);
  ASSERT_EQ(cpu.snapshots.size(), reference.snapshots.size());
  const double scale = *std::max_element(reference.snapshots.begin(), reference.snapshots.end());
  for (std::size_t i = 0; i < cpu.snapshots.size(); ++i)
    ASSERT_NEAR(cpu.snapshots[i], reference.snapshots[i], 1e-10 * scale) << i;
  for (std::size_t i = 0; i < cpu.batch.max_drift.size(); ++i)
    EXPECT_NEAR(cpu.batch.max_drift[i], reference.batch.max_drift[i], 1e-10 * scale);
  EXPECT_EQ(cpu.section.trajectory, reference.section.trajectory);
  EXPECT_EQ(cpu.section.step, reference.section.step);
  ASSERT_EQ(cpu.section.size(), reference.section.size());
  EXPECT_GT(cpu.section.size(), 0);
  for (std::size_t i = 0; i < cpu.section.state.size(); ++i)
    ASSERT_NEAR(cpu.section.state[i], reference.section.state[i], 1e-9 * scale);
}

}  // namespace
}  // namespace polhode::test

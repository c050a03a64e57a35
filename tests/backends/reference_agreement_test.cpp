// The fast CPU backend against the independent reference, every method on the systems of a top with every solver
// (constrained systems: constrained_agreement_test.cpp): one step from common states, whole trajectories, sections.
// Quaternions are compared with their signs.
#include <bit>

#include "backends/support.hpp"

namespace polhode::test {
namespace {

std::vector<Case> double_cases() {
  std::vector<Case> cases = all_cases({Precision::binary64});
  std::erase_if(cases, [](const Case& c) { return !is_top(*find_system(c.method->system)); });
  return cases;
}

TEST(Reference, ServesEveryMethod) {
  for (const MethodEntry& method : methods())
    EXPECT_TRUE(method.make_reference) << method.system << ", " << method.name;
}

class ReferenceAgreement : public ::testing::TestWithParam<Case> {
 protected:
  const MethodEntry& method() const { return *GetParam().method; }
  const SystemEntry& system() const { return *find_system(method().system); }

  Plan plan(const TopParameters& body, double h, std::int64_t steps) const {
    return body_plan(usable_body(method(), body), h, steps, GetParam().variant, Precision::binary64, method());
  }
  Outcome run_cpu(const Plan& plan, const Batch& batch, std::int64_t steps) const {
    return run_all(*make_cpu(plan, best_isa(), 1, GetParam().variant, Precision::binary64, method()), batch, steps,
                   steps);
  }
  Outcome run_reference(const Plan& plan, const Batch& batch, std::int64_t steps) const {
    return run_all(*method().make_reference(plan), batch, steps, steps);
  }

  /// Over 20 random bodies (moments, chi, c) and 50 random states of each, the largest difference after one step from a
  /// common state, in units of its norm. The reference is that of another method, or of a body whose first moment is
  /// larger by the factor given.
  double worst_step(const MethodEntry& other, double first_moment = 1) const {
    std::mt19937_64 random(42);
    double worst = 0;
    for (int body = 0; body < 20; ++body) {
      Plan one_step = plan(usable_body(other, random_body(random)), 0.05, 1);
      one_step.section.observable = -1;
      const Batch batch = random_tops(50, random(), 1, 0, system());
      const Batch fast = run_cpu(one_step, batch, 1).batch;
      one_step.parameters[0] *= first_moment;
      const Batch slow = run_all(*other.make_reference(one_step), batch, 1, 1).batch;
      EXPECT_EQ(std::count(fast.code.begin(), fast.code.end(), 0), batch.n) << "body " << body;
      EXPECT_EQ(std::count(slow.code.begin(), slow.code.end(), 0), batch.n) << "body " << body;
      for (std::int64_t k = 0; k < batch.n; ++k) {
        double difference = 0, norm = 0;  // the norm is at least that of Gamma or q, 1
        for (int i = 0; i < batch.dim; ++i) {
          const double a = fast.state[i * batch.n + k], b = slow.state[i * batch.n + k];
          difference += (a - b) * (a - b);
          norm += b * b;
        }
        worst = std::max(worst, std::sqrt(difference / norm));
      }
    }
    return worst;
  }
};

INSTANTIATE_TEST_SUITE_P(Every, ReferenceAgreement, ::testing::ValuesIn(double_cases()), case_name);

TEST_P(ReferenceAgreement, OneStepFromCommonStates) {
  const double worst = worst_step(method());
  EXPECT_LT(worst, 1e-14);  // a few ulps of two different formulations; measured: 4e-16 to 1.4e-15
  EXPECT_GT(worst, 0);      // they are different formulations
  RecordProperty("worst", std::to_string(worst * 1e16) + "e-16");
}

TEST_P(ReferenceAgreement, NoticesASlightlyWrongBody) {
  // A moment wrong by 1e-11 turns the body by about h Omega 1e-11 too far in a step, h Omega = 0.05 to 0.2.
  const double worst = worst_step(method(), 1 + 1e-11);
  EXPECT_GT(worst, 1e-13);
  EXPECT_LT(worst, 1e-11);
}

TEST_P(ReferenceAgreement, NoticesEveryOtherMethod) {
  for (const MethodEntry& other : methods()) {
    if (other.system != method().system || !other.make_reference || &other == &method()) continue;
    const double worst = worst_step(other);
    if (method().name == std::string("moser-veselov") || other.name == std::string("moser-veselov")) {
      EXPECT_LT(worst, 1e-14) << other.name;  // all are one map without gravity (MS Theorem 6)
    } else {
      EXPECT_GT(worst, 1e-3) << other.name;  // half a kick, h c / 2, in the wrong place
    }
  }
}

TEST_P(ReferenceAgreement, RegularOrbitsAndTheirSections) {
  // Round-off of 1e-16 a step grows at most linearly in each of 1000 steps on a regular orbit: 1e-10 at the very worst.
  // Measured: 2e-14 to 5e-13.
  constexpr std::int64_t steps = 1000;
  const Plan thousand = plan(figure_top, figure_step, steps);
  const Batch batch = regular_orbits(system());
  const Outcome cpu = run_cpu(thousand, batch, steps), reference = run_reference(thousand, batch, steps);
  double worst = 0;
  for (std::size_t i = 0; i < cpu.batch.state.size(); ++i)
    worst = std::max(worst, std::abs(cpu.batch.state[i] - reference.batch.state[i]));
  EXPECT_LT(worst, 1e-10);
  EXPECT_GT(worst, 0);
  RecordProperty("worst", std::to_string(worst * 1e13) + "e-13");
  for (std::size_t i = 0; i < cpu.batch.max_drift.size(); ++i)
    EXPECT_NEAR(cpu.batch.max_drift[i], reference.batch.max_drift[i], 1e-12);
  EXPECT_EQ(cpu.section.trajectory, reference.section.trajectory);
  EXPECT_EQ(cpu.section.step, reference.section.step);
  ASSERT_EQ(cpu.section.size(), reference.section.size());
  EXPECT_GT(cpu.section.size(), 40);
  for (std::size_t i = 0; i < cpu.section.state.size(); ++i)
    EXPECT_NEAR(cpu.section.state[i], reference.section.state[i], 1e-10);
}

TEST_P(ReferenceAgreement, SectionsOnEveryObservable) {
  // Each halfway between its least and its largest value on an orbit, in both directions. The energy has no section
  // where the method keeps it.
  constexpr std::int64_t steps = 200;
  Plan every = plan(oblique_body, figure_step, steps);
  const Batch batch = random_tops(1, 3, 1, 0, system());
  every.section.observable = -1;
  every.snapshots_every = 1;
  const std::vector<double> snapshots = run_reference(every, batch, steps).snapshots;
  every.snapshots_every = 0;
  int crossed = 0;
  for (int f = 0; f < static_cast<int>(system().observables.size()); ++f) {
    double least = HUGE_VAL, largest = -HUGE_VAL;
    for (std::int64_t n = 0; n < steps; ++n) {
      const double value = system().observe(every.parameters, f, &snapshots[n * (batch.dim + n_common_invariants)]);
      least = std::min(least, value);
      largest = std::max(largest, value);
    }
    if (largest - least < 1e-3) continue;
    every.section = {f, (least + largest) / 2, true, true};
    const SectionPoints cpu = run_cpu(every, batch, steps).section, slow = run_reference(every, batch, steps).section;
    EXPECT_GT(cpu.size(), 0) << system().observables[f].name;
    crossed += cpu.size() > 0;
    ASSERT_EQ(cpu.step, slow.step) << system().observables[f].name;
    for (std::size_t i = 0; i < cpu.state.size(); ++i)
      EXPECT_NEAR(cpu.state[i], slow.state[i], 1e-10) << system().observables[f].name;  // as above, for fewer steps
  }
  EXPECT_GE(crossed, static_cast<int>(system().observables.size()) - 1);
}

TEST_P(ReferenceAgreement, InvariantsOfTheFreeBodyAndSnapshots) {
  // The free symmetric body has most of the conditional invariants.
  constexpr std::int64_t steps = 100;
  TopParameters body = {1.2, 1.2, 0.6, 0, 1, 0, 0};
  Plan kept = plan(body, 0.05, steps);
  kept.invariants = 0;
  const std::vector<double> start = to_state(system(), body_start);
  for (int i = 0; i < static_cast<int>(system().invariants.size()); ++i)
    kept.invariants |= std::uint32_t(system().conserves(kept.parameters, start.data(), i)) << i;
  kept.snapshots_every = 10;
  Batch batch = random_tops(16, 4, 1, 0, system());
  batch.n_invariants = std::popcount(kept.invariants);
  EXPECT_GT(batch.n_invariants, n_common_invariants);
  EXPECT_LT(batch.n_invariants, static_cast<int>(system().invariants.size()));
  batch.invariants.resize(batch.n_invariants * batch.n);
  batch.max_drift.resize(batch.n_invariants * batch.n);

  const Outcome cpu = run_cpu(kept, batch, steps), reference = run_reference(kept, batch, steps);
  ASSERT_EQ(cpu.snapshots.size(), reference.snapshots.size());
  ASSERT_EQ(cpu.snapshots.size(), static_cast<std::size_t>(10 * (batch.dim + batch.n_invariants) * batch.n));
  // 100 steps of round-off that grows linearly in each: states up to 4, invariants up to their fourth powers.
  for (std::size_t i = 0; i < cpu.snapshots.size(); ++i) EXPECT_NEAR(cpu.snapshots[i], reference.snapshots[i], 1e-10);
  EXPECT_EQ(cpu.batch.invariants, reference.batch.invariants);  // values of one function at the same states
  for (std::size_t i = 0; i < cpu.batch.max_drift.size(); ++i) {
    EXPECT_LT(cpu.batch.max_drift[i], 1e-11);
    EXPECT_LT(reference.batch.max_drift[i], 1e-11);
  }
}

/// Methods with gravity, by which a top falls until its steps become too long: a free body keeps its energy and fails
/// at once or not at all.
class ReferenceFailure : public ReferenceAgreement {};

std::vector<Case> cases_with_gravity() {
  std::vector<Case> cases = double_cases();
  std::erase_if(cases, [](const Case& c) { return usable_body(*c.method, figure_top)[6] == 0; });
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Every, ReferenceFailure, ::testing::ValuesIn(cases_with_gravity()), case_name);

TEST_P(ReferenceFailure, DriftsWhereTrajectoriesFail) {
  // Steps of 0.9 are too long for some of the tops sooner or later. Each solver has its own limit, so the reference is
  // run for as long as the other went.
  constexpr std::int64_t steps = 24;
  Plan long_steps = plan(figure_top, 0.9, steps);
  long_steps.section.observable = -1;
  long_steps.invariants_every = 4;  // the state between the last of these and a failure does not count
  const Batch batch = random_tops(64, 9, 1, 0, system());
  const Outcome cpu = run_cpu(long_steps, batch, steps);
  int failed_on_the_way = 0;
  for (std::int64_t k = 0; k < batch.n; ++k) {
    const bool failed = cpu.batch.code[k] == 1;
    const std::int64_t made = cpu.batch.steps[k];
    EXPECT_EQ(made == steps, !failed) << k;
    failed_on_the_way += failed && made > 0;
    const Outcome reference = run_reference(long_steps, part_of(batch, k, k + 1), made);
    ASSERT_EQ(reference.batch.code[0], 0) << k;
    for (int i = 0; i < n_common_invariants; ++i) {
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

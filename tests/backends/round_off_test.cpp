// What is round-off about a section at both ends of a step is no crossing, is counted for its trajectory, and does not
// end it: observables that stay at the section's value, to their accuracy, by every method.
#include "backends/support.hpp"
#include "polhode/method/status.hpp"

namespace polhode::test {
namespace {

constexpr std::int64_t n = 37, steps = 200;

std::vector<Case> still_cases(std::initializer_list<Precision> precisions) {
  std::vector<Case> cases;
  for (const Case& one : all_cases(precisions)) {
    const std::string system = one.method->system;
    if (system == "heavy-top" || system == "rigid-body") cases.push_back(one);
  }
  return cases;
}

/// A symmetric body that turns about its axis, but for `across` of it: pi1 is as small as that. One in `every` is an
/// orbit like any other.
Batch spinning(const SystemEntry& system, double across, std::int64_t every, int n_invariants) {
  std::vector<Point> points(n);
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (std::int64_t k = 0; k < n; ++k) {
    points[k] = {across * uniform(random), across * uniform(random), 1 + 0.2 * uniform(random), 0, 0, 1};
    if (k % every == 0) points[k][0] = 0.5;
  }
  return to_batch(points, system, n_invariants);
}

class RoundOff : public ::testing::TestWithParam<Case> {
 protected:
  const MethodEntry& method() const { return *GetParam().method; }
  const SystemEntry& system() const { return *find_system(method().system); }
  RunPlan plan(bool terminal) const {
    // Symmetric, without gravity, so that pi1 and pi2 turn at their size for ever.
    constexpr TopParameters body{1.2, 1.2, 0.8, 0, 0, 1, 0};
    RunPlan plan = body_plan(body, 0.05, steps, GetParam().solver, GetParam().precision, method());
    plan.section = {system().find_observable("pi1"), 0, true, true, terminal, step_of(method()).properties.long_steps};
    return plan;
  }
  Outcome run(const RunPlan& plan, const Batch& batch, Isa isa = best_isa(), std::int64_t segment = steps) const {
    return run_all(*make_cpu(plan, isa, 1, GetParam().solver, GetParam().precision, method()), batch, steps, segment);
  }
};

INSTANTIATE_TEST_SUITE_P(Every, RoundOff, ::testing::ValuesIn(still_cases({Precision::binary64, Precision::binary32})),
                         case_name);

TEST_P(RoundOff, OfASymmetricBodyIsNoCrossing) {
  const Batch batch = spinning(system(), 1e-17, 4, n_common_invariants);
  const RunPlan free = plan(false);
  const Outcome fast = run(free, batch);
  std::int64_t counted = 0;
  for (std::int64_t k = 0; k < n; ++k) {
    if (k % 4 == 0)
      EXPECT_GT(fast.batch.section_count[k], 0) << k;
    else
      EXPECT_EQ(fast.batch.section_count[k], 0) << k;
    if (k % 4 == 0) {
      EXPECT_EQ(fast.batch.round_off[k], 0) << k;
    }
    counted += fast.batch.round_off[k];
  }
  EXPECT_GT(counted, 0);
  for (const Isa isa : isas_of(method(), GetParam().precision))
    expect_same_bits(run(free, batch, isa), fast, isa_names[static_cast<int>(isa)]);
  expect_same_bits(run(free, batch, best_isa(), 7), fast, "segments of 7");
  if (GetParam().precision == Precision::binary32) return;
  constexpr std::int64_t few = 5;  // the reference is slow
  const Outcome slow = run_all(*method().make_reference(free), part_of(batch, 0, few), steps, steps);
  const Outcome same = part_of(fast, 0, few);
  EXPECT_EQ(same.section.trajectory, slow.section.trajectory);
  EXPECT_EQ(same.section.step, slow.section.step);
}

TEST_P(RoundOff, EndsNoTrajectory) {
  const Batch batch = spinning(system(), 1e-17, 4, n_common_invariants);
  const Outcome ended = run(plan(true), batch);
  for (std::int64_t k = 0; k < n; ++k) {
    EXPECT_EQ(ended.batch.code[k], static_cast<std::uint8_t>(k % 4 == 0 ? Status::event : Status::ok)) << k;
    EXPECT_EQ(ended.batch.section_count[k], k % 4 == 0) << k;
  }
  expect_same_bits(run(plan(true), batch, best_isa(), 7), ended, "segments of 7");
}

/// A thousand times the accuracy is no round-off any more.
TEST_P(RoundOff, IsNoMoreThanTheAccuracyOfTheObservable) {
  const double eps = GetParam().precision == Precision::binary64 ? std::numeric_limits<double>::epsilon()
                                                                 : std::numeric_limits<float>::epsilon();
  const Outcome outcome = run(plan(false), spinning(system(), 4000 * eps, n, n_common_invariants));
  EXPECT_GT(std::count_if(outcome.batch.section_count.begin(), outcome.batch.section_count.end(),
                          [](std::int64_t count) { return count > 0; }),
            n / 2);
}

TEST_P(RoundOff, IsCountedOnCuda) {
  NEEDS_GPU();
  const Batch batch = spinning(system(), 1e-17, 4, n_common_invariants);
  for (const bool terminal : {false, true}) {
    const auto backend = make_cuda(plan(terminal), method(), GetParam().solver, GetParam().precision);
    expect_same_bits(run_all(*backend, batch, steps, 7), run(plan(terminal), batch), "cuda");
  }
}

/// A circular orbit has r dr/dt = 0 to round-off, by methods whose own error is less than that.
TEST(RoundOffOfKepler, OfACircularOrbitIsNoCrossing) {
  const MethodEntry& method = *find_method("kepler", "splitting");
  RunPlan plan = example_plan({&method, 0, Precision::binary64}, 2000);
  plan.section = {find_system("kepler")->find_observable("q_dot_p"), 0, true, true};
  plan.step = 0.005;
  plan.step_plan = method.with_sweeps(step_of(method, {{"coefficients", std::string("srkn8-19a")}}).step_plan, 0,
                                      plan.parameters, plan.step, Precision::binary64);
  Batch batch(1, 4, std::popcount(plan.invariants));
  batch.state = {1, 0, 0, 1};
  for (const bool long_steps : {false, true}) {
    plan.section.long_steps = long_steps;
    const Outcome fast = run_all(*make_cpu(plan, best_isa(), 1, 0, Precision::binary64, method), batch, 2000, 2000);
    EXPECT_EQ(fast.found, 0);
    EXPECT_GT(fast.batch.round_off[0], 0);
    EXPECT_EQ(run_all(*method.make_reference(plan), batch, 2000, 2000).found, 0);
  }
}

}  // namespace
}  // namespace polhode::test

// First passages of long steps that cross a terminal section twice within one: of an oscillator, in closed form.
#include <numbers>

#include "backends/support.hpp"
#include "polhode/method/status.hpp"

namespace polhode::test {
namespace {

constexpr double pi = std::numbers::pi, h = 0.5;

/// Methods whose steps may be long, with the options that make them so.
std::vector<Case> long_cases(std::initializer_list<Precision> precisions) {
  std::vector<Case> cases;
  for (const Case& one : all_cases(precisions)) {
    if (one.method->system != std::string("central")) continue;
    if (one.method->table_option)
      for (const char* table : {"dopri5", "dop853"}) {
        Case longer = one;
        longer.table = table;
        cases.push_back(longer);
      }
    for (const int stages : {0, 3, 4}) {
      Case longer = one;
      longer.stages = stages;
      const bool has_stages = std::ranges::any_of(
          one.method->options, [](const MethodOption& option) { return option.name == std::string_view("stages"); });
      if (stages > 0 && !has_stages) continue;
      if (step_of(*one.method, options_of(longer)).properties.long_steps) cases.push_back(longer);
    }
  }
  return cases;
}

class FirstPassage : public ::testing::TestWithParam<Case> {
 protected:
  const MethodEntry& method() const { return *GetParam().method; }

  /// The oscillator with k2 = 1, on the section q1 = value.
  RunPlan plan(double value, bool up, bool down, bool terminal, std::int64_t steps) const {
    RunPlan plan = example_plan(GetParam(), steps);
    std::fill(std::begin(plan.parameters), std::end(plan.parameters), 0.0);
    plan.parameters[0] = 1;
    plan.step = h;
    plan.step_plan = method().with_sweeps(step_of(method(), options_of(GetParam())).step_plan, GetParam().solver,
                                          plan.parameters, h, GetParam().precision);
    plan.section = {0, value, up, down, terminal, true};
    plan.invariants_every = 4;
    return plan;
  }
  /// At rest at amplitudes about 1, and on their way up there.
  static Batch starts(std::int64_t n, int n_invariants) {
    Batch batch(n, 4, n_invariants);
    for (std::int64_t k = 0; k < n; ++k) {
      batch.state[k] = std::cos(0.17 * static_cast<double>(k));
      batch.state[2 * n + k] = -std::sin(0.17 * static_cast<double>(k));
    }
    return batch;
  }
  std::unique_ptr<Backend> on_cpu(const RunPlan& plan, Isa isa, int threads) const {
    return make_cpu(plan, isa, threads, GetParam().solver, GetParam().precision, method(), table_of(GetParam()));
  }
  Outcome run(const RunPlan& plan, const Batch& batch, Isa isa = best_isa()) const {
    return run_all(*on_cpu(plan, isa, 1), batch, plan.last_step, plan.last_step);
  }
};

INSTANTIATE_TEST_SUITE_P(Every, FirstPassage,
                         ::testing::ValuesIn(long_cases({Precision::binary64, Precision::binary32})), case_name);

TEST_P(FirstPassage, IsThatOfTheOscillator) {
  constexpr std::int64_t n = 41, steps = 40;
  constexpr double value = 0.99;
  const Batch batch = starts(n, std::popcount(plan(value, true, false, true, steps).invariants));
  const struct { bool up, down; } directions[] = {{true, false}, {false, true}, {true, true}};
  std::int64_t within_a_step = 0;
  for (const auto& [up, down] : directions) {
    const RunPlan terminal = plan(value, up, down, true, steps);
    const Outcome outcome = run(terminal, batch);
    ASSERT_EQ(outcome.section.size(), n);
    for (std::int64_t k = 0; k < n; ++k) {
      // cos(phase + t) comes up to the value at -arccos of it, and down at arccos.
      const double phase = std::remainder(0.17 * static_cast<double>(k), 2 * pi), at = std::acos(value);
      const auto next = [&](double angle) { return angle > phase ? angle - phase : angle - phase + 2 * pi; };
      const double expected = up && down ? std::min(next(-at), next(at)) : up ? next(-at) : next(at);
      const double time = (static_cast<double>(outcome.section.step[k]) + outcome.section.theta[k]) * h;
      // The error of the step, over a slope of 0.14 there; measured: 2e-4 at most, by the methods of the least order.
      EXPECT_NEAR(time, expected, 2e-3) << k << ": " << up << down;
      EXPECT_EQ(outcome.batch.code[k], static_cast<std::uint8_t>(Status::event));
      EXPECT_EQ(outcome.batch.steps[k], outcome.section.step[k]);
      const double end = static_cast<double>(outcome.section.step[k] + 1) * h + phase;
      within_a_step += (std::cos(end - h) - value) * (std::cos(end) - value) > 0;
    }
  }
  EXPECT_GT(within_a_step, 3);
}

/// The end of every trajectory is its state before the step of its first point in the run without an end, and its point
/// is that.
TEST_P(FirstPassage, IsTheFirstPointOfTheRunWithoutAnEnd) {
  constexpr std::int64_t n = 41, steps = 40;
  for (const double value : {0.99, 0.9, 0.9999}) {
    RunPlan free = plan(value, true, true, false, steps), terminal = plan(value, true, true, true, steps);
    free.snapshots_every = 1;
    const Batch batch = starts(n, std::popcount(free.invariants));
    const Outcome all = run(free, batch), ended = run(terminal, batch);
    const std::int64_t rows = batch.dim + batch.n_invariants;
    std::int64_t j = 0;
    for (std::int64_t k = 0; k < n; ++k) {
      while (j < all.section.size() && all.section.trajectory[j] < k) ++j;
      ASSERT_TRUE(j < all.section.size() && all.section.trajectory[j] == k);
      ASSERT_LT(k, ended.section.size());
      EXPECT_EQ(ended.section.step[k], all.section.step[j]) << value << ", " << k;
      EXPECT_EQ(ended.section.theta[k], all.section.theta[j]) << value << ", " << k;
      for (int i = 0; i < batch.dim; ++i) {
        EXPECT_EQ(ended.section.state[k * batch.dim + i], all.section.state[j * batch.dim + i]);
        const std::int64_t step = ended.batch.steps[k];
        const double before = step > 0 ? all.snapshots[((step - 1) * rows + i) * n + k]
                              : GetParam().precision == Precision::binary32
                                  ? static_cast<double>(static_cast<float>(batch.state[i * n + k]))
                                  : batch.state[i * n + k];
        EXPECT_EQ(ended.batch.state[i * n + k], before) << value << ", " << k;
      }
    }
  }
}

TEST_P(FirstPassage, IsTheSameOnEveryInstructionSetInAnySegmentsAndOnTheReference) {
  constexpr std::int64_t n = 41, steps = 40;
  const RunPlan terminal = plan(0.99, true, false, true, steps);
  const Batch batch = starts(n, std::popcount(terminal.invariants));
  const Outcome whole = run(terminal, batch);
  for (const Isa isa : isas_of(*GetParam().method, GetParam().precision))
    expect_same_bits(run(terminal, batch, isa), whole, isa_names[static_cast<int>(isa)]);
  expect_same_bits(run_all(*on_cpu(terminal, best_isa(), 2), batch, steps, 3), whole, "segments of 3");
  if (GetParam().precision == Precision::binary32) return;
  const Outcome slow = run_all(*method().make_reference(terminal, table_of(GetParam())), batch, steps, steps);
  EXPECT_EQ(slow.batch.code, whole.batch.code);
  EXPECT_EQ(slow.batch.steps, whole.batch.steps);
  EXPECT_EQ(slow.section.step, whole.section.step);
  for (std::int64_t k = 0; k < n; ++k) EXPECT_NEAR(slow.section.theta[k], whole.section.theta[k], 1e-7) << k;
}

TEST_P(FirstPassage, IsTheSameOnCuda) {
  NEEDS_GPU();
  constexpr std::int64_t n = 41, steps = 40;
  const RunPlan terminal = plan(0.99, true, false, true, steps);
  const Batch batch = starts(n, std::popcount(terminal.invariants));
  const auto backend = make_cuda(terminal, method(), GetParam().solver, GetParam().precision, {}, table_of(GetParam()));
  for (const std::int64_t segment : {std::int64_t{3}, steps})
    expect_same_bits(run_all(*backend, batch, steps, segment), run(terminal, batch), "cuda");
}

}  // namespace
}  // namespace polhode::test

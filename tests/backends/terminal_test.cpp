// A terminal section ends a trajectory at its first crossing and changes nothing before: held against the run without,
// bit for bit, and against the reference.
#include <optional>

#include "backends/support.hpp"
#include "polhode/method/status.hpp"

namespace polhode::test {
namespace {

constexpr std::int64_t n = 65, steps = 128;
constexpr auto ended = static_cast<std::uint8_t>(Status::event);

class TerminalSection : public ::testing::TestWithParam<Case> {
 protected:
  const MethodEntry& method() const { return *GetParam().method; }

  RunPlan plan(bool terminal) const {
    RunPlan plan = example_plan(GetParam(), steps);
    plan.section.terminal = terminal;
    plan.snapshots_every = 1;
    return plan;
  }
  Outcome run(bool terminal, Isa isa, int threads, std::int64_t segment) const {
    return run_all(*make_cpu(plan(terminal), isa, threads, GetParam().solver, GetParam().precision, method()), batch,
                   steps, segment);
  }

  const Batch batch = random_ensemble(n, 20261122, 4, 3, method(), std::popcount(plan(false).invariants));
};

INSTANTIATE_TEST_SUITE_P(Every, TerminalSection,
                         ::testing::ValuesIn(all_cases({Precision::binary64, Precision::binary32})), case_name);

/// The reference computes in double precision only.
class TerminalSectionInDouble : public TerminalSection {};

INSTANTIATE_TEST_SUITE_P(Every, TerminalSectionInDouble, ::testing::ValuesIn(all_cases({Precision::binary64})),
                         case_name);

/// The place of each trajectory's first point.
std::vector<std::optional<std::int64_t>> first_points(const SectionPoints& points) {
  std::vector<std::optional<std::int64_t>> first(n);
  for (std::int64_t k = points.size() - 1; k >= 0; --k) first[points.trajectory[k]] = k;
  return first;
}

TEST_P(TerminalSection, EndsEachTrajectoryAtItsFirstCrossing) {
  const Outcome free = run(false, best_isa(), 1, steps), terminal = run(true, best_isa(), 1, steps);
  const auto first = first_points(free.section);
  const std::int64_t rows = batch.dim + batch.n_invariants, dim = batch.dim;
  const std::int64_t every = plan(true).invariants_every;
  const auto rounded = [](double x) {
    return GetParam().precision == Precision::binary32 ? static_cast<double>(static_cast<float>(x)) : x;
  };
  // State and, for m > 0, invariants of trajectory k after step m of the run without.
  const auto state = [&](std::int64_t m, std::int64_t k, std::int64_t i) {
    if (m > 0) return free.snapshots[((m - 1) * rows + i) * n + k];
    return rounded(batch.state[i * n + k]);  // a start is handed out as it was taken in
  };
  std::int64_t points = 0;
  for (std::int64_t k = 0; k < n; ++k) {
    if (!first[k]) {
      EXPECT_EQ(terminal.batch.code[k], free.batch.code[k]) << k;
      EXPECT_EQ(terminal.batch.steps[k], free.batch.steps[k]) << k;
      for (std::int64_t i = 0; i < dim; ++i)
        EXPECT_EQ(terminal.batch.state[i * n + k], free.batch.state[i * n + k]) << k;
      continue;
    }
    const std::int64_t step = free.section.step[*first[k]];
    EXPECT_EQ(terminal.batch.code[k], ended) << k;
    EXPECT_EQ(terminal.batch.steps[k], step) << k;
    for (std::int64_t i = 0; i < dim; ++i) EXPECT_EQ(terminal.batch.state[i * n + k], state(step, k, i)) << k;
    ASSERT_LT(points, terminal.section.size());
    EXPECT_EQ(terminal.section.trajectory[points], k);
    EXPECT_EQ(terminal.section.step[points], step);
    EXPECT_EQ(terminal.section.theta[points], free.section.theta[*first[k]]);
    for (std::int64_t i = 0; i < dim; ++i)
      EXPECT_EQ(terminal.section.state[points * dim + i], free.section.state[*first[k] * dim + i]);
    // Its invariants have been compared as far as it came.
    for (int i = 0; i < batch.n_invariants; ++i) {
      double drift = 0;
      for (std::int64_t m = every; m <= step; m += every)
        drift = std::max(drift, rounded(std::abs(state(m, k, dim + i) - free.batch.invariants[i * n + k])));
      EXPECT_EQ(terminal.batch.max_drift[i * n + k], drift) << k;
    }
    ++points;
  }
  EXPECT_EQ(terminal.section.size(), points);  // one for each, and none after it
  EXPECT_GT(points, n / 4);                    // or nothing was tested
  EXPECT_LT(points, n);
}

TEST_P(TerminalSection, HasTheSameBitsInAnySegmentsThreadsAndInstructionSets) {
  const Outcome whole = run(true, best_isa(), 1, steps);
  expect_same_bits(run(true, best_isa(), 1, 1), whole, "1 thread, segments of 1");
  expect_same_bits(run(true, best_isa(), 2, 17), whole, "2 threads, segments of 17");
  for (const Isa isa : isas_of(method(), GetParam().precision))
    if (isa != best_isa()) expect_same_bits(run(true, isa, 1, steps), whole, isa_names[static_cast<int>(isa)]);
}

/// An observable that is no column takes another way through the time loop of a pack. For chi = e3, height is Gamma3 to
/// the bit, and so must be everything else.
TEST(TerminalSectionOfNoColumn, EndsAsThatOfAColumnWithItsValues) {
  const Batch tops = random_tops(n, 20261124);
  for (const Precision precision : {Precision::binary64, Precision::binary32})
    for (const Isa isa : {Isa::scalar, Isa::avx2, Isa::avx512}) {
      if (!isa_supported(isa)) continue;
      const auto run = [&](const char* observable) {
        RunPlan plan = figure_plan(steps, 0, precision);
        plan.section = {heavy_top().find_observable(observable), 0.1, true, true, true};
        return run_all(*make_cpu(plan, isa, 1, 0, precision), tops, steps, 17);
      };
      const Outcome column = run("gamma3");
      expect_same_bits(run("height"), column, isa_names[static_cast<int>(isa)]);
      EXPECT_GT(column.section.size(), n / 4);
    }
}

TEST_P(TerminalSectionInDouble, EndsTheReferenceToo) {
  // Without the states that are so fast that an iteration decides whether they can be followed.
  const Batch slow = random_ensemble(has_slow_reference(method()) ? 4 : 16, 5, 1, 0, method(), batch.n_invariants);
  constexpr std::int64_t few = 60;  // steps, in which round-off stays far below what a step moves
  const RunPlan plan = this->plan(true);
  const Outcome reference = run_all(*method().make_reference(plan), slow, few, few);
  const Outcome fast =
      run_all(*make_cpu(plan, best_isa(), 1, GetParam().solver, Precision::binary64, method()), slow, few, few);
  EXPECT_EQ(fast.batch.code, reference.batch.code);
  EXPECT_EQ(fast.batch.steps, reference.batch.steps);
  EXPECT_EQ(fast.section.trajectory, reference.section.trajectory);
  EXPECT_EQ(fast.section.step, reference.section.step);
  EXPECT_GT(std::count(reference.batch.code.begin(), reference.batch.code.end(), ended), 0);
}

TEST_P(TerminalSection, HasTheSameBitsOnCuda) {
  NEEDS_GPU();
  const auto backend = make_cuda(plan(true), method(), GetParam().solver, GetParam().precision);
  const Outcome whole = run(true, best_isa(), 1, steps);
  for (const std::int64_t segment : {std::int64_t{1}, std::int64_t{17}, steps})
    expect_same_bits(run_all(*backend, batch, steps, segment), whole, "segments of " + std::to_string(segment));
}

}  // namespace
}  // namespace polhode::test

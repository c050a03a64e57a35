// The program's signature: a trajectory's bits depend on its initial state, the parameters and the method, and on
// nothing else. Every comparison here is of bits.
#include <cstdlib>

#include "backends/support.hpp"

namespace polhode::test {
namespace {

constexpr std::int64_t n = 257, steps = 1000;

struct Case {
  int variant;
  Precision precision;
};

class SameBits : public ::testing::TestWithParam<Case> {
 protected:
  Case test_case() const { return GetParam(); }

  Plan plan() const {
    Plan plan = figure_plan(steps, test_case().variant, test_case().precision);
    plan.snapshots_every = 250;
    return plan;
  }
  /// The plain scalar code on one thread in one segment: what everything else must reproduce.
  Outcome expected() const { return run(Isa::scalar, 1, tops, steps); }
  Outcome run(Isa isa, int threads, const Batch& batch, std::int64_t segment) const {
    const auto backend = make_cpu(plan(), isa, threads, test_case().variant, test_case().precision);
    return run_all(*backend, batch, steps, segment);
  }

  const Batch tops = random_tops(n, 20261120, 4, 3);
};

std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  return std::string(heavy_top_rattle().variants[info.param.variant].solver) +
         (info.param.precision == Precision::binary64 ? "_double" : "_single");
}

INSTANTIATE_TEST_SUITE_P(Rattle, SameBits,
                         ::testing::Values(Case{0, Precision::binary64}, Case{1, Precision::binary64},
                                           Case{0, Precision::binary32}, Case{1, Precision::binary32}),
                         case_name);

TEST_P(SameBits, OnEveryInstructionSet) {
  const Outcome scalar = expected();
  EXPECT_GT(scalar.section.size(), n);  // or the comparison would be empty
  EXPECT_GE(std::count(scalar.batch.code.begin(), scalar.batch.code.end(), 1), 3);
  int compared = 0;
  for (const Isa isa : {Isa::avx2, Isa::avx512}) {
    if (!isa_supported(isa)) continue;
    expect_same_bits(run(isa, 1, tops, steps), scalar, isa_names[static_cast<int>(isa)]);
    ++compared;
  }
  if (compared == 0) GTEST_SKIP() << "this processor has neither AVX2 nor AVX-512: nothing to compare";
}

TEST_P(SameBits, WithAnyThreadsAndSegments) {
  const Outcome whole = expected();
  for (const int threads : {1, 2})
    for (const std::int64_t segment : {1, 17, 1000})
      expect_same_bits(run(best_isa(), threads, tops, segment), whole,
                       std::to_string(threads) + " threads, segments of " + std::to_string(segment));
}

TEST_P(SameBits, AloneAndInAnyBatch) {
  const Outcome whole = expected();
  for (const std::int64_t size : {1, 7, 31, 33, 255, 257}) {
    // Alone is slow; every third will do.
    for (std::int64_t first = 0; first < n; first += size == 1 ? 3 : size) {
      const std::int64_t last = std::min(first + size, n);
      expect_same_bits(run(best_isa(), 1, part_of(tops, first, last), steps), part_of(whole, first, last),
                       "batch of " + std::to_string(size) + " from " + std::to_string(first));
    }
  }
}

TEST_P(SameBits, WhenCrossingsOverflowAndTheSegmentIsRepeated) {
  const Outcome whole = expected();
  const auto backend = make_cpu_backend(
      plan(),
      heavy_top_rattle().cpu[static_cast<int>(best_isa())]->kernels[test_case().variant]
                                                                   [static_cast<int>(test_case().precision)],
      best_isa(), {.threads = 2, .capacity = 1});  // raised to n, which some segment of 1000 steps exceeds
  backend->load(tops);
  EXPECT_TRUE(backend->advance({0, steps}).overflow);
  expect_same_bits(run_all(*backend, tops, steps, steps), whole, "after an overflow");
}

TEST_P(SameBits, OnCuda) {
  if (const std::string problem = cuda_problem(); !problem.empty()) {
    if (std::getenv("POLHODE_REQUIRE_GPU")) FAIL() << problem;
    GTEST_SKIP() << problem;
  }
  const Outcome whole = expected();
  const auto make = [&] {
    return make_cuda_backend(plan(),
                             heavy_top_rattle().cuda[test_case().variant][static_cast<int>(test_case().precision)], 6);
  };
  for (const std::int64_t segment : {1, 17, 1000}) {
    const auto backend = make();
    expect_same_bits(run_all(*backend, tops, steps, segment), whole, "cuda, segments of " + std::to_string(segment));
  }
  for (const std::int64_t size : {1, 7, 31, 33, 255}) {
    const auto backend = make();
    expect_same_bits(run_all(*backend, part_of(tops, 0, size), steps, steps), part_of(whole, 0, size),
                     "cuda, batch of " + std::to_string(size));
  }
}

TEST_P(SameBits, OnCudaWithManyTrajectoriesAndAnOverflow) {
  if (const std::string problem = cuda_problem(); !problem.empty()) {
    if (std::getenv("POLHODE_REQUIRE_GPU")) FAIL() << problem;
    GTEST_SKIP() << problem;
  }
  // More crossings in 300 steps than trajectories, to which the capacity of 1 is raised.
  constexpr std::int64_t many = 100000, few_steps = 300;
  const Batch batch = random_tops(many, 20261121, 4, 3);
  const auto cpu = make_cpu(plan(), best_isa(), 2, test_case().variant, test_case().precision);
  const Outcome expected = run_all(*cpu, batch, few_steps, few_steps);
  ASSERT_GT(expected.section.size(), many);
  const auto backend =
      make_cuda_backend(plan(), heavy_top_rattle().cuda[test_case().variant][static_cast<int>(test_case().precision)],
                        6, {.capacity = 1});
  backend->load(batch);
  EXPECT_TRUE(backend->advance({0, few_steps}).overflow);
  expect_same_bits(run_all(*backend, batch, few_steps, few_steps), expected, "cuda, after an overflow");
}

TEST(SameBitsIsATest, OneBitIsSeen) {
  const auto backend = make_cpu(figure_plan(50), best_isa(), 1);
  const Outcome outcome = run_all(*backend, random_tops(33, 1), 50, 50);
  Outcome flipped = outcome;
  flipped.batch.state[100] = std::nextafter(flipped.batch.state[100], 2.0);
  EXPECT_FALSE(same_bits(outcome.batch.state, flipped.batch.state));
}

}  // namespace
}  // namespace polhode::test

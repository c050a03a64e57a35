// The program's signature: a trajectory's bits depend on its initial state, the parameters and the method, and on
// nothing else. Every comparison here is of bits.
#include <bit>
#include <cstdlib>

#include "backends/support.hpp"

namespace polhode::test {
namespace {

constexpr std::int64_t n = 257, steps = 1000;
/// With gaps, so that a column is not its invariant; whether the function is constant does not matter to its bits.
constexpr std::uint32_t sparse_invariants = 0b1101011;

class SameBits : public ::testing::TestWithParam<Case> {
 protected:
  const MethodEntry& method() const { return *GetParam().method; }

  Plan plan() const {
    Plan plan = example_plan(method(), steps, GetParam().variant, GetParam().precision);
    plan.snapshots_every = 250;
    plan.invariants = invariants();
    return plan;
  }
  std::uint32_t invariants() const {
    return sparse_invariants & ((1u << find_system(method().system)->invariants.size()) - 1);
  }
  Batch ensemble(std::int64_t count, std::uint64_t seed) const {
    return random_ensemble(count, seed, 4, 3, method(), std::popcount(invariants()));
  }
  std::unique_ptr<Backend> make(const Plan& plan, Isa isa, const CpuOptions& options) const {
    const auto& kernels = method().cpu[static_cast<int>(isa)]->kernels[GetParam().variant];
    return make_cpu_backend(plan, kernels[static_cast<int>(GetParam().precision)], isa, options);
  }
  std::unique_ptr<Backend> make_on_gpu(const Plan& plan, const CudaOptions& options = {}) const {
    const auto& kernels = method().cuda[GetParam().variant];
    return make_cuda_backend(plan, kernels[static_cast<int>(GetParam().precision)], batch.dim, options);
  }
  /// The plain scalar code on one thread in one segment: what everything else must reproduce.
  Outcome expected() const { return run(Isa::scalar, 1, batch, steps); }
  Outcome run(Isa isa, int threads, const Batch& some, std::int64_t segment) const {
    return run_all(*make(plan(), isa, {.threads = threads}), some, steps, segment);
  }

  const Batch batch = ensemble(n, 20261120);
};

INSTANTIATE_TEST_SUITE_P(Every, SameBits, ::testing::ValuesIn(all_cases({Precision::binary64, Precision::binary32})),
                         case_name);

TEST_P(SameBits, OnEveryInstructionSet) {
  const Outcome scalar = expected();
  EXPECT_GT(scalar.section.size(), n);  // or the comparison would be empty
  EXPECT_LE(std::count(scalar.batch.code.begin(), scalar.batch.code.end(), 0), n - 3);
  int compared = 0;
  for (const Isa isa : {Isa::avx2, Isa::avx512}) {
    if (!isa_supported(isa)) continue;
    expect_same_bits(run(isa, 1, batch, steps), scalar, isa_names[static_cast<int>(isa)]);
    ++compared;
  }
  if (compared == 0) GTEST_SKIP() << "this processor has neither AVX2 nor AVX-512: nothing to compare";
}

TEST_P(SameBits, WithAnyThreadsAndSegments) {
  const Outcome whole = expected();
  for (const int threads : {1, 2})
    for (const std::int64_t segment : {1, 17, 1000})
      expect_same_bits(run(best_isa(), threads, batch, segment), whole,
                       std::to_string(threads) + " threads, segments of " + std::to_string(segment));
}

TEST_P(SameBits, AloneAndInAnyBatch) {
  const Outcome whole = expected();
  for (const std::int64_t size : {1, 7, 31, 33, 255, 257}) {
    // Alone is slow; every third will do.
    for (std::int64_t first = 0; first < n; first += size == 1 ? 3 : size) {
      const std::int64_t last = std::min(first + size, n);
      expect_same_bits(run(best_isa(), 1, part_of(batch, first, last), steps), part_of(whole, first, last),
                       "batch of " + std::to_string(size) + " from " + std::to_string(first));
    }
  }
}

TEST_P(SameBits, WhenCrossingsOverflowAndTheSegmentIsRepeated) {
  const Outcome whole = expected();
  // The capacity is raised to n, which some segment of 1000 steps exceeds.
  const auto backend = make(plan(), best_isa(), {.threads = 2, .capacity = 1});
  backend->load(batch);
  EXPECT_TRUE(backend->advance({0, steps}).overflow);
  expect_same_bits(run_all(*backend, batch, steps, steps), whole, "after an overflow");
}

TEST_P(SameBits, OnCuda) {
  if (const std::string problem = cuda_problem(); !problem.empty()) {
    if (std::getenv("POLHODE_REQUIRE_GPU")) FAIL() << problem;
    GTEST_SKIP() << problem;
  }
  const Outcome whole = expected();
  for (const std::int64_t segment : {1, 17, 1000}) {
    const auto backend = make_on_gpu(plan());
    expect_same_bits(run_all(*backend, batch, steps, segment), whole, "cuda, segments of " + std::to_string(segment));
  }
  for (const std::int64_t size : {1, 7, 31, 33, 255}) {
    const auto backend = make_on_gpu(plan());
    expect_same_bits(run_all(*backend, part_of(batch, 0, size), steps, steps), part_of(whole, 0, size),
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
  const Batch large = ensemble(many, 20261121);
  const Outcome expected = run_all(*make(plan(), best_isa(), {.threads = 2}), large, few_steps, few_steps);
  ASSERT_GT(expected.section.size(), many);
  const auto backend = make_on_gpu(plan(), {.capacity = 1});
  backend->load(large);
  EXPECT_TRUE(backend->advance({0, few_steps}).overflow);
  expect_same_bits(run_all(*backend, large, few_steps, few_steps), expected, "cuda, after an overflow");
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

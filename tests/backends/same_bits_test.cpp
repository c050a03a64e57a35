// The program's signature: a trajectory's bits depend on its initial state, the parameters and the method, and on
// nothing else. Every comparison here is of bits.
#include <bit>

#include "backends/support.hpp"

namespace polhode::test {
namespace {

constexpr std::int64_t n = 257;
/// With gaps, so that a column is not its invariant; whether the function is constant does not matter to its bits.
constexpr std::uint32_t sparse_invariants = 0b1101011;

class SameBits : public ::testing::TestWithParam<Case> {
 protected:
  const MethodEntry& method() const { return *GetParam().method; }
  const SystemEntry& system() const { return *find_system(method().system); }
  /// Whether plain scalar code is slow on it, and methods on such systems are many: what they do in fewer steps will
  /// do.
  bool is_slow() const { return !is_top(system()); }
  /// Atoms of chains are too slow to cross a section twice in the steps of a test.
  bool can_overflow() const { return find_system(method().system)->family != std::string("molecule-chain"); }

  RunPlan plan() const {
    RunPlan plan = example_plan(GetParam(), steps);
    plan.snapshots_every = steps / 4;
    plan.invariants = invariants();
    return plan;
  }
  std::uint32_t invariants() const {
    return sparse_invariants & ((1u << find_system(method().system)->invariants.size()) - 1);
  }
  Batch ensemble(std::int64_t count, std::uint64_t seed) const {
    return random_ensemble(count, seed, 4, 3, method(), std::popcount(invariants()));
  }
  std::unique_ptr<Backend> make(const RunPlan& plan, Isa isa, const CpuOptions& options) const {
    return make_cpu_backend(plan, method().kernels(GetParam().solver, GetParam().precision, isa, table_of(GetParam())),
                            isa, options);
  }
  std::unique_ptr<Backend> make_on_gpu(const RunPlan& plan, const CudaOptions& options = {}) const {
    return make_cuda(plan, method(), GetParam().solver, GetParam().precision, options, table_of(GetParam()));
  }
  /// On one thread in one segment: what everything else must reproduce.
  Outcome expected() const { return run(best_isa(), 1, batch, steps); }
  Outcome run(Isa isa, int threads, const Batch& some, std::int64_t segment) const {
    return run_all(*make(plan(), isa, {.threads = threads}), some, steps, segment);
  }

  /// Trajectories that cross the section twice or more, in turn, `count` in all: they overflow a list of `count`.
  Batch busy_ensemble(std::int64_t count) const {
    const SectionPoints points = expected().section;
    std::vector<std::int64_t> busy;
    for (std::int64_t k = 1; k < points.size(); ++k)
      if (points.trajectory[k] == points.trajectory[k - 1] && (busy.empty() || busy.back() != points.trajectory[k]))
        busy.push_back(points.trajectory[k]);
    if (busy.empty()) throw std::logic_error("no trajectory crosses twice");
    Batch many(count, batch.dim, batch.n_invariants);
    for (std::int64_t k = 0; k < count; ++k)
      for (int i = 0; i < batch.dim; ++i)
        many.state[i * count + k] = batch.state[i * n + busy[k % static_cast<std::int64_t>(busy.size())]];
    return many;
  }

  /// Steps of two pendula in a chart are slow, too, and variational ones of many coordinates the slowest.
  const std::int64_t steps = system().dim > 18       ? (is_named(method(), {"variational"}) ? 32 : 64)
                             : is_in_chart(system()) ? 512
                             : is_slow()             ? 128
                                                     : 1000;
  const Batch batch = ensemble(n, 20261120);
};

INSTANTIATE_TEST_SUITE_P(Every, SameBits, ::testing::ValuesIn(all_cases({Precision::binary64, Precision::binary32})),
                         case_name);

INSTANTIATE_TEST_SUITE_P(Composed, SameBits,
                         ::testing::ValuesIn(composed_cases({Precision::binary64, Precision::binary32})), case_name);

TEST_P(SameBits, OnEveryInstructionSet) {
  const std::vector<Isa> isas = isas_of(method(), GetParam().precision);
  const Outcome first = run(isas.front(), 1, batch, steps);
  // Or the comparison would be empty.
  EXPECT_GT(first.section.size(), is_slow() ? n / 4 : n);
  const auto finished = std::count(first.batch.code.begin(), first.batch.code.end(), 0);
  if (!is_named(*GetParam().method, {"mclachlan-reich", "touma-wisdom"})) {
    EXPECT_LE(finished, n - 3);  // that cannot converge
  }
  EXPECT_GT(finished, n / 2);
  if (isas.size() == 1)
    GTEST_SKIP() << "left out (support/kernels_under_test.hpp): sets other than "
                 << isa_names[static_cast<int>(isas.front())];
  for (const Isa isa : isas)
    if (isa != isas.front()) expect_same_bits(run(isa, 1, batch, steps), first, isa_names[static_cast<int>(isa)]);
}

TEST_P(SameBits, WithAnyThreadsAndSegments) {
  const Outcome whole = expected();
  for (const int threads : {1, 2})
    for (const std::int64_t segment : {std::int64_t{1}, std::int64_t{17}, steps})
      expect_same_bits(run(best_isa(), threads, batch, segment), whole,
                       std::to_string(threads) + " threads, segments of " + std::to_string(segment));
}

TEST_P(SameBits, AloneAndInAnyBatch) {
  const Outcome whole = expected();
  for (const std::int64_t size : {1, 7, 31, 33, 255, 257}) {
    // Alone is slow: every third, or eleventh, will do. Both meet trajectories that are fast and that fail.
    const std::int64_t stride = size > 1 ? size : is_slow() ? 11 : 3;
    for (std::int64_t first = 0; first < n; first += stride) {
      const std::int64_t last = std::min(first + size, n);
      expect_same_bits(run(best_isa(), 1, part_of(batch, first, last), steps), part_of(whole, first, last),
                       "batch of " + std::to_string(size) + " from " + std::to_string(first));
    }
  }
}

TEST_P(SameBits, WhenCrossingsOverflowAndTheSegmentIsRepeated) {
  if (!can_overflow())
    GTEST_SKIP() << "atoms of this system are too slow to cross a section twice in the steps of this test, so that no "
                    "list of crossings can overflow";
  const Batch busy = busy_ensemble(n);
  const Outcome whole = run(best_isa(), 1, busy, steps);
  ASSERT_GT(whole.section.size(), n);  // to which the capacity of 1 is raised
  // Every thread has a list; two would share what is little more than one holds.
  const auto backend = make(plan(), best_isa(), {.threads = is_slow() ? 1 : 2, .capacity = 1});
  backend->load(busy);
  EXPECT_TRUE(backend->advance({0, steps})->overflow);
  expect_same_bits(run_all(*backend, busy, steps, steps), whole, "after an overflow");
}

TEST_P(SameBits, OnCuda) {
  NEEDS_GPU();
  const Outcome whole = expected();
  for (const std::int64_t segment : {std::int64_t{1}, std::int64_t{17}, steps}) {
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
  NEEDS_GPU();
  const std::int64_t many = is_slow() ? 10000 : 100000;
  for (const bool overflows : {false, true}) {
    if (overflows && !can_overflow()) break;
    const Batch large = overflows ? busy_ensemble(many) : ensemble(many, 20261121);
    const Outcome expected = run_all(*make(plan(), best_isa(), {.threads = 2}), large, steps, steps);
    const auto backend = make_on_gpu(plan(), overflows ? CudaOptions{.capacity = 1} : CudaOptions{});
    if (overflows) {
      ASSERT_GT(expected.section.size(), many);  // to which the capacity of 1 is raised
      backend->load(large);
      EXPECT_TRUE(backend->advance({0, steps})->overflow);
    }
    expect_same_bits(run_all(*backend, large, steps, steps), expected,
                     overflows ? "cuda, after an overflow" : "cuda, many trajectories");
  }
}

TEST(SameBitsIsATest, OneBitIsSeen) {
  // In any array, in its first, a middle and its last element, at either end of the element.
  RunPlan plan = figure_plan(200);
  plan.snapshots_every = 50;
  Batch tops(shape_of(plan, 33, heavy_top().dim));
  tops.state = random_tops(33, 1).state;
  const Outcome outcome = run_all(*make_cpu(plan, best_isa(), 1), tops, 200, 200);
  EXPECT_EQ(different_arrays(outcome, outcome), std::vector<std::string>{});
  Outcome flipped = outcome;
  const auto flip = [&](auto& array, const std::string& name) {
    ASSERT_GT(array.size(), 2u) << name;
    for (const std::size_t k : {std::size_t{0}, array.size() / 2, array.size() - 1})
      for (const std::size_t byte : {std::size_t{0}, sizeof(array[k]) - 1}) {
        auto* const bits = reinterpret_cast<unsigned char*>(&array[k]) + byte;
        const unsigned char mask = byte == 0 ? 1 : 0x80;  // the last bit of the number and its sign
        *bits ^= mask;
        EXPECT_EQ(different_arrays(outcome, flipped), std::vector<std::string>{name}) << "element " << k;
        *bits ^= mask;
      }
  };
  for_carried([&](const CarriedColumn& column, auto& array) { flip(array, column.name); }, flipped.batch);
  flip(flipped.section.trajectory, "section trajectories");
  flip(flipped.section.step, "section steps");
  flip(flipped.section.theta, "section times");
  flip(flipped.section.state, "section points");
  flip(flipped.snapshots, "snapshots");
  EXPECT_EQ(different_arrays(outcome, flipped), std::vector<std::string>{});
  flipped.section.state.pop_back();  // and a missing number
  EXPECT_EQ(different_arrays(outcome, flipped), std::vector<std::string>{"section points"});
}

/// What statistics are merged from.
TEST(PreferredBatch, IsAPowerOfTwoForAnyThreads) {
  for (int threads = 1; threads <= 9; ++threads) {
    const std::int64_t preferred = make_cpu(figure_plan(1), best_isa(), threads)->preferred_batch();
    EXPECT_GE(preferred, 1024) << threads;
    EXPECT_TRUE(std::has_single_bit(static_cast<std::uint64_t>(preferred))) << threads;
  }
}

}  // namespace
}  // namespace polhode::test

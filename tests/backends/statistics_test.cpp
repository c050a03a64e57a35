// Statistics where the states are: the same from any backend, instruction set, threads and segments, and what their
// definition (observer/moments.hpp), written out here, gives for the states that the same run hands out.
#include <bit>
#include <cmath>

#include "backends/support.hpp"

namespace polhode::test {
namespace {

constexpr std::int64_t n = 2100, steps = 12;  // three blocks, the last one shorter; no multiple of a pack
constexpr std::int64_t bins = 5;

/// The first wrapped angle among the observables, or -1.
int wrapped_angle(const SystemEntry& system) {
  const auto found = std::ranges::find(system.observables, Angle::wrapped, &Quantity::angle);
  return found == system.observables.end() ? -1 : static_cast<int>(found - system.observables.begin());
}

/// Statistics every 4 steps and snapshots every 2, so that some stored states serve one of them and some both.
RunPlan plan_of(const MethodEntry& method, Precision precision) {
  RunPlan plan = example_plan(method, steps, 0, precision);
  plan.section.observable = -1;
  plan.snapshots_every = 2;
  plan.statistics_every = 4;
  plan.statistics = {.bins = bins, .count = 3, .axes = {}};
  const SystemEntry& system = *find_system(method.system);
  const int last = static_cast<int>(system.observables.size()) - 1, angle = wrapped_angle(system);
  plan.statistics.axes[0] = {0, -0.5, 0.5};
  plan.statistics.axes[1] = {last, 0, 1};
  plan.statistics.axes[2] = {1, -0.01, 0.3};
  if (angle >= 0) plan.statistics.axes[plan.statistics.count++] = {angle, -3, 3};
  for (int i = 0; i < plan.statistics.count; ++i)
    if (system.observables[plan.statistics.axes[i].observable].angle == Angle::wrapped)
      plan.statistics.wrapped |= std::uint64_t{1} << i;
  return plan;
}

/// Some of which fail in their first step.
Batch ensemble(const MethodEntry& method, const RunPlan& plan) {
  Batch batch = random_ensemble(n, 28, 1, 0, method, std::popcount(plan.invariants));
  for (std::int64_t k = 5; k < n; k += 9)
    for (int i = 0; i < batch.dim; ++i) batch.state[i * n + k] *= 1e200;
  return batch;
}

/// In the order of the definition: sums by 32 lanes, each of every 32nd trajectory of a block, then in pairs.
double in_lanes(const std::vector<double>& of_block, const std::vector<bool>& counts) {
  std::vector<double> lane(32);
  for (std::size_t k = 0; k < of_block.size(); ++k)
    if (counts[k]) lane[k % 32] += of_block[k];
  for (std::size_t half = 16; half > 0; half /= 2)
    for (std::size_t l = 0; l < half; ++l) lane[l] += lane[l + half];
  return lane[0];
}

/// of(x) of all values.
template <class F>
std::vector<double> of_each(std::vector<double> values, const F& of) {
  for (double& x : values) x = of(x);
  return values;
}

/// Of the values of all trajectories, without those that do not count; blocks 0 and 1 first, then block 2. Of angles
/// the mean direction and the squares of the chords to it.
SampleMoments moments_of(const std::vector<double>& values, const std::vector<bool>& counts, bool is_wrapped) {
  std::vector<SampleMoments> blocks;
  for (std::int64_t first = 0; first < n; first += 1024) {
    const auto size = std::min<std::int64_t>(1024, n - first);
    std::vector<double> some(values.begin() + first, values.begin() + first + size);
    const std::vector<bool> here(counts.begin() + first, counts.begin() + first + size);
    SampleMoments block;
    block.count = static_cast<double>(std::count(here.begin(), here.end(), true));
    if (is_wrapped) {
      const double sines = in_lanes(of_each(some, [](double x) { return sin_cos(x).sin; }), here),
                   cosines = in_lanes(of_each(some, [](double x) { return sin_cos(x).cos; }), here);
      block.mean = std::isfinite(cosines) ? azimuth(sines, cosines) : cosines;  // of angles that are not all known
    } else {
      block.mean = in_lanes(some, here) / block.count;
    }
    for (std::size_t k = 0; k < some.size(); ++k) {
      if (!here[k]) continue;
      block.least = std::min(block.least, some[k]);
      block.largest = std::max(block.largest, some[k]);
      const double deviation = some[k] - block.mean, sine = sin_cos(0.5 * deviation).sin;
      some[k] = is_wrapped ? 4 * (sine * sine) : deviation * deviation;
    }
    block.squares = in_lanes(some, here);
    blocks.push_back(block);
  }
  const auto merged = is_wrapped ? merge_wrapped : merge;
  return merged(merged(blocks[0], blocks[1]), blocks[2]);
}

/// From the states that a run hands out.
std::vector<SliceStatistics> expected(const MethodEntry& method, const RunPlan& plan, const Batch& start,
                                      const Outcome& outcome) {
  const SystemEntry& system = *find_system(method.system);
  const std::int64_t dim = start.dim, rows = dim + start.n_invariants;
  std::vector<SliceStatistics> all;
  for (std::int64_t step = 0; step <= steps; step += plan.statistics_every) {
    const double* const states =
        step == 0 ? start.state.data() : outcome.snapshots.data() + (step / plan.snapshots_every - 1) * rows * n;
    SliceStatistics slice{{}, std::vector<std::int64_t>(plan.statistics.count * (bins + 2))};
    for (int i = 0; i < plan.statistics.count; ++i) {
      const auto [observable, low, high] = plan.statistics.axes[i];
      std::vector<double> values(n), x(dim);
      std::vector<bool> counts(n);
      for (std::int64_t k = 0; k < n; ++k) {
        for (std::int64_t j = 0; j < dim; ++j) x[j] = states[j * n + k];
        values[k] = system.observe(plan.parameters, observable, x.data());
        counts[k] = outcome.batch.steps[k] >= step;
        if (!counts[k]) continue;
        std::int64_t cell = bins + 1;
        if (values[k] < low)
          cell = bins;
        else if (values[k] < high)
          cell = std::min(bins - 1, static_cast<std::int64_t>(std::floor((values[k] - low) / (high - low) * bins)));
        ++slice.counts[i * (bins + 2) + cell];
      }
      slice.moments.push_back(moments_of(values, counts, plan.statistics.wrapped >> i & 1));
    }
    all.push_back(slice);
  }
  return all;
}

/// Bit for bit; but a NaN, as of energies that have overflowed, has other bits on other devices.
bool same_moments(const std::vector<SampleMoments>& a, const std::vector<SampleMoments>& b) {
  const auto same = [](double x, double y) { return (x != x && y != y) || std::memcmp(&x, &y, sizeof(x)) == 0; };
  return std::ranges::equal(a, b, [&](const SampleMoments& x, const SampleMoments& y) {
    return same(x.count, y.count) && same(x.mean, y.mean) && same(x.squares, y.squares) && same(x.least, y.least) &&
           same(x.largest, y.largest);
  });
}

void expect_same(const std::vector<SliceStatistics>& found, const std::vector<SliceStatistics>& wanted,
                 const std::string& what) {
  ASSERT_EQ(found.size(), wanted.size()) << what;
  for (std::size_t t = 0; t < found.size(); ++t) {
    EXPECT_TRUE(same_moments(found[t].moments, wanted[t].moments)) << what << ", time " << t;
    EXPECT_EQ(found[t].counts, wanted[t].counts) << what << ", time " << t;
  }
}

TEST(StatisticsWhereTheStatesAre, AreThoseOfTheDefinitionOnEveryInstructionSet) {
  for (const MethodEntry& method : methods())
    for (const Precision precision : {Precision::binary64, Precision::binary32}) {
      const RunPlan plan = plan_of(method, precision);
      const Batch start = ensemble(method, plan);
      for (const Isa isa : isas_of(method, precision)) {
        const auto backend = make_cpu_backend(plan, method.kernels(0, precision, isa), isa, {.threads = 1});
        const Outcome outcome = run_all(*backend, start, steps, steps);
        const std::vector<SliceStatistics> wanted = expected(method, plan, start, outcome);
        EXPECT_LT(wanted.back().moments[0].count, n);
        EXPECT_GT(wanted.back().moments[0].count, n / 2);
        expect_same(outcome.statistics, wanted,
                    std::string(method.system) + ", " + method.name + ", " + isa_names[static_cast<int>(isa)]);
      }
    }
}

TEST(StatisticsWhereTheStatesAre, HaveTheSameBitsForAnyThreadsSegmentsAndSnapshots) {
  const MethodEntry& method = heavy_top_rattle();
  RunPlan plan = plan_of(method, Precision::binary64);
  const Batch start = ensemble(method, plan);
  const auto run = [&](int threads, std::int64_t segment) {
    return run_all(*make_cpu(plan, best_isa(), threads), start, steps, segment);
  };
  const Outcome whole = run(1, steps);
  for (const int threads : {1, 2, 3})
    for (const std::int64_t segment : {1, 3, 4, 7})
      expect_same(run(threads, segment).statistics, whole.statistics, "segments of " + std::to_string(segment));
  for (const std::int64_t every : {0, 1, 3, 4, 100}) {
    plan.snapshots_every = every;
    const Outcome outcome = run(2, 5);
    expect_same(outcome.statistics, whole.statistics, "snapshots every " + std::to_string(every));
    const std::int64_t handed_out = every > 0 ? steps / every : 0;
    EXPECT_EQ(std::ssize(outcome.snapshots), handed_out * (start.dim + start.n_invariants) * n) << every;
  }
}

TEST(StatisticsWhereTheStatesAre, AreThoseOfTheDefinitionOnTheReference) {
  const MethodEntry& method = heavy_top_rattle();
  const RunPlan plan = plan_of(method, Precision::binary64);
  const Batch start = ensemble(method, plan);
  const Outcome outcome = run_all(*method.make_reference(plan), start, steps, 7);
  expect_same(outcome.statistics, expected(method, plan, start, outcome), "reference");
}

TEST(StatisticsWhereTheStatesAre, AreThoseOfTheDefinitionOnCuda) {
  NEEDS_GPU();
  for (const MethodEntry& method : methods())
    for (const Precision precision : {Precision::binary64, Precision::binary32}) {
      const RunPlan plan = plan_of(method, precision);
      const Batch start = ensemble(method, plan);
      const auto backend = make_cuda(plan, method, 0, precision);
      const Outcome outcome = run_all(*backend, start, steps, 5);
      expect_same(outcome.statistics, expected(method, plan, start, outcome),
                  std::string(method.system) + ", " + method.name);
    }
}

}  // namespace
}  // namespace polhode::test

// What a run takes from its section points: the same, whether the threads that integrate make the selection or the one
// that writes.
#include "integration/point_selection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "backends/figure_run.hpp"

namespace polhode::test {
namespace {

constexpr std::uint32_t outside = 16 * 16;

/// Points of the figure's section with pi2 > 0.1, counted in cells of (pi2, pi3).
ResolvedRun figure_with_density(bool with_points) {
  ResolvedRun run;
  run.system = &heavy_top();
  const Plan plan = figure_plan(1);
  run.parameters.assign(std::begin(plan.parameters), std::end(plan.parameters));
  SectionSpec& section = run.spec.section.emplace();
  section.where = "pi2 > 0.1";
  section.points = with_points;
  run.section = 5;
  run.spec.density = DensitySpec{.axes = {"pi2", "pi3"}, .bins = {16, 16}, .range = {{{-0.8, 0.8}, {-0.8, 0.8}}}};
  run.axes = {1, 2};
  return run;
}

TEST(Selection, IsThatOfAllPointsForAnyThreadsAndSegments) {
  constexpr std::int64_t steps = 3000;
  const Plan plan = figure_plan(steps);
  const Batch batch = figure_grid(6);
  const auto make = [&](const CpuOptions& options) {
    return make_cpu_backend(plan, heavy_top_rattle().cpu[static_cast<int>(best_isa())]->kernels[0][0], best_isa(),
                            options);
  };
  for (const bool with_points : {true, false}) {
    const ResolvedRun run = figure_with_density(with_points);
    const SectionDensity density(run);
    const RunSelection selection(run, &density);
    Outcome all = run_all(*make({.threads = 1}), batch, steps, steps);
    EXPECT_EQ(all.repeated, 0);
    const std::int64_t crossings = all.section.size();
    std::vector<std::int64_t> section_count(batch.n);
    selection.select(all.section, all.tally, section_count.data());
    EXPECT_EQ(std::accumulate(section_count.begin(), section_count.end(), std::int64_t{0}), all.tally.found);
    std::sort(all.tally.cells.begin(), all.tally.cells.end());
    EXPECT_GT(all.tally.found, 100);
    EXPECT_LT(all.tally.found, crossings - 100);
    EXPECT_EQ(std::ssize(all.tally.cells), all.tally.found);
    for (const int threads : {1, 2})
      for (const bool overflows : {false, true}) {
        const auto options = overflows ? CpuOptions{.threads = threads, .capacity = 1} : CpuOptions{.threads = threads};
        const Outcome taken = run_all(*make(options), batch, steps, steps, &selection);
        EXPECT_EQ(taken.repeated > 0, overflows);
        EXPECT_EQ(taken.tally.found, all.tally.found);
        EXPECT_EQ(taken.tally.unrefined, 0);
        EXPECT_EQ(taken.tally.cells, all.tally.cells);
        EXPECT_EQ(taken.section_count, section_count);
        EXPECT_EQ(taken.section.size(), with_points ? all.tally.found : 0);
        if (!with_points) continue;
        EXPECT_TRUE(same_bits(taken.section.trajectory, all.section.trajectory));
        for (std::int64_t k = 0; k < batch.n; ++k)
          EXPECT_EQ(std::ranges::count(taken.section.trajectory, k), section_count[k]);
        EXPECT_TRUE(same_bits(taken.section.step, all.section.step));
        EXPECT_TRUE(same_bits(taken.section.theta, all.section.theta));
        EXPECT_TRUE(same_bits(taken.section.state, all.section.state));
      }
  }
}

TEST(Selection, DropsJumpsAndWhatIsNotRefined) {
  constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const double theta[] = {0.5, nan, inf, 0.25, 1, 0.75}, pi2[] = {0.15, 0.2, 0.2, -0.3, 0.75, 2};
  for (const bool with_points : {true, false}) {
    const ResolvedRun run = figure_with_density(with_points);
    const SectionDensity density(run);
    const RunSelection selection(run, &density);
    SectionPoints points;
    points.dim = 6;
    points.resize(6);
    for (int k = 0; k < 6; ++k) {
      points.trajectory[k] = 10 + k;
      points.step[k] = 20 + k;
      points.theta[k] = theta[k];
      points.state[6 * k + 1] = pi2[k];
    }
    PointTally tally{.found = 7, .unrefined = 7, .cells = {7}};
    std::vector<std::int64_t> section_count(16, 2);
    selection.select(points, tally, section_count.data());
    for (std::int64_t k = 0; k < 16; ++k) EXPECT_EQ(section_count[k], k == 10 || k == 14 || k == 15 ? 3 : 2) << k;
    EXPECT_EQ(tally.found, 3);
    EXPECT_EQ(tally.unrefined, 1);
    EXPECT_EQ(tally.cells, (std::vector<std::uint32_t>{9 * 16 + 8, 15 * 16 + 8, outside}));
    if (!with_points) continue;
    EXPECT_EQ(points.trajectory, (std::pmr::vector<std::int64_t>{10, 14, 15}));
    EXPECT_EQ(points.step, (std::pmr::vector<std::int64_t>{20, 24, 25}));
    EXPECT_EQ(points.theta, (std::pmr::vector<double>{0.5, 1, 0.75}));
    ASSERT_EQ(points.state.size(), 18u);
    EXPECT_EQ(points.state[6 + 1], 0.75);
    EXPECT_EQ(points.state[12 + 1], 2);
  }
}

}  // namespace
}  // namespace polhode::test

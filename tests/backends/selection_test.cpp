// What a run takes from the points of its section: the same from any backend, and what an independent evaluation of
// every point takes.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "backends/figure_run.hpp"

namespace polhode::test {
namespace {

constexpr int pi2 = 1, pi3 = 2, energy = 6;
constexpr int bins = 16;
constexpr std::uint32_t outside = bins * bins;

/// Points of the figure's section with pi2 > 0.1 and energy < 1.0, counted in cells of (pi2, pi3).
PointSelection figure_selection(bool with_points) {
  PointSelection selection{.where = {.count = 2, .comparisons = {}}, .axes = {}, .points = with_points};
  selection.where.comparisons[0] = {pi2, Relation::greater, 0.1};
  selection.where.comparisons[1] = {energy, Relation::less, 1.0};
  for (int i = 0; i < 2; ++i) selection.axes[i] = {i == 0 ? pi2 : pi3, bins, -0.8, 0.8};
  return selection;
}

/// Of a plane as figure_selection has it, by looking at every edge.
std::uint32_t cell_among_edges(double value_2, double value_3) {
  const auto place = [](double value) {
    int cell = -1;
    while (cell < bins && value >= -0.8 + 0.1 * (cell + 1)) ++cell;
    return cell;
  };
  const int row = place(value_2), column = place(value_3);
  const auto is_in = [](int cell) { return cell >= 0 && cell < bins; };
  return is_in(row) && is_in(column) ? static_cast<std::uint32_t>(row * bins + column) : outside;
}

/// What figure_selection takes from all points of a section.
Outcome selected_from(const Outcome& all) {
  Outcome some;
  some.batch.section_count.resize(all.batch.n);
  some.counts.resize(bins * bins + 1);
  std::vector<std::int64_t> order;
  for (std::int64_t k = 0; k < all.section.size(); ++k) {
    const double* const x = all.section.state.data() + 6 * k;
    if (!(x[pi2] > 0.1) || !(heavy_top().observe(figure_top.data(), energy, x) < 1.0)) continue;
    order.push_back(k);
    ++some.batch.section_count[all.section.trajectory[k]];
    ++some.counts[cell_among_edges(x[pi2], x[pi3])];
  }
  some.found = std::ssize(order);
  some.section = all.section.reordered(order);
  return some;
}

/// Runs the figure on a backend that make(plan) makes: it takes what it should.
template <class Make>
void expect_selection(const Make& make, const Batch& batch, std::int64_t steps, const std::string& what) {
  RunPlan plan = figure_plan(steps);
  const Outcome all = run_all(*make(plan), batch, steps, steps), some = selected_from(all);
  EXPECT_EQ(all.found, all.section.size()) << what;
  EXPECT_GT(some.found, 20) << what;
  EXPECT_LT(some.found, all.found - 20) << what;
  EXPECT_GT(some.counts[outside], 0) << what;
  for (const bool with_points : {true, false}) {
    plan.selection = figure_selection(with_points);
    const Outcome taken = run_all(*make(plan), batch, steps, steps);
    EXPECT_EQ(taken.found, some.found) << what;
    EXPECT_EQ(taken.unrefined, all.unrefined) << what;
    EXPECT_EQ(taken.counts, some.counts) << what;
    EXPECT_EQ(taken.batch.section_count, some.batch.section_count) << what;
    EXPECT_EQ(taken.section.size(), with_points ? some.section.size() : 0) << what;
    if (!with_points) continue;
    EXPECT_TRUE(same_bits(taken.section.trajectory, some.section.trajectory)) << what;
    EXPECT_TRUE(same_bits(taken.section.step, some.section.step)) << what;
    EXPECT_TRUE(same_bits(taken.section.theta, some.section.theta)) << what;
    EXPECT_TRUE(same_bits(taken.section.state, some.section.state)) << what;
  }
}

TEST(Selection, IsThatOfEveryPointForAnyThreadsAndSegments) {
  for (const Precision precision : {Precision::binary64, Precision::binary32})
    for (const Isa isa : {Isa::scalar, best_isa()})
      for (const int threads : {1, 2})
        for (const std::int64_t capacity : {std::int64_t{1} << 20, std::int64_t{1}}) {  // which segments overflow
          const auto make = [&](const RunPlan& plan) {
            return make_cpu_backend(plan, heavy_top_rattle().kernels(0, precision, isa), isa,
                                    {.threads = threads, .capacity = capacity});
          };
          expect_selection(make, figure_grid(6), 3000,
                           std::string(isa_names[static_cast<int>(isa)]) + ", threads " + std::to_string(threads) +
                               ", capacity " + std::to_string(capacity));
        }
}

TEST(Selection, CountsOnceWhatARepeatedSegmentHas) {
  const RunPlan plan = [] {
    RunPlan plan = figure_plan(3000);
    plan.selection = figure_selection(true);
    return plan;
  }();
  const Batch batch = figure_grid(6);
  const CpuKernels kernels = heavy_top_rattle().kernels(0, Precision::binary64, best_isa());
  const auto run = [&](const CpuOptions& options) {
    return run_all(*make_cpu_backend(plan, kernels, best_isa(), options), batch, 3000, 3000);
  };
  const Outcome whole = run({.threads = 1}), repeated = run({.threads = 1, .capacity = 1});
  EXPECT_EQ(whole.repeated, 0);
  EXPECT_GT(repeated.repeated, 0);
  expect_same_bits(repeated, whole, "after overflows");
  EXPECT_EQ(repeated.found, whole.found);
  EXPECT_EQ(repeated.counts, whole.counts);
  const std::vector<std::int64_t>& counts = repeated.batch.section_count;
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}), repeated.section.size());
}

/// Threads count the cells of a segment when they begin the next one; there may be no work for some of them then.
TEST(Selection, CountsWhatTheThreadsOfAnEarlierSliceHaveFound) {
  constexpr std::int64_t steps = 20000;
  RunPlan plan = figure_plan(steps);
  plan.selection = figure_selection(false);
  const Batch large = figure_grid(24), small = part_of(large, 0, 8);
  const CpuKernels kernels = heavy_top_rattle().kernels(0, Precision::binary64, best_isa());
  const auto backend = make_cpu_backend(plan, kernels, best_isa(), {.threads = 3, .capacity = large.n});
  std::int64_t found = 0, repeated = 0;
  for (const Batch* batch : {&large, &small}) {
    backend->load(*batch);
    repeated = advance_in_segments(*backend, 0, steps, steps,
                                   [&](const Segment&, const SegmentResult& result) { found += result.found; });
  }
  EXPECT_GT(repeated, 0);  // of the small slice, which takes one thread
  const std::vector<std::int64_t> counts = backend->counts();
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}), found);
}

TEST(Selection, IsThatOfEveryPointOnTheReference) {
  expect_selection([](const RunPlan& plan) { return heavy_top_rattle().make_reference(plan); }, figure_grid(6), 1000,
                   "reference");
}

TEST(Selection, IsThatOfEveryPointOnCuda) {
  NEEDS_GPU();
  for (const Precision precision : {Precision::binary64, Precision::binary32})
    expect_selection([&](const RunPlan& plan) { return make_cuda(plan, heavy_top_rattle(), 0, precision); },
                     figure_grid(6), 3000, "cuda");
}

TEST(Selection, DropsJumpsAndWhatIsNotRefined) {
  constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const double theta[] = {0.5, nan, inf, 0.25, 1, 0.75}, of_pi2[] = {0.15, 0.2, 0.2, -0.3, 0.75, 2};
  for (const Isa isa : {Isa::scalar, Isa::avx2, Isa::avx512})
    for (const Precision precision : {Precision::binary64, Precision::binary32})
      for (const bool with_points : {true, false}) {
        if (!isa_supported(isa)) continue;
        const CpuKernels kernels = heavy_top_rattle().kernels(0, precision, isa);
        RunPlan plan = figure_plan(1);
        plan.selection = figure_selection(with_points);
        plan.selection.where.count = 1;
        SectionPoints points;
        points.dim = 6;
        points.resize(6);
        for (int k = 0; k < 6; ++k) {
          points.trajectory[k] = 10 + k;
          points.step[k] = 20 + k;
          points.theta[k] = theta[k];
          points.state[6 * k + pi2] = of_pi2[k];
        }
        std::int64_t count = 6;
        const CrossingView list{
            count, &count, points.trajectory.data(), points.step.data(), points.theta.data(), points.state.data()};
        std::vector<std::int64_t> section_count(16, 2);
        std::vector<std::uint32_t> cells(6);
        SelectedPoints selected{.counts = {.section_count = section_count.data(), .round_off = {}},
                                .cells = cells.data()};
        kernels.select_points(plan, plan.selection, list, count, selected);
        for (std::int64_t k = 0; k < 16; ++k) EXPECT_EQ(section_count[k], k == 10 || k == 14 || k == 15 ? 3 : 2) << k;
        EXPECT_EQ(selected.found, 3);
        EXPECT_EQ(selected.unrefined, 1);
        cells.resize(3);
        EXPECT_EQ(cells, (std::vector<std::uint32_t>{9 * 16 + 8, 15 * 16 + 8, outside}));
        if (!with_points) continue;
        points.resize(selected.found);
        EXPECT_EQ(points.trajectory, (std::pmr::vector<std::int64_t>{10, 14, 15}));
        EXPECT_EQ(points.step, (std::pmr::vector<std::int64_t>{20, 24, 25}));
        EXPECT_EQ(points.theta, (std::pmr::vector<double>{0.5, 1, 0.75}));
        EXPECT_EQ(points.state[pi2], 0.15);
        EXPECT_EQ(points.state[6 + pi2], 0.75);
        EXPECT_EQ(points.state[12 + pi2], 2);
      }
}

/// A system as the catalog has it.
struct CatalogModel {
  const SystemEntry& system;
  const double* parameters;
  double observe(int i, const double* x) const { return system.observe(parameters, i, x); }
};

// Cells so narrow, and limits so close to the values, that the last bits decide: they are those of the double in the
// file for any unit, whatever it computes steps in.
TEST(Selection, HasTheSameBitsInEveryUnit) {
  constexpr std::int64_t n = 40;
  std::int64_t kept = 0;
  for (const MethodEntry& method : methods()) {
    const SystemEntry& system = *find_system(method.system);
    RunPlan plan = example_plan(method, 1);
    const Batch batch = random_ensemble(n, 20261125, 1, 0, method, std::popcount(plan.invariants));
    std::vector<double> states(n * batch.dim), values(n);
    for (std::int64_t k = 0; k < n; ++k)
      for (int i = 0; i < batch.dim; ++i) states[k * batch.dim + i] = batch.state[i * n + k];
    const CatalogModel model{system, plan.parameters};
    for (int observable = 0; observable < static_cast<int>(system.observables.size()); ++observable) {
      for (std::int64_t k = 0; k < n; ++k) values[k] = model.observe(observable, &states[k * batch.dim]);
      const double middle = values[n / 2];
      const double width = 64 * (std::nextafter(middle, HUGE_VAL) - middle);
      plan.selection.where = {.count = 1, .comparisons = {{observable, Relation::greater_equal, middle}}};
      plan.selection.axes[0] = {observable, 1 << 20, middle, middle + width};
      plan.selection.axes[1] = {observable, 64, middle - 1, middle + 1};
      for (const Precision precision : {Precision::binary64, Precision::binary32})
        for (const Isa isa : isas_of(method, precision)) {
          std::vector<std::int64_t> trajectory(n), step(n);
          std::iota(trajectory.begin(), trajectory.end(), 0);
          std::vector<double> theta(n, 1), points = states;
          std::int64_t count = n;
          std::vector<std::int64_t> section_count(n);
          std::vector<std::uint32_t> found(n), cells;
          SelectedPoints selected{.counts = {.section_count = section_count.data(), .round_off = {}},
                                  .cells = found.data()};
          const CpuKernels kernels = method.kernels(0, precision, isa);
          kernels.select_points(plan, plan.selection,
                                {n, &count, trajectory.data(), step.data(), theta.data(), points.data()}, n, selected);
          found.resize(selected.found);
          for (std::int64_t k = 0; k < n; ++k) {
            EXPECT_EQ(section_count[k], values[k] >= middle) << system.observables[observable].name << ", " << k;
            if (values[k] >= middle)
              cells.push_back(static_cast<std::uint32_t>(cell_of(plan.selection, model, &states[k * batch.dim])));
          }
          EXPECT_EQ(found, cells) << method.system << ", " << method.name << ", " << isa_names[static_cast<int>(isa)];
          kept += selected.found;
        }
    }
  }
  EXPECT_GT(kept, 1000);
}

}  // namespace
}  // namespace polhode::test

// Segments whose crossings do not fit are repeated, which costs time: only the first few of a run are.
#include "backend/segments.hpp"

#include <functional>
#include <limits>

#include "backends/figure_run.hpp"
#include "integration/segment_length.hpp"

namespace polhode::test {
namespace {

/// Counts what another backend has to repeat. Its segments take no time, so that nothing but room ends them.
class Counting : public Backend {
 public:
  explicit Counting(std::unique_ptr<Backend> counted) : counted_(std::move(counted)) {}

  std::int64_t preferred_batch() const override { return counted_->preferred_batch(); }
  void load(Batch batch) override { counted_->load(std::move(batch)); }
  std::size_t most_in_flight() const override { return counted_->most_in_flight(); }
  void start(const Segment& segment, const BoundaryRequest& kept) override { counted_->start(segment, kept); }
  LentResult finish() override {
    LentResult result = counted_->finish();
    result->seconds = 0;
    result->overflow ? ++repeated : ++segments;
    if (result->overflow)
      last_repeated = segments;
    else
      fullest = std::max(fullest, result->fill);
    return result;
  }
  std::vector<std::int64_t> counts() override { return counted_->counts(); }
  void set_counts(std::vector<std::int64_t> counts) override { counted_->set_counts(std::move(counts)); }
  void store(Batch& batch) const override { counted_->store(batch); }
  std::string device() const override { return counted_->device(); }
  std::string isa() const override { return counted_->isa(); }

  int segments = 0, repeated = 0, last_repeated = 0;
  double fullest = 0;

 private:
  std::unique_ptr<Backend> counted_;
};

/// Advances over all steps, as a run does.
Counting run_through(const RunPlan& plan, const Batch& batch, const CpuOptions& options) {
  const CpuKernels kernels = heavy_top_rattle().kernels(0, Precision::binary64, best_isa());
  Counting backend(make_cpu_backend(plan, kernels, best_isa(), options));
  backend.load(batch);
  SegmentLength length({.steps = plan.last_step, .isa = {}}, plan, {});
  for (std::int64_t n = 0; n < plan.last_step;) n += advance_next(backend, length, n, plan.last_step - n).segment.count;
  return backend;
}

/// Twenty thousand steps of 400 tops have about 80000 crossings, for which there is room a hundred times.
TEST(Segments, AreRepeatedAtTheBeginningOnly) {
  const Batch batch = figure_grid(24);
  ASSERT_GT(batch.n, 350);
  const RunPlan plan = figure_plan(20000);
  for (const int threads : {1, 2}) {
    const Counting counted = run_through(plan, batch, {.threads = threads, .capacity = 800 / threads});
    EXPECT_GT(counted.segments, 50) << threads;
    EXPECT_LE(counted.repeated, 2) << threads;
    EXPECT_LE(counted.last_repeated, 10) << threads;
    EXPECT_GT(counted.fullest, 0.4) << threads;
    EXPECT_LE(counted.fullest, 1) << threads;
  }
}

TEST(Segments, AreNotRepeatedWhereThereIsRoom) {
  RunPlan plan = figure_plan(20000);
  for (const bool with_section : {true, false}) {
    if (!with_section) plan.section.observable = -1;
    const Counting counted = run_through(plan, figure_grid(12), {.threads = 1});
    EXPECT_EQ(counted.repeated, 0);
    EXPECT_EQ(counted.fullest > 0, with_section);
  }
}

/// The room for crossings holds all of them, of which a selection leaves few.
TEST(Segments, AreNotRepeatedForPointsThatAreNotSelected) {
  RunPlan plan = figure_plan(100000);
  plan.selection.where = {.count = 1, .comparisons = {}};
  plan.selection.where.comparisons[0] = {0, Relation::greater, 100};  // none
  const Counting counted = run_through(plan, figure_grid(24), {.threads = 1, .capacity = 2000});
  EXPECT_LE(counted.repeated, 2);
  EXPECT_LE(counted.last_repeated, 10);
}

TEST(SegmentLength, FollowsTimeAndRoom) {
  const auto length_after = [](std::int64_t count, double seconds, double fill) {
    SegmentLength length({.steps = 1000000, .isa = {}}, RunPlan{}, {});
    length.learn(count, seconds, fill);
    return length.next(1000000);
  };
  EXPECT_EQ(length_after(64, 0.05, 0), 128);     // a tenth of a second
  EXPECT_EQ(length_after(64, 1e-9, 0), 128);     // twice as many at most
  EXPECT_EQ(length_after(64, 100, 0), 32);       // half as many at least
  EXPECT_EQ(length_after(64, 0.05, 0.06), 128);  // there is room for ten times as many
  EXPECT_EQ(length_after(64, 0.05, 0.5), 76);    // 0.6 of the room
  EXPECT_EQ(length_after(1, 0.1, 1), 1);
  SegmentLength length({.steps = 1000000, .isa = {}}, RunPlan{}, {});
  EXPECT_TRUE(length.is_rest(63));
  EXPECT_FALSE(length.is_rest(64));
  length.shorten(64, 1.2);
  EXPECT_EQ(length.next(1000000), 32);  // 0.6 of the room
  // No short rest is left over, and what is taken with it fits.
  length.learn(64, 0.1, 0.6);
  EXPECT_EQ(length.next(96), 96);
  EXPECT_EQ(length.next(97), 64);
}

}  // namespace
}  // namespace polhode::test

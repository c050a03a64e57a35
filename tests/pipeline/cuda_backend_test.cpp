// The CUDA backend on a fake runtime, with the toy for a system: what it hands out of segments in flight.
#include "backend/cuda/cuda_backend.hpp"

#include <deque>
#include <random>
#include <string>
#include <utility>

#include "backend/segments.hpp"
#include "pipeline/toy_kernels.hpp"

namespace polhode::test {
namespace {

struct Started {
  ToyPlace begin, end;
  Segment segment;
  BoundaryRequest kept;
};

/// A run of random size; returns how many segments overflowed.
int expect_same_as_serial(unsigned seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto draw = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  };
  const std::int64_t n = draw(1, 40);
  const ToyRun run{.toy = {.crossings_every = 1u << draw(0, 4)}, .n = n, .slice = draw(1, n), .steps = draw(1, 40)};
  Schedule schedule(random(), false);
  run_fake_cuda(schedule);
  const auto backend =
      make_cuda_backend(plan_of(run.toy, run.steps), toy_kernels, dim, {.capacity = draw(run.slice, 4 * run.slice)});
  const ToyCounts before{1, 2, 3, 4, 5};
  const auto expect_counts = [&](const ToyCounts& counts, const Record& expected) {
    ASSERT_EQ(counts.size(), before.size());
    for (std::size_t i = 0; i < counts.size(); ++i) EXPECT_EQ(counts[i], before[i] + expected.counts[i]) << i;
  };
  backend->set_counts(before);
  Record record;
  std::deque<Started> started;
  ToyPlace next;
  bool loaded = false;
  std::int64_t longest = run.steps;
  int overflows = 0;
  LentResult written;  // while others are in flight
  for (;;) {
    while (started.size() < backend->most_in_flight() && next.slice < run.slices()) {
      if (!loaded) backend->load(to_batch(run.start_of(next.slice)));
      const Segment segment{next.step, draw(1, std::min(longest, run.steps - next.step))};
      const bool is_last = segment.first + segment.count == run.steps;
      const ToyPlace end = is_last ? ToyPlace{next.slice + 1, 0} : ToyPlace{next.slice, segment.first + segment.count};
      const BoundaryRequest kept{.batch = draw(0, 2) == 0, .counts = draw(0, 2) == 0};
      backend->start(segment, kept);
      started.push_back({next, end, segment, kept});
      loaded = !is_last;
      next = end;
    }
    if (started.empty()) break;
    const LentResult result = backend->finish();
    const Started done = started.front();
    started.pop_front();
    if (result->overflow) {
      ++overflows;
      longest = steps_that_fit(done.segment.count, result->fill);
      next = done.begin;
      loaded = true;
      started.clear();
      continue;
    }
    written = result;
    longest = std::min(2 * longest, run.steps);
    EXPECT_EQ(result->seconds, 1e-3);  // by events
    record.lost += result->unrefined;
    const std::vector<ToyPoint> points = to_toy(result->section.at(0));
    EXPECT_EQ(std::ssize(points), result->found);
    for (ToyPoint point : points) {
      point.trajectory += done.begin.slice * run.slice;
      record.points.push_back(point);
    }
    const Record expected = computed_serially(run, done.end);
    if (done.kept.counts) expect_counts(result->counts, expected);
    if (!done.kept.batch) continue;
    Batch batch = draw(0, 1) == 0 ? std::exchange(result->batch, {}) : result->batch;  // which is used again
    EXPECT_TRUE(to_toy(batch.view()) == (done.end.step > 0 ? expected.batch : expected.finals.back()));
  }
  const Record expected = computed_serially(run, {.slice = run.slices()});
  record.sort();
  EXPECT_TRUE(record.points == expected.points);
  EXPECT_EQ(record.lost, expected.lost);
  expect_counts(backend->counts(), expected);
  Batch batch;
  backend->store(batch);
  EXPECT_TRUE(to_toy(batch.view()) == expected.finals.back());
  return overflows;
}

TEST(CudaBackend, HandsOutWhatSegmentsInTurnLeave) {
  int overflows = 0;
  for (unsigned seed = 0; seed < 500 && !testing::Test::HasFailure(); ++seed) overflows += expect_same_as_serial(seed);
  EXPECT_GT(overflows, 100);
}

}  // namespace
}  // namespace polhode::test

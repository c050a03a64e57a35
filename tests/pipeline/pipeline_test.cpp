// Segments that overlap leave what segments in turn do, whatever runs when.
#include <gtest/gtest.h>

#include <chrono>
#include <future>

#include "backend/pipeline.hpp"
#include "pipeline/fake_device.hpp"
#include "pipeline/random_runs.hpp"

namespace polhode::test {
namespace {

constexpr ToyRun small_run{.toy = {.crossings_every = 2}, .n = 4, .slice = 4, .steps = 9};

TEST(Pool, WaitsUntilAnObjectIsGivenBack) {
  using Numbers = Pool<int, 2>;
  Numbers pool([] { return 0; });
  Numbers::Lent first = pool.take(), second = pool.take();
  EXPECT_NE(first.get(), second.get());
  int* const object = first.get();
  auto third = std::async(std::launch::async, [&] { return pool.take(); });
  EXPECT_EQ(third.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout);
  first.reset();
  EXPECT_EQ(third.get().get(), object);
}

TEST(Pipeline, CopiesASegmentWhileTheNextIsComputed) {
  Schedule schedule(1, false);
  FakeDevice device(small_run, 100, schedule);
  Pipeline<FakeDevice> pipeline(device);
  pipeline.load(small_run.start_of(0));
  pipeline.start({0, 3});
  device.before_segments.set();
  pipeline.start({3, 3});
  const auto first = pipeline.finish();
  EXPECT_GT(FakeDevice::selection(first.results()).points.size(), 0u);
  pipeline.start({6, 3});
  EXPECT_EQ(device.segments_computed, 1);
  device.before_segments.happen();
  EXPECT_FALSE(pipeline.finish().overflow());
  EXPECT_FALSE(pipeline.finish().overflow());
}

TEST(Pipeline, ComputesASegmentWhileTheOneBeforeIsCopied) {
  Schedule schedule(1, false);
  FakeDevice device(small_run, 100, schedule);
  Pipeline<FakeDevice> pipeline(device);
  pipeline.load(small_run.start_of(0));
  device.before_copies.set();
  pipeline.start({0, 3});
  pipeline.start({3, 3});
  EXPECT_THROW(pipeline.finish(), Deadlock);  // once nothing is left that can be run
  EXPECT_EQ(device.segments_computed, 2);
  device.before_copies.happen();
}

TEST(Pipeline, LeavesWhatSegmentsInTurnDoInAnyOrder) { expect_same_as_serial<FakeDevice>(2000, false); }
TEST(Pipeline, LeavesWhatSegmentsInTurnDoInThreads) { expect_same_as_serial<FakeDevice>(40, true); }

}  // namespace
}  // namespace polhode::test

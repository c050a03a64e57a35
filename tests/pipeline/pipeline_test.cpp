// Segments that overlap leave what segments in turn do, whatever runs when: the pipeline on a fake device, whose work
// is run in random legal orders, with overflows, failures, interruptions and checkpoints at random.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <random>
#include <string>
#include <utility>

#include "pipeline/session.hpp"

namespace polhode::test {
namespace {

/// A run of random size, in sessions that end in all kinds of ways until it is complete.
void expect_same_as_serial(unsigned seed, bool threads, Tally& tally) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto draw = [&](int low, int high) { return std::uniform_int_distribution<>(low, high)(random); };
  const std::int64_t n = draw(1, 40);
  const ToyRun run{.toy = {.crossings_every = 1u << draw(0, 4)}, .n = n, .slice = draw(1, n), .steps = draw(1, 40)};
  ToyPlace place;
  Record checkpoint;
  for (int session = 0; place.slice < run.slices(); ++session) {
    if (place.step > 0) ++tally.resumed_slices;
    Schedule schedule(random(), threads);
    Faults faults;
    const int when = draw(1, 12), what = session < 6 ? draw(0, 5) : 0;
    if (what == 1 || what == 2) faults = {.segments = when, .killed = what == 2};
    if (what == 3) faults.writes = when;
    if (what == 4) schedule.calls_left = 10 * when;
    if (what == 5) schedule.work_left = 10 * when;
    FakeDevice device(run.toy, draw(run.slice, 4 * run.slice), schedule);
    try {
      Session(run, device, schedule, faults, tally, place, checkpoint).integrate();
    } catch (const WriteFailure&) {
    } catch (const DeviceFailure&) {
      ++tally.device_failures;
    }
    ASSERT_LE(session, 6);
  }
  EXPECT_TRUE(checkpoint == computed_serially(run, {.slice = run.slices()}));
}

void expect_same_as_serial(unsigned runs, bool threads) {
  Tally tally{};
  for (unsigned seed = 0; seed < runs && !testing::Test::HasFailure(); ++seed)
    expect_same_as_serial(seed, threads, tally);
  if (testing::Test::HasFailure()) return;
  // All of these have been tested, and not by luck.
  const std::pair<const char*, const std::atomic<int>&> counts[] = {{"overflows", tally.overflows},
                                                                    {"forgotten slices", tally.forgotten_slices},
                                                                    {"checkpoints", tally.checkpoints},
                                                                    {"interruptions", tally.interruptions},
                                                                    {"kills", tally.kills},
                                                                    {"failed writes", tally.failed_writes},
                                                                    {"device failures", tally.device_failures},
                                                                    {"resumed slices", tally.resumed_slices}};
  for (const auto& [name, count] : counts) {
    testing::Test::RecordProperty(name, count);
    EXPECT_GE(count, static_cast<int>(runs / 20)) << name;
  }
}

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
  FakeDevice device(small_run.toy, 100, schedule);
  Pipeline<FakeDevice> pipeline(device);
  pipeline.load(small_run.start_of(0));
  pipeline.start({0, 3});
  device.before_segments.set();
  pipeline.start({3, 3});
  const auto first = pipeline.finish();
  EXPECT_GT(first.results().host.selected, 0);
  pipeline.start({6, 3});
  EXPECT_EQ(device.segments_computed, 1);
  device.before_segments.happen();
  EXPECT_FALSE(pipeline.finish().overflow());
  EXPECT_FALSE(pipeline.finish().overflow());
}

TEST(Pipeline, ComputesASegmentWhileTheOneBeforeIsCopied) {
  Schedule schedule(1, false);
  FakeDevice device(small_run.toy, 100, schedule);
  Pipeline<FakeDevice> pipeline(device);
  pipeline.load(small_run.start_of(0));
  device.before_copies.set();
  pipeline.start({0, 3});
  pipeline.start({3, 3});
  EXPECT_THROW(pipeline.finish(), Deadlock);  // once nothing is left that can be run
  EXPECT_EQ(device.segments_computed, 2);
  device.before_copies.happen();
}

TEST(Pipeline, LeavesWhatSegmentsInTurnDoInAnyOrder) { expect_same_as_serial(2000, false); }
TEST(Pipeline, LeavesWhatSegmentsInTurnDoInThreads) { expect_same_as_serial(40, true); }

}  // namespace
}  // namespace polhode::test

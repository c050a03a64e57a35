// Runs of random size on a device that does its work in random legal orders, with overflows, failures, interruptions
// and checkpoints at random: they leave what is computed serially.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <string>
#include <utility>

#include "pipeline/session.hpp"

namespace polhode::test {

/// A run of random size, in sessions that end in all kinds of ways until it is complete.
template <class Device>
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
    Device device(run, draw(run.slice, 4 * run.slice), schedule);
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

template <class Device>
void expect_same_as_serial(unsigned runs, bool threads) {
  Tally tally{};
  for (unsigned seed = 0; seed < runs && !testing::Test::HasFailure(); ++seed)
    expect_same_as_serial<Device>(seed, threads, tally);
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

}  // namespace polhode::test

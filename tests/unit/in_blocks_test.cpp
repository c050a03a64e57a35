// Work on all starts: every block once, and the same error for any number of threads.
#include "ensemble/in_blocks.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace polhode::test {
namespace {

constexpr std::int64_t block = starts_between_calls;

TEST(InBlocks, ComesToEveryStartOnce) {
  for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, block, block + 1, 20 * block - 7})
    for (const int threads : {0, 1, 3, 64}) {
      std::vector<int> visits(count);
      in_blocks(count, threads, {}, [&](std::int64_t first, std::int64_t last) {
        EXPECT_LT(first, last);
        for (std::int64_t k = first; k < last; ++k) ++visits[k];
      });
      for (const int times : visits) EXPECT_EQ(times, 1);
    }
}

TEST(InBlocks, PassesOnTheErrorOfTheFirstBlock) {
  const auto error_on = [](int threads) {
    try {
      in_blocks(200 * block, threads, {}, [](std::int64_t first, std::int64_t) {
        if (first >= 50 * block) throw std::runtime_error(std::to_string(first / block));
      });
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  for (int repeat = 0; repeat < 50; ++repeat)
    for (const int threads : {1, 2, 8}) EXPECT_EQ(error_on(threads), "50");
}

/// The helpers wait in their first blocks, or they might take all before this thread begins.
TEST(InBlocks, ReportsFromThisThreadAlone) {
  const auto here = std::this_thread::get_id();
  std::atomic<bool> reported = false;
  const auto wait = [&](std::int64_t, std::int64_t) { reported.wait(false); };
  std::int64_t last = -1;
  const StartsProgress report = [&](std::int64_t done, std::int64_t all) {
    EXPECT_EQ(std::this_thread::get_id(), here);
    EXPECT_EQ(all, 40 * block);
    EXPECT_GT(done, last);
    last = done;
    reported = true;
    reported.notify_all();
  };
  in_blocks(40 * block, 4, report, wait);
  EXPECT_GE(last, 0);
  reported = false;
  const StartsProgress stop = [&](std::int64_t, std::int64_t) {
    reported = true;
    reported.notify_all();
    throw std::logic_error("stop");
  };
  EXPECT_THROW(in_blocks(40 * block, 4, stop, wait), std::logic_error);
}

}  // namespace
}  // namespace polhode::test

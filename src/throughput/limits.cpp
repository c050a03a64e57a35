#include "throughput/limits.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <barrier>
#include <cstring>
#include <ctime>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

#include "throughput/fma_peak.hpp"

namespace polhode {
namespace {

constexpr int turns = 5;
constexpr double seconds_of_turn = 0.03;
/// Least bytes of a block that a thread copies: more than the caches that a core has for itself.
constexpr double least_block = 8 << 20;
/// Largest number of bytes of the blocks of all threads together, for which blocks may be smaller than least_block.
constexpr double most_copied_memory = 0x1p31;

/// Processor time of this thread, in which other work on the machine does not count.
double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Work that `threads` threads do together in a second of their processor time, in the best of a few turns. make_work()
/// makes a function for each thread, which does some work and returns how much; the thread calls it until the turn is
/// over. All threads begin a turn at the same time.
template <class MakeWork>
double best_rate(int threads, const MakeWork& make_work) {
  std::vector<std::array<double, turns>> rates(threads);
  std::barrier together(threads);
  std::vector<std::thread> running;
  for (std::array<double, turns>& own : rates)
    running.emplace_back([&own, &together, &make_work] {
      auto work = make_work();
      work();  // touches memory, and wakes the core
      for (double& rate : own) {
        together.arrive_and_wait();
        double done = 0, seconds = 0;
        for (const double begin = thread_seconds(); seconds < seconds_of_turn; seconds = thread_seconds() - begin)
          done += work();
        rate = done / seconds;
      }
    });
  for (std::thread& thread : running) thread.join();
  double best = 0;
  for (int turn = 0; turn < turns; ++turn) {
    double sum = 0;
    for (const std::array<double, turns>& own : rates) sum += own[turn];
    best = std::max(best, sum);
  }
  return best;
}

/// Bytes of the block that each thread copies into another of its own. These two are together four times as large as
/// the last cache, so that a single thread cannot keep them there. They are smaller where the blocks of all threads
/// would take more than most_copied_memory or a sixteenth of the memory, and would exceed the cache together anyway.
std::size_t copied_block(int threads) {
  const double cache = std::max(0.0, static_cast<double>(sysconf(_SC_LEVEL3_CACHE_SIZE)));  // 0 or -1: unknown
  const double memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  const double most = std::min(most_copied_memory, memory / 16) / (2 * threads);
  return static_cast<std::size_t>(std::min(std::max(2 * cache, least_block), most));
}

double fma_rate(Isa isa, Precision precision, int threads) {
  const int lanes = register_bits(isa) / (precision == Precision::binary64 ? 64 : 32);
  if (lanes == 0) return std::numeric_limits<double>::quiet_NaN();
  // A register of floats takes as long as one of doubles.
  return lanes * best_rate(threads, [&] { return [isa] { return static_cast<double>(run_fmas(isa, 1 << 14)); }; });
}

double copy_rate(int threads) {
  const std::size_t block = copied_block(threads);
  return best_rate(threads, [block] {
    return [block, from = std::vector<char>(block, 1), to = std::vector<char>(block)]() mutable {
      std::memcpy(to.data(), from.data(), block);
      std::swap(from, to);  // a copy that nobody reads might be left out
      return static_cast<double>(block);
    };
  });
}

}  // namespace

CpuLimits measure_limits(Isa isa, Precision precision, int threads) {
  return {fma_rate(isa, precision, 1), fma_rate(isa, precision, threads), copy_rate(threads)};
}

}  // namespace polhode

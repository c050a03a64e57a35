#include "throughput/limits.hpp"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <limits>
#include <thread>
#include <vector>

#include "throughput/fma_peak.hpp"

namespace polhode {
namespace {

constexpr int turns = 5;
constexpr double seconds_of_turn = 0.03;
constexpr std::size_t copied_block = std::size_t{32} << 20;  // beyond the caches that a core has for itself

/// Of the processor, in this thread: other work on the machine is no limit of the hardware.
double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The most that threads do together in a second: each calls the work that make_work() gives it, which says how much it
/// has done, until its turn is over.
template <class MakeWork>
double best_rate(int threads, const MakeWork& make_work) {
  std::vector<double> best(turns);
  for (double& rate : best) {
    std::vector<double> rates(threads);
    std::vector<std::thread> running;
    for (double& own : rates)
      running.emplace_back([&own, work = make_work()]() mutable {
        work();  // touches memory, and wakes the core
        double done = 0, seconds = 0;
        for (const double begin = thread_seconds(); seconds < seconds_of_turn; seconds = thread_seconds() - begin)
          done += work();
        own = done / seconds;
      });
    for (std::thread& thread : running) thread.join();
    for (const double own : rates) rate += own;
  }
  return std::ranges::max(best);
}

double fma_rate(Isa isa, Precision precision, int threads) {
  const int lanes = register_bits(isa) / (precision == Precision::binary64 ? 64 : 32);
  if (lanes == 0) return std::numeric_limits<double>::quiet_NaN();
  // A register of floats takes as long as one of doubles.
  return lanes * best_rate(threads, [&] { return [isa] { return static_cast<double>(run_fmas(isa, 1 << 14)); }; });
}

double copy_rate(int threads) {
  return best_rate(threads, [] {
    return [from = std::vector<char>(copied_block, 1), to = std::vector<char>(copied_block)]() mutable {
      std::memcpy(to.data(), from.data(), copied_block);
      std::swap(from, to);  // a copy that nobody reads might be left out
      return static_cast<double>(copied_block);
    };
  });
}

}  // namespace

CpuLimits measure_limits(Isa isa, Precision precision, int threads) {
  return {fma_rate(isa, precision, 1), fma_rate(isa, precision, threads), copy_rate(threads)};
}

}  // namespace polhode

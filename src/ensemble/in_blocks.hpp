// Work on all starts of an ensemble by several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "ensemble/starts_progress.hpp"

namespace polhode {

/// Calls work(first, last) for the blocks of 0, ..., count - 1, on so many threads at most (0: one for each processor),
/// of which this is one; it alone calls `progress`. What is thrown ends the work; of errors in several blocks that of
/// the first is passed on, so that it does not depend on the threads.
template <class Work>
void in_blocks(std::int64_t count, std::int64_t threads, const StartsProgress& progress, const Work& work) {
  constexpr std::int64_t block = starts_between_calls;
  std::atomic<std::int64_t> next{0};
  std::mutex mutex;
  std::int64_t first_failed = count;
  std::exception_ptr thrown;
  const auto work_on = [&](const StartsProgress& report) {
    for (std::int64_t first; (first = next.fetch_add(block)) < count;) {
      try {
        if (report) report(first, count);
        work(first, std::min(first + block, count));
      } catch (...) {
        next = count;  // the blocks before are begun, and come to their end
        const std::lock_guard lock(mutex);
        if (!thrown || first < first_failed) {
          first_failed = first;
          thrown = std::current_exception();
        }
      }
    }
  };
  {
    const std::int64_t wanted = threads > 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::jthread> helpers;
    for (std::int64_t t = 1; t < std::min(wanted, (count + block - 1) / block); ++t)
      helpers.emplace_back([&] { work_on({}); });
    work_on(progress);
  }
  if (thrown) std::rethrow_exception(thrown);
}

/// States at a time that stay in the cache while they are drawn, prepared and looked at.
inline constexpr std::int64_t start_block = 256;

/// Calls work(k, count) for the parts of first, ..., last - 1.
template <class Work>
void for_start_blocks(std::int64_t first, std::int64_t last, const Work& work) {
  for (std::int64_t k = first; k < last; k += start_block) work(k, std::min(start_block, last - k));
}

}  // namespace polhode

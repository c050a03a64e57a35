// Work on all starts of an ensemble by several threads.
#pragma once

#include <algorithm>
#include <cstdint>

#include "ensemble/starts_progress.hpp"
#include "parallel_for.hpp"
#include "wait_check.hpp"

namespace polhode {

/// Calls work(first, last) for blocks first, ..., last - 1 of 0, ..., count - 1, on at most `threads` threads (0: one
/// for each processor) including the calling one, which alone calls `progress`. An exception ends the work and is
/// passed on, as by parallel_for() (parallel_for.hpp).
template <class Work>
void in_blocks(std::int64_t count, std::int64_t threads, const StartsProgress& progress, const Work& work) {
  constexpr std::int64_t block = starts_between_calls;
  WaitChecks check;
  parallel_for<NoScratch>((count + block - 1) / block, threads_of(threads),
                          [&](std::int64_t i, NoScratch&) { work(i * block, std::min((i + 1) * block, count)); },
                          [&](std::int64_t i) {
                            check();
                            if (progress) progress(i * block, count);
                          });
}

/// Largest number of states that are drawn, prepared and examined together, so that they stay in the cache.
inline constexpr std::int64_t start_block = 256;

/// Calls work(k, count) for parts k, ..., k + count - 1 of first, ..., last - 1, at most start_block long.
template <class Work>
void for_start_blocks(std::int64_t first, std::int64_t last, const Work& work) {
  for (std::int64_t k = first; k < last; k += start_block) work(k, std::min(start_block, last - k));
}

}  // namespace polhode

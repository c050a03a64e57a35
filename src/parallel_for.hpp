// Loops over independent parts of some work, by several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace polhode {

/// Number of threads that a setting means: 0 stands for one for each processor of this machine.
inline std::int64_t threads_of(std::int64_t setting) {
  return setting > 0 ? setting : std::max(1u, std::thread::hardware_concurrency());
}

/// Calls work(i, scratch) for i = 0, ..., count - 1, begun in this order, on at most `threads` threads including the
/// calling one; each thread has a Scratch of its own. The calling thread alone calls before(i), ahead of each work(i)
/// of its own. After an exception no further i is begun; of several exceptions the one of the lowest i is passed on, so
/// that it does not depend on the threads.
template <class Scratch, class Work, class Before>
void parallel_for(std::int64_t count, std::int64_t threads, const Work& work, const Before& before) {
  std::atomic<std::int64_t> next{0};
  std::mutex mutex;
  std::int64_t first_failed = count;
  std::exception_ptr thrown;
  const auto fail = [&](std::int64_t i) {
    next = count;  // the parts before are begun, and come to their end
    const std::lock_guard lock(mutex);
    if (thrown && i >= first_failed) return;
    first_failed = i;
    thrown = std::current_exception();
  };
  const auto work_on = [&](const auto& begin) {
    std::int64_t i = 0;
    try {
      Scratch scratch;
      while ((i = next.fetch_add(1)) < count) {
        begin(i);
        work(i, scratch);
      }
    } catch (...) {
      fail(i);
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (std::int64_t t = 1; t < std::min(threads, count); ++t)
      helpers.emplace_back([&] { work_on([](std::int64_t) {}); });
    work_on(before);
  }
  if (thrown) std::rethrow_exception(thrown);
}

template <class Scratch, class Work>
void parallel_for(std::int64_t count, std::int64_t threads, const Work& work) {
  parallel_for<Scratch>(count, threads, work, [](std::int64_t) {});
}

struct NoScratch {};

/// parallel_for() without scratch: calls work(i) for i = 0, ..., count - 1.
template <class Work>
void parallel_for(std::int64_t count, std::int64_t threads, const Work& work) {
  parallel_for<NoScratch>(count, threads, [&](std::int64_t i, NoScratch&) { work(i); });
}

}  // namespace polhode

// What every benchmark of steps times, and the counters it reports.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>

#include "backend/backend.hpp"

namespace polhode::bench {

inline constexpr const char* ns_per_step = "ns_per_step";  ///< of one trajectory; per core, or of the whole device
inline constexpr const char* steps_per_s = "steps/s";      ///< of all trajectories
inline constexpr const char* fmas_per_ns = "fmas_per_ns";  ///< of a peak: vector fmas of a core, scalar ones of a GPU

/// An ensemble on its way, a segment of so many steps at a time.
class Run {
 public:
  Run(std::unique_ptr<Backend> backend, const Batch& start, std::int64_t steps);

  void advance();
  std::int64_t steps_per_segment() const { return trajectories_ * steps_; }
  /// Section points of the last segment.
  std::int64_t points() const;
  /// What makes the measurement void, or null.
  const char* problem() const;

 private:
  std::int64_t trajectories_, steps_, first_ = 0;
  bool overflow_ = false;
  std::unique_ptr<Backend> backend_;
  LentResult result_;
};

/// CPU time of this thread in seconds.
double thread_seconds();

/// `steps` of all trajectories together in an iteration.
void count_steps(benchmark::State& state, std::int64_t steps, int threads = 1);

/// Times segments.
void measure(benchmark::State& state, Run run, int threads = 1);

}  // namespace polhode::bench

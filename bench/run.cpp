#include "run.hpp"

#include <ctime>
#include <utility>

#include "top.hpp"

namespace polhode::bench {

Run::Run(std::unique_ptr<Backend> backend, const Batch& start, std::int64_t steps)
    : trajectories_(start.n), steps_(steps), backend_(std::move(backend)) {
  backend_->load(start);
  advance();  // touches the memory that later segments find
}

void Run::advance() {
  result_.reset();  // used again, as by the driver
  result_ = backend_->advance({first_, steps_});
  overflow_ = overflow_ || result_->overflow;
  first_ += steps_;
}

std::int64_t Run::points() const {
  std::int64_t points = 0;
  for (const SectionPoints& list : result_->section) points += list.size();
  return points;
}

const char* Run::problem() const {
  Batch batch;
  backend_->store(batch);
  if (!all_ok(batch)) return "a trajectory failed";
  return overflow_ ? "crossings did not fit" : nullptr;
}

double thread_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void count_steps(benchmark::State& state, std::int64_t steps, int threads) {
  using benchmark::Counter;
  const double work = static_cast<double>(steps);
  state.counters[steps_per_s] = Counter(work, Counter::kIsIterationInvariantRate);
  state.counters[ns_per_step] = Counter(1e-9 * work / threads, Counter::kIsIterationInvariantRate | Counter::kInvert);
}

void measure(benchmark::State& state, Run run, int threads) {
  for (auto _ : state) run.advance();
  if (const char* const problem = run.problem()) state.SkipWithError(problem);
  count_steps(state, run.steps_per_segment(), threads);
}

}  // namespace polhode::bench

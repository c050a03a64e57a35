#include "measurements.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <memory>
#include <thread>

#include "backend/cpu/cpu_backend.hpp"
#include "fma_peak.hpp"
#include "odeint.hpp"
#include "polhode/method/status.hpp"

namespace polhode::bench {
namespace {

constexpr int default_solver = 0;

std::unique_ptr<Backend> backend_for(const Measurement& m) {
  CpuKernels kernels = rattle().cpu[static_cast<int>(m.isa)]->kernels[m.solver][static_cast<int>(m.precision)];
  if (m.observers.section == Observers::Section::detected)
    kernels.refine = [](const Plan&, const CrossingView& list, std::int64_t, std::int64_t) { *list.count = 0; };
  return make_cpu_backend(plan(m.solver, m.precision, m.observers), kernels, m.isa,
                          {.threads = std::max(1, m.threads)});
}

void count_steps(benchmark::State& state, std::int64_t steps, int threads) {
  using benchmark::Counter;
  const double work = static_cast<double>(steps);
  state.counters["steps/s"] = Counter(work, Counter::kIsIterationInvariantRate);
  state.counters[ns_per_step] = Counter(1e-9 * work / threads, Counter::kIsIterationInvariantRate | Counter::kInvert);
}

/// CPU time of this thread in seconds.
double thread_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// An ensemble on its way, a segment at a time.
class Run {
 public:
  explicit Run(const Measurement& m)
      : trajectories_(m.trajectories),
        steps_(m.trajectories == small_ensemble ? 4000 : 1000),
        backend_(backend_for(m)) {
    backend_->load(starts(trajectories_));
    advance();  // touches the memory that later segments find
  }

  void advance() {
    backend_->advance({first_, steps_}, result_);
    overflow_ = overflow_ || result_.overflow;
    first_ += steps_;
  }
  std::int64_t steps_per_segment() const { return trajectories_ * steps_; }
  /// What makes the measurement void, or null.
  const char* problem() const {
    Batch batch;
    backend_->store(batch);
    const auto is_ok = [](std::uint8_t code) { return code == static_cast<std::uint8_t>(Status::ok); };
    if (!std::all_of(batch.code.begin(), batch.code.end(), is_ok)) return "a trajectory failed";
    return overflow_ ? "crossings did not fit" : nullptr;
  }

 private:
  std::int64_t trajectories_, steps_, first_ = 0;
  bool overflow_ = false;
  SegmentResult result_;  // used again, as the driver does
  std::unique_ptr<Backend> backend_;
};

void measure(benchmark::State& state, const Measurement& m) {
  Run run(m);
  for (auto _ : state) run.advance();
  if (const char* const problem = run.problem()) state.SkipWithError(problem);
  count_steps(state, run.steps_per_segment(), std::max(1, m.threads));
}

/// Takes turns with the same run without observers, so that the clock rate of the core, which wanders by more than an
/// observer costs, is the same for both.
void measure_cost(benchmark::State& state, const Measurement& m) {
  Measurement plain = m;
  plain.observers = {};
  Run observed_run(m), plain_run(plain);
  double with = 0, without = 0;
  for (auto _ : state) {
    const double start = thread_seconds();
    plain_run.advance();
    const double middle = thread_seconds();
    observed_run.advance();
    const double end = thread_seconds();
    without += middle - start;
    with += end - middle;
    state.SetIterationTime(end - middle);
  }
  if (const char* const problem = observed_run.problem()) state.SkipWithError(problem);
  count_steps(state, observed_run.steps_per_segment(), 1);
  state.counters[cost_percent] = 100 * (with / without - 1);
}

void measure_odeint(benchmark::State& state) {
  constexpr std::int64_t steps = 400;
  std::vector<double> states = interleaved(starts(small_ensemble));
  for (auto _ : state) {
    advance_with_odeint(states.data(), small_ensemble, steps, step, parameters);
    benchmark::ClobberMemory();
  }
  count_steps(state, small_ensemble * steps, 1);
}

void measure_peak(benchmark::State& state, Isa isa) {
  double fmas = 0;
  for (auto _ : state) fmas += static_cast<double>(run_fmas(isa, 1 << 16));
  state.counters[fmas_per_ns] = benchmark::Counter(1e-9 * fmas, benchmark::Counter::kIsRate);
}

}  // namespace

std::string Measurement::name() const {
  std::string name = std::string("rattle/") + isa_names[static_cast<int>(isa)] + "/" +
                     rattle().variants[solver].solver + (precision == Precision::binary64 ? "/double/" : "/single/") +
                     std::to_string(trajectories);
  if (observers.section == Observers::Section::detected) name += "/detection";
  if (observers.section == Observers::Section::points) name += "/section";
  if (observers.invariants_every > 0) name += "/invariants";
  if (threads > 0) name += "/threads:" + std::to_string(threads);
  return name;
}

std::vector<Isa> machine_isas() {
  std::vector<Isa> isas;
  for (const Isa isa : {Isa::scalar, Isa::avx2, Isa::avx512})
    if (isa_supported(isa)) isas.push_back(isa);
  return isas;
}

std::string odeint_name() { return "odeint/runge_kutta4/" + std::to_string(small_ensemble); }
std::string peak_name(Isa isa) { return std::string("fma_peak/") + isa_names[static_cast<int>(isa)]; }

std::vector<Measurement> all_measurements() {
  std::vector<Measurement> all;
  for (const Isa isa : machine_isas())
    for (int solver = 0; solver < static_cast<int>(rattle().variants.size()); ++solver)
      for (const Precision precision : {Precision::binary64, Precision::binary32})
        for (const std::int64_t trajectories : {small_ensemble, large_ensemble})
          if (isa != Isa::scalar || trajectories == small_ensemble)  // so slow that the size tells nothing
            all.push_back({isa, solver, precision, trajectories});

  const Measurement best{best_isa(), default_solver, Precision::binary64, large_ensemble};
  for (const std::int64_t trajectories : {small_ensemble, large_ensemble})
    for (const Observers& observers :
         {Observers{.section = Observers::Section::detected}, Observers{.section = Observers::Section::points},
          Observers{.invariants_every = default_invariants_every}}) {
      all.push_back(best);
      all.back().trajectories = trajectories;
      all.back().observers = observers;
    }
  for (int threads = 1; threads <= std::min(2, static_cast<int>(std::thread::hardware_concurrency())); ++threads) {
    all.push_back(best);
    all.back().threads = threads;
  }
  return all;
}

void register_benchmarks() {
  benchmark::RegisterBenchmark(odeint_name().c_str(), measure_odeint);
  for (const Isa isa : machine_isas())
    if (register_bits(isa) > 0) benchmark::RegisterBenchmark(peak_name(isa).c_str(), measure_peak, isa);
  for (const Measurement& m : all_measurements()) {
    if (m.observed())
      benchmark::RegisterBenchmark(m.name().c_str(), measure_cost, m)->UseManualTime();
    else if (m.threads > 0)
      benchmark::RegisterBenchmark(m.name().c_str(), measure, m)->UseRealTime();
    else
      benchmark::RegisterBenchmark(m.name().c_str(), measure, m);
  }
}

std::string disagreement_with_odeint() {
  constexpr std::int64_t n = 64, steps = 4;
  Batch batch = starts(n);
  std::vector<double> states = interleaved(batch);
  advance_with_odeint(states.data(), n, steps, step, parameters);
  const auto backend = backend_for({best_isa(), default_solver, Precision::binary64, n});
  backend->load(batch);
  backend->advance({0, steps});
  backend->store(batch);

  double difference = 0;
  const std::vector<double> ours = interleaved(batch);
  for (std::size_t i = 0; i < ours.size(); ++i) difference = std::max(difference, std::abs(ours[i] - states[i]));
  // RATTLE is of order 2: h^2 times the time, with a constant of order 1.
  constexpr double bound = 2 * step * step * step * steps;
  if (difference < bound) return "";
  return "odeint and rattle differ by " + std::to_string(difference) + " after " + std::to_string(steps) + " steps";
}

}  // namespace polhode::bench

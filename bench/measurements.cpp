#include "measurements.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "backend/cpu/cpu_backend.hpp"
#include "fma_peak.hpp"
#include "odeint.hpp"
#include "polhode/method/status.hpp"

namespace polhode::bench {
namespace {

constexpr int default_solver = 0;

std::unique_ptr<Backend> backend_for(const Measurement& m) {
  const CpuKernels& kernels = rattle().cpu[static_cast<int>(m.isa)]->kernels[m.solver][static_cast<int>(m.precision)];
  return make_cpu_backend(plan(m.solver, m.precision, m.observers), kernels, m.isa,
                          {.threads = std::max(1, m.threads)});
}

void count_steps(benchmark::State& state, std::int64_t steps, int threads) {
  using benchmark::Counter;
  const double work = static_cast<double>(steps);
  state.counters["steps/s"] = Counter(work, Counter::kIsIterationInvariantRate);
  state.counters[ns_per_step] = Counter(1e-9 * work / threads, Counter::kIsIterationInvariantRate | Counter::kInvert);
}

void measure(benchmark::State& state, const Measurement& m) {
  const std::int64_t steps = m.trajectories == small_ensemble ? 4000 : 1000;
  const std::unique_ptr<Backend> backend = backend_for(m);
  Batch batch = starts(m.trajectories);
  backend->load(batch);

  // The first segment touches the memory that later ones find.
  bool overflow = backend->advance({0, steps}).overflow;
  std::int64_t first = steps;
  for (auto _ : state) {
    const SegmentResult result = backend->advance({first, steps});
    overflow = overflow || result.overflow;
    first += steps;
  }

  backend->store(batch);
  const auto ok = static_cast<std::uint8_t>(Status::ok);
  if (overflow) state.SkipWithError("crossings did not fit");
  if (std::count(batch.code.begin(), batch.code.end(), ok) != batch.n) state.SkipWithError("a trajectory failed");
  count_steps(state, m.trajectories * steps, std::max(1, m.threads));
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
  if (observers.section) name += "/section";
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
         {Observers{.section = true}, Observers{.invariants_every = default_invariants_every}}) {
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
    auto* const registered = benchmark::RegisterBenchmark(m.name().c_str(), measure, m)->Unit(benchmark::kMillisecond);
    if (m.threads > 0) registered->UseRealTime();
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

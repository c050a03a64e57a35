#include "measurements.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <span>
#include <thread>

#include "throughput/fma_peak.hpp"

namespace polhode::bench {
namespace {

Run run_of(const Measurement& m) {
  const int n_invariants = std::popcount(plan(m.solver, m.precision, m.observers).invariants);
  return Run(make_rattle(m.isa, m.solver, m.precision, step, m.observers, std::max(1, m.threads)),
             starts(m.trajectories, n_invariants), m.trajectories == small_ensemble ? 4000 : 1000);
}

void measure_speed(benchmark::State& state, const Measurement& m) { measure(state, run_of(m), std::max(1, m.threads)); }

/// Takes turns with the same run without observers, so that the clock rate of the core, which wanders by more than an
/// observer costs, is the same for both.
void measure_cost(benchmark::State& state, const Measurement& m) {
  Measurement plain = m;
  plain.observers = {};
  Run observed_run = run_of(m), plain_run = run_of(plain);
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
  count_steps(state, observed_run.steps_per_segment());
  state.counters[cost_percent] = 100 * (with / without - 1);
}

void measure_rival(benchmark::State& state, const Integrator& rival) {
  if (!disagreement().empty()) return state.SkipWithError(disagreement().c_str());
  measure(state, Run(rival.make(step), starts(small_ensemble), 400));
}

void measure_peak(benchmark::State& state, Isa isa) {
  double fmas = 0;
  for (auto _ : state) fmas += static_cast<double>(run_fmas(isa, 1 << 16));
  state.counters[fmas_per_ns] = benchmark::Counter(1e-9 * fmas, benchmark::Counter::kIsRate);
}

}  // namespace

std::string Measurement::name() const {
  std::string name = std::string("rattle/") + isa_names[static_cast<int>(isa)] + "/" + rattle().solvers[solver].name +
                     (precision == Precision::binary64 ? "/double/" : "/single/") + std::to_string(trajectories);
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

std::string speed_name(const Integrator& integrator) { return integrator.name + "/" + std::to_string(small_ensemble); }
std::string peak_name(Isa isa) { return std::string("fma_peak/") + isa_names[static_cast<int>(isa)]; }

std::vector<Measurement> all_measurements() {
  std::vector<Measurement> all;
  for (const Isa isa : machine_isas())
    for (int solver = 0; solver < static_cast<int>(rattle().solvers.size()); ++solver)
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
  for (const Integrator& rival : std::span(integrators()).subspan(1))
    benchmark::RegisterBenchmark(speed_name(rival).c_str(), measure_rival, rival);
  for (const Isa isa : machine_isas())
    if (register_bits(isa) > 0) benchmark::RegisterBenchmark(peak_name(isa).c_str(), measure_peak, isa);
  for (const Measurement& m : all_measurements()) {
    if (m.observed())
      benchmark::RegisterBenchmark(m.name().c_str(), measure_cost, m)->UseManualTime();
    else if (m.threads > 0)
      benchmark::RegisterBenchmark(m.name().c_str(), measure_speed, m)->UseRealTime();
    else
      benchmark::RegisterBenchmark(m.name().c_str(), measure_speed, m);
  }
}

}  // namespace polhode::bench

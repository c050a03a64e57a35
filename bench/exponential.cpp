#include "exponential.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "integrators.hpp"
#include "measurements.hpp"
#include "run.hpp"
#include "throughput/fma_peak.hpp"
#include "top.hpp"

namespace polhode::bench {
namespace {

std::unique_ptr<Backend> make_rattle_by(std::string_view solver, Isa isa, double h) {
  const auto& solvers = rattle().solvers;
  const auto found =
      std::find_if(solvers.begin(), solvers.end(), [&](const SolverEntry& v) { return v.name == solver; });
  return make_rattle(isa, static_cast<int>(found - solvers.begin()), Precision::binary64, h);
}

/// Empty if the step is that of `hadamard` to round-off: over 8 steps.
std::string disagreement_with_rattle(const ExponentialMeasurement& m) {
  const Rival& rival = m.exponential.rival;
  const Integrator exponential{rival.name, rival.order, [&](double h) { return make_rival(rival, h); }};
  const Integrator hadamard{"hadamard", rival.order, [&](double h) { return make_rattle_by("hadamard", m.isa, h); }};
  const Batch start = starts(64);
  constexpr int steps = 8;
  constexpr double tolerance = 2e-15;  // a few units of round-off of components of order 1
  const double difference =
      largest_difference(states_after(exponential, start, steps, step), states_after(hadamard, start, steps, step));
  char text[96] = "";
  if (!(difference < tolerance))
    std::snprintf(text, sizeof text, "it differs from hadamard by %.1e after %d steps", difference, steps);
  return text;
}

void measure_exponential(benchmark::State& state, const ExponentialMeasurement& m) {
  if (const std::string problem = disagreement_with_rattle(m); !problem.empty())
    return state.SkipWithError(problem.c_str());
  constexpr std::int64_t steps = 4000;  // turns of several milliseconds each
  Run runs[] = {Run(make_rival(m.exponential.rival), starts(small_ensemble), steps),
                Run(make_rattle_by("hadamard", m.isa, step), starts(small_ensemble), steps),
                Run(make_rattle_by("cayley", m.isa, step), starts(small_ensemble), steps)};
  double times[std::size(runs)] = {};
  for (auto _ : state) {
    const double before = times[0];
    for (std::size_t i = 0; i < std::size(runs); ++i) {
      const double start = thread_seconds();
      runs[i].advance();
      times[i] += thread_seconds() - start;
    }
    state.SetIterationTime(times[0] - before);
  }
  for (const Run& run : runs)
    if (const char* const problem = run.problem()) state.SkipWithError(problem);
  count_steps(state, runs[0].steps_per_segment());
  state.counters[this_over_hadamard] = times[0] / times[1];
  state.counters[this_over_cayley] = times[0] / times[2];
}

}  // namespace

std::string ExponentialMeasurement::name() const {
  return std::string(exponential.rival.name) + "/" + isa_names[static_cast<int>(isa)];
}

std::vector<ExponentialMeasurement> all_exponential_measurements() {
  std::vector<ExponentialMeasurement> all;
  for (const Isa isa : machine_isas())
    for (const ExponentialStep& exponential : exponential_steps)
      if (64 * exponential.lanes == register_bits(isa)) all.push_back({exponential, isa});
  return all;
}

void register_exponential_benchmarks() {
  for (const ExponentialMeasurement& m : all_exponential_measurements())
    benchmark::RegisterBenchmark(m.name().c_str(), measure_exponential, m)->UseManualTime();
}

}  // namespace polhode::bench

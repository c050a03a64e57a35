#include "reduced.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "backend/cpu/cpu_backend.hpp"
#include "catalog/catalog.hpp"
#include "measurements.hpp"
#include "run.hpp"
#include "spec/method_step.hpp"

namespace polhode::bench {
namespace {

constexpr const char* reduced = "double-spherical-pendulum-reduced";
constexpr struct {
  const char *system, *method;
} descriptions[] = {{reduced, "gauss"},
                    {"double-spherical-pendulum-cylindrical", "gauss"},
                    {reduced, "lobatto"},
                    {"double-spherical-pendulum-cylindrical", "lobatto"},
                    {"double-spherical-pendulum", "lobatto"}};
constexpr double step = 0.1;                                              // of the paper's figure
constexpr double parameters[] = {1, 2, 1, 0.8, 1, 2.119705402694607634};  // m, l, g, mu

/// n times the example's state, which is another one in space.
Batch starts_of(const SystemEntry& system, std::int64_t n) {
  std::vector<double> x(system.dim);
  system.example_state(parameters, x.data());
  Batch batch(n, system.dim, 0);
  for (int i = 0; i < system.dim; ++i) std::fill_n(batch.state.begin() + i * n, n, x[i]);
  return batch;
}

Run run_of(const DescriptionMeasurement& m, std::int64_t steps) {
  const SystemEntry* const system = find_system(m.system);
  const MethodEntry* const method = find_method(m.system, m.method);
  if (!system || !method) throw std::runtime_error("this build has no " + m.name());
  RunPlan plan{};
  std::copy_n(parameters, system->example_parameters.size(), plan.parameters);
  plan.step = step;
  plan.step_plan = method->with_sweeps(step_of(*method).step_plan, 0, plan.parameters, step, Precision::binary64);
  plan.section.observable = -1;
  plan.last_step = std::numeric_limits<std::int64_t>::max();
  const CpuKernels kernels = method->kernels(0, Precision::binary64, m.isa);
  return Run(make_cpu_backend(plan, kernels, m.isa, {.threads = 1}), starts_of(*system, small_ensemble), steps);
}

/// Takes turns with the reduced system.
void measure_description(benchmark::State& state, const DescriptionMeasurement& m) {
  constexpr std::int64_t steps = 100;  // turns of several milliseconds each
  Run run = run_of(m, steps), other = run_of({reduced, m.method, m.isa}, steps);
  double time = 0, reduced_time = 0;
  for (auto _ : state) {
    const double start = thread_seconds();
    other.advance();
    const double middle = thread_seconds();
    run.advance();
    const double end = thread_seconds();
    reduced_time += middle - start;
    time += end - middle;
    state.SetIterationTime(end - middle);
  }
  for (const Run* each : {&run, &other})
    if (const char* const problem = each->problem()) state.SkipWithError(problem);
  count_steps(state, run.steps_per_segment());
  state.counters[this_over_reduced] = time / reduced_time;
}

}  // namespace

std::string DescriptionMeasurement::name() const {
  return std::string(system) + "/" + method + "/" + isa_names[static_cast<int>(isa)];
}

std::vector<DescriptionMeasurement> all_description_measurements() {
  std::vector<DescriptionMeasurement> all;
  for (const auto& [system, method] : descriptions)
    for (const Isa isa : machine_isas()) all.push_back({system, method, isa});
  return all;
}

void register_description_benchmarks() {
  for (const DescriptionMeasurement& m : all_description_measurements())
    benchmark::RegisterBenchmark(m.name().c_str(), measure_description, m)->UseManualTime();
}

}  // namespace polhode::bench

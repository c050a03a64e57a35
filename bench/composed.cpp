#include "composed.hpp"

#include <benchmark/benchmark.h>

#include "backend/cpu/cpu_backend.hpp"
#include "measurements.hpp"
#include "polhode/method/compositions.hpp"
#include "run.hpp"
#include "spec/method_step.hpp"
#include "top.hpp"

namespace polhode::bench {
namespace {

Run run_of(Isa isa, const StepPlan& step_plan, std::int64_t steps) {
  RunPlan composed = plan(default_solver, Precision::binary64, {});
  composed.step_plan = rattle().with_sweeps(step_plan, default_solver, parameters, step, Precision::binary64);
  const CpuKernels kernels = rattle().kernels(default_solver, Precision::binary64, isa);
  return Run(make_cpu_backend(composed, kernels, isa, {.threads = 1}), starts(small_ensemble), steps);
}

void measure_composed(benchmark::State& state, const ComposedMeasurement& m) {
  constexpr std::int64_t steps = 4000;  // turns of several milliseconds each
  Run composed =
      run_of(m.isa, step_of(rattle(), {{"composition", std::string(m.composition)}}).step_plan, steps / m.stages);
  Run single = run_of(m.isa, step_of(rattle()).step_plan, steps);
  double time = 0, single_time = 0;
  for (auto _ : state) {
    const double start = thread_seconds();
    single.advance();
    const double middle = thread_seconds();
    composed.advance();
    const double end = thread_seconds();
    single_time += middle - start;
    time += end - middle;
    state.SetIterationTime(end - middle);
  }
  for (const Run* run : {&composed, &single})
    if (const char* const problem = run->problem()) state.SkipWithError(problem);
  count_steps(state, composed.steps_per_segment());
  state.counters[single_steps] = (time / static_cast<double>(composed.steps_per_segment())) /
                                 (single_time / static_cast<double>(single.steps_per_segment()));
}

}  // namespace

std::string ComposedMeasurement::name() const {
  return std::string("rattle/") + isa_names[static_cast<int>(isa)] + "/" + composition;
}

std::vector<ComposedMeasurement> all_composed_measurements() {
  std::vector<ComposedMeasurement> all;
  for (const CompositionTable& table : composition_tables)
    for (const Isa isa : machine_isas())
      all.push_back(
          {isa, table.name, step_of(rattle(), {{"composition", std::string(table.name)}}).step_plan.n_stages});
  return all;
}

void register_composed_benchmarks() {
  for (const ComposedMeasurement& m : all_composed_measurements())
    benchmark::RegisterBenchmark(m.name().c_str(), measure_composed, m)->UseManualTime();
}

}  // namespace polhode::bench

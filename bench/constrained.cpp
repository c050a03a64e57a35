#include "constrained.hpp"

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <string_view>

#include "backend/cpu/cpu_backend.hpp"
#include "catalog/catalog.hpp"
#include "measurements.hpp"
#include "rivals.hpp"
#include "run.hpp"
#include "spec/method_step.hpp"

namespace polhode::bench {
namespace {

constexpr const char* pendulum = "double-spherical-pendulum";
constexpr const char* systems_measured[] = {pendulum, "molecule-water"};

const MethodEntry& rattle_of(const char* system) {
  const MethodEntry* const method = find_method(system, "rattle");
  if (!method) throw std::runtime_error(std::string("this build has no rattle on ") + system);
  return *method;
}

RunPlan plan_of(const ConstrainedMeasurement& m, double h) {
  const SystemEntry& system = *find_system(m.system);
  const MethodEntry& method = rattle_of(m.system);
  RunPlan plan{};
  std::copy(system.example_parameters.begin(), system.example_parameters.end(), plan.parameters);
  plan.step = h;
  plan.step_plan = method.with_sweeps(step_of(method).step_plan, m.solver, plan.parameters, h, Precision::binary64);
  plan.section.observable = -1;
  plan.last_step = std::numeric_limits<std::int64_t>::max();
  return plan;
}

/// n states that differ from the example's in their momenta, by up to a tenth.
Batch starts_of(const char* name, std::int64_t n) {
  const SystemEntry& system = *find_system(name);
  const double* p = system.example_parameters.data();
  Batch batch(n, system.dim, 0);
  std::vector<double> x(system.dim);
  for (std::int64_t k = 0; k < n; ++k) {
    system.example_state(p, x.data());
    for (int i = system.dim / 2; i < system.dim; ++i) x[i] *= 1 + 0.1 * static_cast<double>(k) / static_cast<double>(n);
    if (const char* problem = system.prepare(p, Momentum::hidden_constraint, x.data()).problem)
      throw std::runtime_error(problem);
    for (int i = 0; i < system.dim; ++i) batch.state[i * n + k] = x[i];
  }
  return batch;
}

std::unique_ptr<Backend> make(const ConstrainedMeasurement& m, double h) {
  return make_cpu_backend(plan_of(m, h), rattle_of(m.system).kernels(m.solver, Precision::binary64, m.isa), m.isa,
                          {.threads = 1});
}

/// The distance of RATTLE from the rival after a tenth of a second, with steps of the fraction given.
double distance_to_rival(int fraction) {
  const SystemEntry& system = *find_system(pendulum);
  const double h = system.example_step / fraction;
  const int steps = static_cast<int>(std::lround(0.1 / h));
  const Batch start = starts_of(pendulum, 16);
  std::vector<double> states = interleaved(start);
  odeint_double_pendulum.advance(states.data(), start.n, steps, h, system.example_parameters.data());
  const std::unique_ptr<Backend> backend = make({pendulum, Isa::scalar, 0}, h);
  backend->load(start);
  backend->advance({0, steps});
  Batch end;
  backend->store(end);
  double largest = 0;
  for (std::size_t i = 0; i < states.size(); ++i)
    largest = std::max(largest, std::abs(states[i] - interleaved(end)[i]));
  return largest;
}

/// Empty if both solve the same equations: their distance falls by the order of RATTLE.
const std::string& disagreement_with_rival() {
  static const std::string found = [] {
    const double order = std::log2(distance_to_rival(1) / distance_to_rival(2));
    char text[96] = "";
    if (!(std::abs(order - 2) < 0.2)) std::snprintf(text, sizeof text, "RATTLE and odeint part with order %.2f", order);
    return std::string(text);
  }();
  return found;
}

class RivalRun {
 public:
  void advance() {
    const SystemEntry& system = *find_system(pendulum);
    odeint_double_pendulum.advance(states_.data(), small_ensemble, steps, system.example_step,
                                   system.example_parameters.data());
  }
  static constexpr std::int64_t steps_per_segment() { return small_ensemble * steps; }

 private:
  static constexpr long steps = 1000;
  std::vector<double> states_ = interleaved(starts_of(pendulum, small_ensemble));
};

/// Takes turns with the rival, so that the clock rate of the core and what its other thread does are the same for both.
/// Turns are much longer than the two milliseconds for which a processor may keep the lower rate of wide registers.
void measure_constrained(benchmark::State& state, const ConstrainedMeasurement& m) {
  Run run(make(m, find_system(m.system)->example_step), starts_of(m.system, small_ensemble), 400);
  if (!m.has_rival()) return measure(state, std::move(run));
  if (!disagreement_with_rival().empty()) return state.SkipWithError(disagreement_with_rival().c_str());
  RivalRun rival;
  constexpr int segments = 10;
  double time = 0, rival_time = 0;
  for (auto _ : state) {
    const double start = thread_seconds();
    for (int k = 0; k < segments; ++k) run.advance();
    const double middle = thread_seconds();
    rival.advance();
    rival_time += thread_seconds() - middle;
    time += middle - start;
    state.SetIterationTime(middle - start);
  }
  if (const char* const problem = run.problem()) state.SkipWithError(problem);
  const std::int64_t steps = segments * run.steps_per_segment();
  count_steps(state, steps);
  state.counters[rival_over_this] =
      rival_time / static_cast<double>(RivalRun::steps_per_segment()) / (time / static_cast<double>(steps));
}

void measure_rival(benchmark::State& state) {
  if (!disagreement_with_rival().empty()) return state.SkipWithError(disagreement_with_rival().c_str());
  RivalRun rival;
  for (auto _ : state) rival.advance();
  count_steps(state, RivalRun::steps_per_segment());
}

}  // namespace

std::string ConstrainedMeasurement::name() const {
  return std::string(system) + "/rattle/" + isa_names[static_cast<int>(isa)] + "/" +
         rattle_of(system).solvers[solver].name;
}

bool ConstrainedMeasurement::has_rival() const { return std::string_view(system) == pendulum; }

std::string constrained_rival_name() { return std::string(pendulum) + "/" + odeint_double_pendulum.name; }

std::vector<ConstrainedMeasurement> all_constrained_measurements() {
  std::vector<ConstrainedMeasurement> all;
  for (const char* system : systems_measured)
    for (const Isa isa : machine_isas())
      for (int solver = 0; solver < static_cast<int>(rattle_of(system).solvers.size()); ++solver)
        all.push_back({system, isa, solver});
  return all;
}

void register_constrained_benchmarks() {
  benchmark::RegisterBenchmark(constrained_rival_name().c_str(), measure_rival);
  for (const ConstrainedMeasurement& m : all_constrained_measurements()) {
    auto* const registered = benchmark::RegisterBenchmark(m.name().c_str(), measure_constrained, m);
    if (m.has_rival()) registered->UseManualTime();
  }
}

}  // namespace polhode::bench

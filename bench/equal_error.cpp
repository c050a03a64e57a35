#include "equal_error.hpp"

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>

#include "run.hpp"

namespace polhode::bench {
namespace {

const Batch& start() {
  static const Batch batch = starts(64);
  return batch;
}

/// States at a time by the integrator of the highest order, which must no longer depend on the step.
const std::vector<double>& solution(double time) {
  const auto converged = [](double time) {
    const auto with_step = [&](double h) {
      return states_after(integrators().back(), start(), std::lround(time / h), h);
    };
    std::vector<double> fine = with_step(0.01);
    if (!(largest_difference(fine, with_step(0.02)) < 1e-10))
      throw std::runtime_error("the solution has not converged");
    return fine;
  };
  static const double first = time;
  static const std::vector<double> states = converged(time);
  if (time != first) throw std::logic_error("goals for states must share their time");
  return states;
}

std::vector<double> energies(const std::vector<double>& states) {
  static const int energy = system().find_observable("energy");
  std::vector<double> energies;
  for (std::size_t i = 0; i < states.size(); i += system().dim)
    energies.push_back(system().observe(parameters, energy, &states[i]));
  return energies;
}

struct Choice {
  double step, error;
};

/// The longest of the steps 2, 2^(3/4), 2^(2/4), ... (nearly: a whole number of them must fit) that reaches the goal.
Choice longest_step(const Integrator& integrator, const Goal& goal) {
  for (int k = 0; k < 80; ++k) {
    const std::int64_t steps = std::lround(goal.time * std::exp2(k / 4.0 - 1));
    const double h = goal.time / static_cast<double>(steps);
    const std::vector<double> states = states_after(integrator, start(), steps, h);
    const double error = goal.quantity == Goal::Quantity::state
                             ? largest_difference(states, solution(goal.time))
                             : largest_difference(energies(states), energies(interleaved(start())));
    if (error <= goal.tolerance) return {h, error};
  }
  throw std::runtime_error("no step is short enough");
}

void measure_at(benchmark::State& state, const Integrator& integrator, const Choice& choice) {
  constexpr std::int64_t steps = 400;
  Run run(integrator.make(choice.step), starts(small_ensemble), steps);
  for (auto _ : state) run.advance();
  using benchmark::Counter;
  const double time = choice.step * static_cast<double>(run.steps_per_segment());
  state.counters[ns_per_time] = Counter(1e-9 * time, Counter::kIsIterationInvariantRate | Counter::kInvert);
  state.counters[step_length] = choice.step;
  state.counters[error_reached] = choice.error;
}

}  // namespace

std::string Goal::name(const Integrator& integrator) const {
  char text[64];
  std::snprintf(text, sizeof text, "equal_error/%s_%.0e_at_%g/", quantity == Quantity::state ? "state" : "energy",
                tolerance, time);
  return text + integrator.name;
}

std::vector<Goal> all_goals() {  // the picture takes 3000 units of time
  using enum Goal::Quantity;
  return {{state, 1e-3, 10}, {state, 1e-6, 10}, {energy, 1e-2, 3000}, {energy, 1e-3, 3000}, {energy, 1e-6, 3000}};
}

void register_equal_error_benchmarks() {
  for (const Goal& goal : all_goals())
    for (const Integrator& integrator : integrators()) {
      const auto choice = std::make_shared<Choice>();
      benchmark::RegisterBenchmark(goal.name(integrator).c_str(), [=](benchmark::State& state) {
        if (!disagreement().empty()) return state.SkipWithError(disagreement().c_str());
        if (choice->step == 0) *choice = longest_step(integrator, goal);
        measure_at(state, integrator, *choice);
      });
    }
}

}  // namespace polhode::bench

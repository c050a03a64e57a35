// Ends of the charts in which a coordinate is cyclic: starts outside are refused, and trajectories that come there end
// with a status, on every backend.
#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "backends/support.hpp"
#include "polhode/method/status.hpp"

namespace polhode::test {
namespace {

RunPlan plan_of(const MethodEntry& method, const std::vector<double>& parameters, double h, std::int64_t steps) {
  RunPlan plan = example_plan(method, steps);
  std::copy(parameters.begin(), parameters.end(), plan.parameters);
  plan.step = h;
  plan.step_plan = method.with_sweeps(step_of(method).step_plan, 0, plan.parameters, h, Precision::binary64);
  plan.section.observable = -1;
  return plan;
}

Batch batch_of(const MethodEntry& method, const std::vector<std::vector<double>>& states) {
  const SystemEntry& system = *find_system(method.system);
  Batch batch(static_cast<std::int64_t>(states.size()), system.dim, static_cast<int>(system.invariants.size()));
  for (std::int64_t k = 0; k < batch.n; ++k)
    for (int i = 0; i < batch.dim; ++i) batch.state[i * batch.n + k] = states[k][i];
  return batch;
}

bool is_start(const char* system, const std::vector<double>& parameters, std::vector<double> x) {
  const char* const problem =
      find_system(system)->prepare(parameters.data(), Momentum::hidden_constraint, x.data()).problem;
  if (problem) {
    EXPECT_EQ(std::string(problem), "it is outside the domain of the system");
  }
  return !problem;
}

const std::vector<double> satellite{0.05, 0.01, 0.9}, pendulum{1, 2, 1, 0.8, 1, 2};

TEST(CyclicChart, StartsAreInside) {
  EXPECT_TRUE(is_start("j2-satellite-reduced", satellite, {0.01, 0.5, 0, 0, 0}));
  EXPECT_FALSE(is_start("j2-satellite-reduced", satellite, {0, 0.5, 0, 0, 0}));
  EXPECT_FALSE(is_start("j2-satellite-reduced", satellite, {-0.01, 0.5, 0, 0, 0}));
  EXPECT_FALSE(is_start("j2-satellite-cylindrical", satellite, {0, 0.5, 0, 0, 0, 0.9}));
  EXPECT_FALSE(is_start("j2-satellite", satellite, {0.003, 0.004, 0, 1, 1, 1}));  // has collided
  EXPECT_TRUE(is_start("double-spherical-pendulum-reduced", pendulum, {0.99, 0.79, 0, 0, 0, 0, 0}));
  EXPECT_FALSE(is_start("double-spherical-pendulum-reduced", pendulum, {1, 0.4, 0, 0, 0, 0, 0}));
  EXPECT_FALSE(is_start("double-spherical-pendulum-reduced", pendulum, {0.5, 0, 0, 0, 0, 0, 0}));
  EXPECT_FALSE(is_start("double-spherical-pendulum-cylindrical", pendulum, {0.5, 0.9, 0, 0, 0, 0, 0, 0}));
}

/// A polar orbit passes over the poles, where r has no sign; one beside it goes on.
TEST(CyclicChart, SatellitesOverThePolesLeaveIt) {
  constexpr std::int64_t steps = 100;
  for (const char* name : {"gauss", "lobatto"}) {
    const MethodEntry& full = *find_method("j2-satellite-cylindrical", name);
    const Batch both = batch_of(full, {{1, 0, 0, 0, 1, 0}, {1, 0, 0, 0, 0.8, 0.6}});
    std::int64_t left = -1;
    for (const Batch& end : on_every_backend(full, plan_of(full, {0.05, 0.01}, 0.1, steps), both)) {
      EXPECT_EQ(end.code[0], static_cast<int>(Status::left_domain)) << name;
      EXPECT_EQ(end.code[1], static_cast<int>(Status::ok)) << name;
      if (left < 0) left = end.steps[0];
      EXPECT_EQ(end.steps[0], left) << name;
      EXPECT_NEAR(end.state[0], 0, 0.2) << name;  // the last state inside
      EXPECT_GT(end.state[0], 0) << name;
    }
    const MethodEntry& reduced = *find_method("j2-satellite-reduced", name);
    const Batch polar = batch_of(reduced, {{1, 0, 0, 1, 0}});
    for (const Batch& end : on_every_backend(reduced, plan_of(reduced, {0.05, 0.01, 0}, 0.1, steps), polar)) {
      EXPECT_EQ(end.code[0], static_cast<int>(Status::left_domain)) << name;
      EXPECT_EQ(end.steps[0], left) << name;
    }
  }
}

/// A rod that swings through the horizontal: no states, or no stages, on the other side. Its angle stays finite.
TEST(CyclicChart, RodsThroughTheHorizontalEndThere) {
  constexpr std::int64_t steps = 200;
  const MethodEntry& method = *find_method("double-spherical-pendulum-reduced", "gauss");
  const Batch start = batch_of(method, {{0.5, 0.7, 0.3, 0, 4, 0, 0}, {0.5, 0.4, 0.3, 0.2, 0.1, 0, 0}});
  for (const Batch& end : on_every_backend(method, plan_of(method, pendulum, 0.02, steps), start)) {
    EXPECT_EQ(end.code[0], static_cast<int>(Status::left_domain));
    EXPECT_EQ(end.code[1], static_cast<int>(Status::ok));
    EXPECT_LT(end.steps[0], steps);
    EXPECT_LT(end.state[end.n], 0.8);
    EXPECT_GT(end.state[end.n], 0.7);
    EXPECT_TRUE(std::isfinite(end.state[6 * end.n]));
  }
}

/// States of the double pendulum, with masses, lengths and gravity 1, at an energy and mu.
std::vector<std::vector<double>> states_at(const std::vector<double>& parameters, double energy, int count) {
  const SystemEntry& system = *find_system("double-spherical-pendulum-reduced");
  const auto energy_of = [&](const std::vector<double>& x) {
    return system.observe(parameters.data(), system.find_observable("energy"), x.data());
  };
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform(0.05, 0.95);
  std::normal_distribution<double> normal;
  std::vector<std::vector<double>> states;
  while (std::ssize(states) < count) {
    std::vector<double> x{uniform(random), uniform(random), 7 * uniform(random), 0, 0, 0, 0}, moving = x;
    for (int i = 3; i < 6; ++i) moving[i] = normal(random);
    const double at_rest = energy_of(x), kinetic = energy_of(moving) - at_rest;
    if (at_rest > energy) continue;
    for (int i = 3; i < 6; ++i) x[i] = std::sqrt((energy - at_rest) / kinetic) * moving[i];
    states.push_back(x);
  }
  return states;
}

/// Near r = 0 steps fail because the chart ends, and whatever the step: they say so. Before, 25 of 31 said that the
/// step was too large.
TEST(CyclicChart, StepsThatFailNextToTheEdgeLeaveIt) {
  const std::vector<double> parameters{1, 1, 1, 1, 1, 0.3};
  constexpr int orbits = 31;
  for (const char* name : {"gauss", "lobatto", "discrete-routh"})
    for (const double h : {0.05, 0.02, 0.005}) {
      const MethodEntry& method = *find_method("double-spherical-pendulum-reduced", name);
      const Batch start = batch_of(method, states_at(parameters, -2.5, orbits));
      const auto steps = static_cast<std::int64_t>(40 / h);
      const RunPlan plan = plan_of(method, parameters, h, steps);
      for (const Isa isa : isas_of(method, Precision::binary64)) {
        const Batch end = run_all(*make_cpu(plan, isa, 2, 0, Precision::binary64, method), start, steps, steps).batch;
        std::int64_t left = 0;
        for (std::int64_t k = 0; k < orbits; ++k) {
          if (end.code[k] == static_cast<int>(Status::ok)) continue;
          EXPECT_EQ(end.code[k], static_cast<int>(Status::left_domain)) << name << ", h = " << h << ", orbit " << k;
          ++left;
        }
        EXPECT_GT(left, orbits / 3) << name << ", h = " << h;
      }
      if (h < 0.05) continue;
      const Batch end = run_all(*method.make_reference(plan), start, steps, steps).batch;
      for (std::int64_t k = 0; k < orbits; ++k)
        EXPECT_TRUE(end.code[k] == 0 || end.code[k] == static_cast<int>(Status::left_domain))
            << name << ", orbit " << k;
    }
}

/// A step that is too long in space is no edge.
TEST(CyclicChart, StepsThatAreTooLongFail) {
  const std::vector<double> parameters{1, 1, 1, 1, 1, 0.3};
  const MethodEntry& method = *find_method("double-spherical-pendulum-reduced", "gauss");
  const Batch start = batch_of(method, states_at(parameters, -2.5, 31));
  const RunPlan plan = plan_of(method, parameters, 40, 3);
  for (const Isa isa : isas_of(method, Precision::binary64)) {
    const Batch end = run_all(*make_cpu(plan, isa, 2, 0, Precision::binary64, method), start, 3, 3).batch;
    EXPECT_EQ(std::ranges::count(end.code, static_cast<std::uint8_t>(Status::not_converged)), end.n);
  }
}

}  // namespace
}  // namespace polhode::test

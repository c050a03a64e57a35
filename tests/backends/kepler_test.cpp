// The Kepler problem on every backend: the closed orbit of its laws, its integrals, and a collision.
#include <cmath>
#include <map>
#include <numbers>

#include "backends/support.hpp"
#include "polhode/method/status.hpp"

namespace polhode::test {
namespace {

const SystemEntry& kepler() { return *find_system("kepler"); }

RunPlan plan_of(const MethodEntry& method, const std::map<std::string, Value>& options, double mu, double radius,
                double step, std::int64_t steps) {
  RunPlan plan{};
  plan.parameters[0] = mu;
  plan.parameters[1] = radius;
  plan.step_plan = step_of(method, options).step_plan;
  plan.step_plan = method.with_sweeps(plan.step_plan, 0, plan.parameters, step, Precision::binary64);
  plan.step = step;
  plan.section.observable = -1;
  plan.last_step = steps;
  plan.invariants_every = 1;
  return plan;
}

std::vector<Batch> on_every_backend(const MethodEntry& method, const RunPlan& plan, const std::vector<double>& rows) {
  Batch start(static_cast<std::int64_t>(rows.size()) / 4, 4, 0);
  for (std::int64_t k = 0; k < start.n; ++k)
    for (int i = 0; i < 4; ++i) start.state[i * start.n + k] = rows[4 * k + i];
  return test::on_every_backend(method, plan, start);
}

/// Kepler's third law, T = 2 pi (a^3/mu)^1/2, and the ellipse: semi-axis 1.5, eccentricity 0.4, pericentre on the
/// second axis.
TEST(Kepler, OrbitClosesAfterThePeriod) {
  constexpr double mu = 2, a = 1.5, e = 0.4;
  const double period = 2 * std::numbers::pi * std::sqrt(a * a * a / mu);
  const double speed = std::sqrt(mu / a * (1 + e) / (1 - e));
  const std::vector<double> start{0, a * (1 - e), -speed, 0};
  const double parameters[] = {mu, 0.01};
  const auto observed = [&](const char* name, const double* x) {
    return kepler().observe(parameters, kepler().find_observable(name), x);
  };
  EXPECT_NEAR(observed("energy", start.data()), -mu / (2 * a), 1e-15);
  EXPECT_NEAR(observed("angular_momentum", start.data()), std::sqrt(mu * a * (1 - e * e)), 1e-15);
  EXPECT_NEAR(observed("e1", start.data()), 0, 1e-16);
  EXPECT_NEAR(observed("e2", start.data()), e, 1e-15);
  EXPECT_NEAR(observed("r", start.data()), a * (1 - e), 0);
  EXPECT_NEAR(observed("q_dot_p", start.data()), 0, 0);

  const MethodEntry& method = *find_method("kepler", "generating-function");
  std::vector<double> coarse;
  for (const int steps : {200, 400}) {
    const RunPlan plan = plan_of(method, {{"kind", "poincare"}, {"order", 4}}, mu, 0.01, period / steps, steps);
    const std::vector<Batch> ends = on_every_backend(method, plan, start);
    std::vector<double> errors;
    for (const Batch& end : ends) {
      errors.push_back(0);
      for (int i = 0; i < 4; ++i) errors.back() = std::max(errors.back(), std::abs(end.state[i] - start[i]));
      EXPECT_LT(std::abs(observed("e1", end.state.data())), errors.back());  // of order h^4: the ellipse hardly turns
      if (&end != &ends.back()) {                                            // bit for bit but for the reference
        EXPECT_EQ(end.state, ends.front().state);
      }
    }
    for (std::size_t k = 0; k < coarse.size(); ++k) EXPECT_NEAR(std::log2(coarse[k] / errors[k]), 4, 0.1);
    coarse = errors;
  }
}

/// A fall without angular momentum ends within the radius; its neighbour goes on.
TEST(Kepler, CollisionsEndInAStatus) {
  const MethodEntry& method = *find_method("kepler", "stoermer-verlet");
  const RunPlan plan = plan_of(method, {}, 1, 0.05, 1e-3, 2000);
  for (const Batch& end : on_every_backend(method, plan, {0.6, 0.8, 0, 0, 1, 0, 0, 1})) {
    EXPECT_EQ(end.code[0], static_cast<int>(Status::left_domain));
    EXPECT_EQ(end.code[1], static_cast<int>(Status::ok));
    const double r = std::hypot(end.state[0], end.state[2]);
    EXPECT_GE(r, 0.05);  // the last state outside
    EXPECT_LT(r, 0.06);  // at a speed of 6, a step before
    // From rest at distance 1 the fall to r takes (arccos sqrt(r) + (r (1 - r))^1/2)/sqrt(2).
    const double time = (std::acos(std::sqrt(r)) + std::sqrt(r * (1 - r))) / std::numbers::sqrt2;
    EXPECT_NEAR(static_cast<double>(end.steps[0]) * 1e-3, time, 1e-3);
  }
}

/// A step that is too long for the passage goes through the centre: no orbit is ok after that, by methods that conserve
/// the angular momentum.
TEST(Kepler, CollisionsBetweenStepsEndInAStatus) {
  for (const char* name :
       {"stoermer-verlet", "symplectic-euler", "splitting", "implicit-midpoint", "generating-function"}) {
    const MethodEntry& method = *find_method("kepler", name);
    for (const double h : {0.05, 0.02, 0.01, 0.005, 0.002, 0.001}) {
      const RunPlan plan = plan_of(method, {}, 1, 0.01, h, static_cast<std::int64_t>(3 / h));
      for (const Batch& end : on_every_backend(method, plan, {1, 0, 0, 0, 1, 0, 0, 0.05})) {
        EXPECT_NE(end.code[0], static_cast<int>(Status::ok)) << name << ", h = " << h;
        EXPECT_NE(end.code[1], static_cast<int>(Status::ok)) << name << ", h = " << h;
      }
    }
  }
}

/// What moves towards a pericentre within the centre has not been there yet, what moves away from it has.
TEST(Kepler, OrbitsThatGrazeTheCentreGoOn) {
  const double parameters[] = {1, 0.05};
  // Of eccentricity 0.9 and semi-axis 1, pericentre 0.1; and 0.97, pericentre 0.03: at the end of the small axis.
  for (const auto& [e, collides] : {std::pair{0.9, false}, {0.97, true}})
    for (const double way : {1.0, -1.0}) {
      double x[] = {-e, std::sqrt(1 - e * e), -way, 0};
      const bool moves_away = x[0] * x[2] + x[1] * x[3] > 0;
      const bool is_refused = kepler().prepare(parameters, Momentum::hidden_constraint, x).problem != nullptr;
      EXPECT_EQ(is_refused, collides && moves_away) << e << ' ' << way;
    }
}

TEST(Kepler, StartsOutsideTheCentre) {
  const double parameters[] = {1, 0.05};
  double inside[] = {0.03, 0.03, 0, 1}, outside[] = {0.04, 0.04, 0, -1};
  const char* problem = kepler().prepare(parameters, Momentum::hidden_constraint, inside).problem;
  ASSERT_NE(problem, nullptr);
  EXPECT_EQ(std::string(problem), "it is outside the domain of the system");
  EXPECT_EQ(kepler().prepare(parameters, Momentum::hidden_constraint, outside).problem, nullptr);
}

}  // namespace
}  // namespace polhode::test

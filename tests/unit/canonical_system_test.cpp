// A system without constraints, in a few lines: what follows from its Hamiltonian, and its entry in a catalog.
#include "polhode/system/canonical_system.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "catalog/entry.hpp"
#include "support/carousel.hpp"

namespace polhode {
namespace {

using test::Carousel;

constexpr double omega = 0.7, k = 0.3;
constexpr double parameters[] = {omega, k};
constexpr std::array<double, 4> state{0.6, -0.2, 0.3, 0.8};
// Sums of a few products of numbers of size 1.
constexpr double round_off = 8 * std::numeric_limits<double>::epsilon();

Carousel::State<double> point() { return {state[0], state[1], state[2], state[3]}; }
double energy(const std::array<double, 4>& x) {
  const double q2 = x[0] * x[0] + x[1] * x[1], p2 = x[2] * x[2] + x[3] * x[3];
  return (1 + k * q2) * p2 / 2 - omega * (x[0] * x[3] - x[1] * x[2]) + q2 / 2;
}
std::array<double, 2> velocity(const std::array<double, 4>& x) {
  const double inverse_mass = 1 + k * (x[0] * x[0] + x[1] * x[1]);
  return {inverse_mass * x[2] + omega * x[1], inverse_mass * x[3] - omega * x[0]};
}

TEST(CanonicalSystem, HasItsEquationsOfMotion) {
  const Carousel::Model<double> model(parameters);
  const auto q = Carousel::position(point()), p = Carousel::momentum(point());
  const double p2 = state[2] * state[2] + state[3] * state[3];
  const double force[2] = {k * p2 * state[0] - omega * state[3] + state[0],
                           k * p2 * state[1] + omega * state[2] + state[1]};
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(model.velocity(q, p)[i], velocity(state)[i], round_off);
    EXPECT_NEAR(model.position_gradient(q, p)[i], force[i], round_off);
  }
}

TEST(CanonicalSystem, HasRowsOfObservablesAndInvariants) {
  const Carousel::Model<double> model(parameters);
  const auto names = [](const auto& quantities) {
    std::string joined;
    for (const Quantity& quantity : quantities) joined += std::string(quantity.name) + " ";
    return joined;
  };
  EXPECT_EQ(names(Carousel::observables), "q1 q2 p1 p2 energy distance_squared ");
  EXPECT_EQ(names(Carousel::invariants), "energy angular_momentum of_the_plane_at_rest ");
  for (int i = 0; i < 4; ++i) EXPECT_EQ(model.observe(i, point()), state[i]);
  EXPECT_NEAR(model.observe(4, point()), energy(state), round_off);
  EXPECT_NEAR(model.observe(5, point()), 0.4, round_off);
  EXPECT_NEAR(model.invariant(0, point()), energy(state), round_off);
  EXPECT_NEAR(model.invariant(1, point()), 0.54, round_off);
  // Of a row that has none of its own: the moduli of the state's columns.
  EXPECT_NEAR(model.magnitude(5, point()), 1.9, round_off);
  EXPECT_NEAR(model.magnitude(1, point()), 0.8, round_off);

  constexpr double at_rest[] = {0, k};
  EXPECT_TRUE(Carousel::conserves(parameters, state.data(), 1));
  EXPECT_FALSE(Carousel::conserves(parameters, state.data(), 2));
  EXPECT_TRUE(Carousel::conserves(at_rest, state.data(), 2));
}

TEST(CanonicalSystem, EntersTheCatalog) {
  const SystemEntry entry = system_entry<Carousel>();
  EXPECT_EQ(entry.kind, Kind::canonical);
  EXPECT_TRUE(entry.has_positions());
  ASSERT_EQ(entry.layout.size(), 2u);
  EXPECT_EQ(entry.layout[1].form, Block::Form::momentum);
  EXPECT_EQ(entry.layout[1].first, 2);
  EXPECT_FALSE(entry.project_momentum);
  std::array<double, 4> x = state;
  EXPECT_TRUE(entry.bring_near(parameters, x.data()));
  EXPECT_EQ(x, state);
}

TEST(CanonicalSystem, StartsAnywhereFinite) {
  const SystemEntry entry = system_entry<Carousel>();
  std::array<double, 4> x = state;
  EXPECT_EQ(entry.prepare(parameters, Momentum::hidden_constraint, x.data()).problem, nullptr);
  EXPECT_EQ(x, state);  // bit for bit
  for (int i = 0; i < 4; ++i) {
    x = state;
    x[i] = std::numeric_limits<double>::infinity();
    const char* problem = entry.prepare(parameters, Momentum::hidden_constraint, x.data()).problem;
    ASSERT_NE(problem, nullptr);
    EXPECT_NE(std::string(problem).find(i < 2 ? "position is too large" : "not finite"), std::string::npos) << problem;
  }
}

TEST(CanonicalSystem, TakesVelocities) {
  const SystemEntry entry = system_entry<Carousel>();
  std::array<double, 4> x = {state[0], state[1], velocity(state)[0], velocity(state)[1]};
  const Preparation result = entry.prepare_velocities(parameters, Momentum::hidden_constraint, x.data());
  EXPECT_EQ(result.problem, nullptr);
  EXPECT_EQ(result.moved_momentum, 0);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(x[i], state[i], round_off);
}

}  // namespace
}  // namespace polhode

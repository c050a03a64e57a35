// A system without constraints, in a few lines: what follows from its Hamiltonian, and its entry in a catalog.
#include "polhode/system/canonical_system.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "catalog/entry.hpp"

namespace polhode {
namespace {

/// A particle in a plane that turns at the rate omega, with a mass that depends on its position:
///   H = (1 + k |q|^2) |p|^2 / 2 - omega (q1 p2 - q2 p1) + |q|^2 / 2
struct CarouselPhysics {
  static constexpr const char* name = "carousel";
  static constexpr const char* meaning = "particle in a turning plane";
  static constexpr int N = 2, D = 0;
  static constexpr double defaults[] = {0.7, 0.3};
  static constexpr Parameter parameters[] = {
      {"omega", "1/time", 1, defaults, Bound::finite, "rate of the plane"},
      {"k", "1/length^2", 1, defaults + 1, Bound::finite, "growth of the inverse mass"},
  };
  static constexpr std::array<Quantity, 4> columns{
      {{"q1", "length", ""}, {"q2", "length", ""}, {"p1", "momentum", ""}, {"p2", "momentum", ""}}};
  static constexpr double example_parameters[] = {0.7, 0.3};
  static constexpr double example_step = 0.05;
  static void example_state(const double*, double* x) {
    constexpr double state[] = {0.6, -0.2, 0.3, 0.8};
    for (int i = 0; i < 4; ++i) x[i] = state[i];
  }
  static bool is_at_rest(const double* p, const double* /*x*/) { return p[0] == 0; }

  template <class T>
  struct Equations {
    T omega, k;

    explicit Equations(const double* p) : omega(static_cast<Real<T>>(p[0])), k(static_cast<Real<T>>(p[1])) {}
    T hamiltonian(const Vec<T, 2>& q, const Vec<T, 2>& p) const {
      const T half(Real<T>(0.5)), one(Real<T>(1));
      return half * (one + k * dot(q, q)) * dot(p, p) - omega * angular_momentum(q, p) + half * dot(q, q);
    }
    T angular_momentum(const Vec<T, 2>& q, const Vec<T, 2>& p) const { return q[0] * p[1] - q[1] * p[0]; }
    T distance_squared(const Vec<T, 2>& q, const Vec<T, 2>&) const { return dot(q, q); }

    static constexpr DerivedRow<Equations, T, 2> derived[1] = {
        {{"distance_squared", "length^2", ""}, &Equations::distance_squared}};
    static constexpr ConservedRow<Equations, T, 2> conserved[2] = {
        {{"angular_momentum", "length momentum", ""}, &Equations::angular_momentum},
        {{"of_the_plane_at_rest", "1", ""}, &Equations::angular_momentum, is_at_rest}};
  };
};
using Carousel = CanonicalSystem<CarouselPhysics>;

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

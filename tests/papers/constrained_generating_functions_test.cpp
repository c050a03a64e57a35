// The generating functions of methods on constraints (McLachlan & Scovel 1995, (6), (7)): with S1(q, p~) and S2(Q),
//
//   Q = S1_p~,   p + t G(q)^T mu = S1_q,   P = p~ + t G(Q)^T nu - S2_Q,   g(Q) = 0,   G(Q) H_p(Q, P) = 0
//
// is the first-order constraint algorithm for S1 = p~.q + t H(q, p~), S2 = 0, and RATTLE for S1 = p~.q + t (T(p~) +
// V(q)/2), S2 = t V(Q)/2. The paper leaves out the factor t.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "numerics/subject.hpp"
#include "papers/power_series.hpp"
#include "papers/rod_pendulum.hpp"
#include "polhode/method/constraint_euler.hpp"
#include "polhode/method/rattle.hpp"

namespace polhode::test {
namespace {

using WithSlopes = PowerSeries<6, 1>;  // in q and p~, or Q

/// S1(q, p~) and S2(Q) over a step of t.
using FirstFunction = WithSlopes (*)(const RodPendulum&, double t, const Triple<WithSlopes>&,
                                     const Triple<WithSlopes>&);
using SecondFunction = WithSlopes (*)(const RodPendulum&, double t, const Triple<WithSlopes>&);

WithSlopes with_the_energy(const RodPendulum& rod, double t, const Triple<WithSlopes>& q, const Triple<WithSlopes>& p) {
  return dot(p, q) + t * rod.hamiltonian(q, p);
}
WithSlopes none(const RodPendulum&, double, const Triple<WithSlopes>&) { return 0; }
WithSlopes with_half_the_potential(const RodPendulum& rod, double t, const Triple<WithSlopes>& q,
                                   const Triple<WithSlopes>& p) {
  return dot(p, q) + t * (0.5 * dot(p, p) + 0.5 * rod.gravity * q[2]);
}
WithSlopes half_the_potential(const RodPendulum& rod, double t, const Triple<WithSlopes>& q) {
  return (0.5 * t * rod.gravity) * q[2];
}

Triple<WithSlopes> variables_from(int first, const Triple<double>& at) {
  Triple<WithSlopes> x;
  for (int k = 0; k < 3; ++k) x[k] = WithSlopes::variable(at[k], first + k);
  return x;
}
Triple<double> slopes_from(int first, const WithSlopes& f) {
  return {f.slope(first), f.slope(first + 1), f.slope(first + 2)};
}

/// The step that two functions generate, by an iteration for p~ and mu whose errors fall by a factor of order t.
PointOfRod generated(const RodPendulum& rod, FirstFunction first, SecondFunction second, double t,
                     const PointOfRod& start) {
  Triple<double> middle = start.p, end = start.q;
  double multiplier = 0;
  for (int pass = 0; pass < 100; ++pass) {
    const WithSlopes S = first(rod, t, variables_from(0, start.q), variables_from(3, middle));
    end = slopes_from(3, S);
    multiplier -= rod.constraint(end) / (t * t * rod.schur(start.q));
    middle = middle + (start.p + (t * multiplier) * rod.normal(start.q) - slopes_from(0, S));
  }
  EXPECT_LT(std::abs(rod.constraint(end)), 1e-15);
  const Triple<double> last = slopes_from(0, second(rod, t, variables_from(0, end)));
  return {end, rod.lifted(end, middle - last)};
}

/// Pendulum of the catalog, at its example parameters.
struct PendulumOfCatalog {
  const Subject& subject;
  RodPendulum rod;
};
PendulumOfCatalog spherical_of_catalog() {
  const Subject& subject = subject_of("spherical-pendulum");
  RodPendulum rod = spherical_rod;
  EXPECT_EQ(subject.parameters[0], 1);  // m
  EXPECT_EQ(subject.parameters[1], 1);  // l
  rod.gravity = subject.parameters[2];
  return {subject, rod};
}
PendulumOfCatalog magnetic_of_catalog() { return {subject_of("magnetic-pendulum"), magnetic_rod}; }

/// The largest relative distance of generated steps from those of a method, over random starts.
double worst_distance(const PendulumOfCatalog& pendulum, const Scheme& scheme, FirstFunction first,
                      SecondFunction second) {
  std::mt19937_64 random(379);
  double worst = 0;
  for (int trial = 0; trial < 20; ++trial) {
    const PointOfRod start = random_point_of(pendulum.rod, random);
    for (const double t : {0.02, -0.05}) {
      State x(6), y(6);
      const PointOfRod end = generated(pendulum.rod, first, second, t, start);
      for (int k = 0; k < 3; ++k) {
        x[k] = start.q[k], x[3 + k] = start.p[k];
        y[k] = end.q[k], y[3 + k] = end.p[k];
      }
      EXPECT_TRUE(pendulum.subject.advance(0, {{scheme}}, t, 1, x));
      worst = std::max(worst, pendulum.subject.distance(x, y));
    }
  }
  return worst;
}

constexpr double round_off = 5e-15;  // 3.3e-16 was measured

TEST(ConstrainedGeneratingFunctions, MakeTheFirstOrderAlgorithm) {
  const Scheme scheme = scheme_of<ConstraintEulerMethod>();
  EXPECT_LT(worst_distance(spherical_of_catalog(), scheme, with_the_energy, none), round_off);
  EXPECT_LT(worst_distance(magnetic_of_catalog(), scheme, with_the_energy, none), round_off);
}

TEST(ConstrainedGeneratingFunctions, MakeRattle) {
  const PendulumOfCatalog pendulum = spherical_of_catalog();
  const Scheme scheme = scheme_of<RattleMethod>();
  EXPECT_LT(worst_distance(pendulum, scheme, with_half_the_potential, half_the_potential), round_off);
  EXPECT_GT(worst_distance(pendulum, scheme, with_the_energy, none), 1e-3);  // each makes its own method
  EXPECT_GT(worst_distance(pendulum, scheme, with_half_the_potential, none), 1e-3);
}

WithSlopes as_printed(const RodPendulum& rod, double, const Triple<WithSlopes>& q, const Triple<WithSlopes>& p) {
  return with_the_energy(rod, 1, q, p);
}

TEST(ConstrainedGeneratingFunctions, AreNotAsPrinted) {
  // Without t before the energy, the equations of any step are those of t = 1. Of a pendulum that is slow, so that they
  // have a solution near, steps of t go t times as far.
  RodPendulum slow = spherical_rod;
  slow.gravity = 0.01;
  const PointOfRod start{{.6, 0, -.8}, {.012, .07, .009}};
  const auto distance = [&](FirstFunction first, double t) {
    const Triple<double> moved = generated(slow, first, none, t, start).q - start.q;
    return std::sqrt(dot(moved, moved));
  };
  const double printed = distance(as_printed, 1);
  EXPECT_NEAR(printed, std::sqrt(dot(start.p, start.p)), 0.01);  // of the momentum, which changes by the gravity
  for (const double t : {0.02, 0.05}) EXPECT_NEAR(distance(with_the_energy, t) / printed, t, 0.1 * t);
}

}  // namespace
}  // namespace polhode::test

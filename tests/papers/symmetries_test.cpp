// What symplectic maps keep, and what they commute with (Pierce 1994, sect. 4 and 5): the angular momentum of a central
// force, linear and other changes of coordinates.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "numerics/canonical_step.hpp"

namespace polhode::test {
namespace {

using Map = std::function<PhasePoint(const PhasePoint&)>;

struct NamedMap {
  std::string name;
  Map map;
  bool is_invariant;  ///< under rotations, and symplectic
};

/// Symplectic, but not invariant under rotations: (10) in the first coordinate, its adjoint in the second. With H =
/// p^2/2 + V(q), F(P1, p2; q1, Q2) = h H is its generating function.
PhasePoint mixed_euler(const PhasePoint& x, double h) {
  const auto force = [](double a, double b, int k) {
    const double r2 = a * a + b * b;
    return -(1 + r2) * (k == 0 ? a : b);  // V = r^2/2 + r^4/4
  };
  const double Q2 = x[1] + h * x[3], P1 = x[2] + h * force(x[0], Q2, 0);
  const double P2 = x[3] + h * force(x[0], Q2, 1), Q1 = x[0] + h * P1;
  return {Q1, Q2, P1, P2};
}

std::vector<NamedMap> maps_of_a_central_force(double h) {
  std::vector<NamedMap> all;
  for (const KindAndOrder& one : all_generated)
    all.push_back({"kind " + std::to_string(int(one.kind)) + ", order " + std::to_string(one.order),
                   StepsOf<GeneratedMap<Central>>(generated(one.kind, one.order), h), true});
  using Rules = StepsOf<RungeKutta<Central>>;
  all.push_back({"midpoint", Rules(RungeKuttaOptions{.scheme = RungeKuttaScheme::implicit_midpoint}, h), true});
  all.push_back({"(10)", StepsOf<KickDrift<Central>>(Kicks{.before = 1}, h), true});
  all.push_back({"Verlet", StepsOf<KickDrift<Central>>(Kicks{.before = 0.5, .after = 0.5}, h), true});
  all.push_back({"heun", Rules(RungeKuttaOptions{.scheme = RungeKuttaScheme::heun}, h), false});
  all.push_back(
      {"explicit midpoint", Rules(RungeKuttaOptions{.scheme = RungeKuttaScheme::explicit_midpoint}, h), false});
  all.push_back({"rk4", Rules(RungeKuttaOptions{.scheme = RungeKuttaScheme::rk4}, h), false});
  all.push_back({"mixed Euler", [h](const PhasePoint& x) { return mixed_euler(x, h); }, false});
  return all;
}

double angular_momentum(const PhasePoint& x) { return x[0] * x[3] - x[1] * x[2]; }

TEST(CentralForce, InvariantMapsKeepTheAngularMomentum) {
  // Theorem 1, Proposition 1 and Corollary 2; and the other way: what is not invariant, or not symplectic, does not.
  const PhasePoint start{0.9, -0.2, 0.3, 0.7};
  for (const NamedMap& one : maps_of_a_central_force(0.1)) {
    PhasePoint x = start;
    double off = 0;
    for (int n = 0; n < 5000; ++n) {
      x = one.map(x);
      off = std::max(off, std::abs(angular_momentum(x) - angular_momentum(start)));
    }
    if (one.is_invariant)
      EXPECT_LT(off, 1e-12) << one.name;  // a random walk of roundings: 2e-13 was measured
    else
      EXPECT_GT(off, 1e-6) << one.name;
  }
}

TEST(CentralForce, MapsThatKeepTheAngularMomentumCommuteWithRotationsAndOthersDoNot) {
  // Runge-Kutta methods commute with every linear map, symplectic or not: Theorem 1 is about symplectic ones.
  const PhasePoint start{0.9, -0.2, 0.3, 0.7};
  const double c = std::cos(0.7), s = std::sin(0.7);
  Eigen::Matrix4d turn = Eigen::Matrix4d::Zero();
  turn.topLeftCorner<2, 2>() << c, -s, s, c;
  turn.bottomRightCorner<2, 2>() = turn.topLeftCorner<2, 2>();
  for (const NamedMap& one : maps_of_a_central_force(0.1)) {
    const double off = (one.map(turn * start) - turn * one.map(start)).norm();
    if (one.name == "mixed Euler")
      EXPECT_GT(off, 1e-4);  // h^2
    else
      EXPECT_LT(off, 2e-15) << one.name;  // roundings
  }
}

TEST(CentralForce, MixedEulerIsSymplectic) {
  constexpr double e = 1e-5;
  Eigen::Matrix4d derivative;
  const PhasePoint x{0.9, -0.2, 0.3, 0.7};
  for (int k = 0; k < 4; ++k) {
    const PhasePoint d = e * PhasePoint::Unit(k);
    derivative.col(k) = (mixed_euler(x + d, 0.1) - mixed_euler(x - d, 0.1)) / (2 * e);
  }
  const Eigen::Matrix4d J = symplectic_matrix();
  EXPECT_LT((derivative.transpose() * J * derivative - J).norm(), 1e-9);  // of the differences
}

using Change = std::function<PhasePoint(const PhasePoint&)>;

/// Derivative of f(e) at 0, by differences of order 4.
template <class F>
double derivative(const F& f) {
  constexpr double e = 2e-3;
  return (8 * (f(e) - f(-e)) - (f(2 * e) - f(-2 * e))) / (12 * e);
}

/// Henon and Heiles in other coordinates, z = change(w), by the map of Poincare's function of order 2 (the midpoint
/// rule) or 4, U = h H + h^3/24 X.H''X with X = J grad H.
PhasePoint of_poincares_function(const Change& change, const PhasePoint& w, double h, int order) {
  const auto hamiltonian = [&](const PhasePoint& at) {
    const PhasePoint z = change(at);
    return z.squaredNorm() / 2 + z[0] * z[0] * z[1] - z[1] * z[1] * z[1] / 3;
  };
  const auto turned_gradient = [](const auto& f, const PhasePoint& at) {
    PhasePoint slope;
    for (int k = 0; k < 4; ++k) slope[k] = derivative([&](double e) { return f(at + e * PhasePoint::Unit(k)); });
    return PhasePoint(symplectic_matrix() * slope);
  };
  const auto function = [&](const PhasePoint& at) {
    const double first = h * hamiltonian(at);
    if (order == 2) return first;
    const PhasePoint X = turned_gradient(hamiltonian, at);
    const double second =
        derivative([&](double a) { return derivative([&](double b) { return hamiltonian(at + (a + b) * X); }); });
    return first + h * h * h / 24 * second;
  };
  PhasePoint y = w;
  for (int k = 0; k < 30; ++k) y = w + turned_gradient(function, (w + y) / 2);
  return y;
}

TEST(PoincaresFunction, CommutesWithLinearSymplecticMapsAlone) {
  // Pierce 1994, eqs. (17)-(21) and sect. 4.2: T^-1 o Phi_H o T = Phi_{H o T} for linear symplectic T, since the
  // function is U o T then. With a shear that is not linear they differ by the local error, h^(order + 1): both are
  // maps of that order.
  const auto difference = [](const Change& change, double h, int order) {
    const PhasePoint w{0.25, -0.1, 0.2, 0.3};
    const StepsOf<GeneratedMap<HenonHeiles>> step(generated(GeneratingKind::poincare, order), h);
    return (step(change(w)) - change(of_poincares_function(change, w, h, order))).norm();
  };
  // A turn that mixes positions and momenta, then a shear.
  Eigen::Matrix4d T;
  T << 0.8, 0, 0.6, 0, 0, 1, 0, 0, -0.6, 0.3, 0.8, 0, 0.24, 0, 0.18, 1;
  const Eigen::Matrix4d J = symplectic_matrix();
  ASSERT_LT((T.transpose() * J * T - J).norm(), 1e-15);
  const Change linear = [&](const PhasePoint& w) { return PhasePoint(T * w); };
  const Change curved = [](const PhasePoint& w) {
    return PhasePoint(w[0], w[1], w[2] + w[0] * w[0], w[3] + w[1] * w[1]);
  };
  for (const int order : {2, 4}) {
    EXPECT_LT(difference(linear, 0.2, order), 1e-11) << order;  // of the differences
    const double coarse = difference(curved, 0.2, order), fine = difference(curved, 0.1, order);
    EXPECT_GT(fine, 1e-8) << order;
    EXPECT_NEAR(std::log2(coarse / fine), order + 1, 0.3) << order << ": " << coarse << ", " << fine;
  }
}

}  // namespace
}  // namespace polhode::test

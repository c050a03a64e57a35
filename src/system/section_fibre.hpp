// States of a top over one point of its section Gamma3 = 0, Gamma3' > 0 at an energy and Pi.Gamma: Pi2 and Pi3 are
// given, Gamma = (cos t, sin t, 0), and
//
//   Pi1(t) = +-sqrt(I1 (2 (E - V(Gamma)) - Pi2^2 / I2 - Pi3^2 / I3)),   Pi1(t) cos t + Pi2 sin t = Pi.Gamma
//
// A Potential has the value V of Gamma1 and Gamma2 on the section, and polynomials in u, the tangent of half an angle
// on a HalfCircle, where V is a polynomial over w^degree, w = 1 + u^2: degree is 1 for LinearPotential, 2 for
// QuadraticPotential. Host only, in double.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "polhode/math/vec.hpp"
#include "polhode/system/top_chart.hpp"
#include "system/real_roots.hpp"

namespace polhode {

/// Half of the circle Gamma = (cos t, sin t, 0), parametrised by u = tan of half the angle from the middle of the half,
/// which is at t = 0 or pi: cos t = x / w and sin t = y / w for |u| <= 1. The ends of both halves are bitwise identical
/// directions.
struct HalfCircle {
  double middle;  ///< cos t at u = 0

  Polynomial<2> x() const { return {{middle, 0, -middle}}; }
  Polynomial<2> y() const { return {{0, 2 * middle, 0}}; }
  Polynomial<2> w() const { return {{1, 0, 1}}; }
};
inline constexpr HalfCircle half_circles[] = {{1}, {-1}};

struct CirclePoint {
  double x, y;

  CirclePoint(const HalfCircle& half, double u) : x(half.x()(u) / half.w()(u)), y(half.y()(u) / half.w()(u)) {}
};

/// Potential V = a Gamma1 + b Gamma2.
struct LinearPotential {
  double a, b;

  double operator()(double x, double y) const { return a * x + b * y; }
  /// Room E - V for kinetic energy at the energy E.
  double room(double E, double x, double y) const { return E - a * x - b * y; }
  /// Sum of `sum` and V, with the terms added one by one.
  template <class Real>
  Real added_to(Real sum, Real x, Real y) const {
    return sum + a * x + b * y;
  }
  /// The derivatives of V by Gamma1 and Gamma2.
  Vec<double, 2> gradient(double, double) const { return {a, b}; }
  /// Sum of `sum` and bounds on the sizes of the terms of V.
  double sizes_added_to(double sum) const { return sum + std::abs(a) + std::abs(b); }
  double least() const { return 0 - std::hypot(a, b); }

  /// Polynomial (E - factor V) w^degree in u on a half of the circle.
  Polynomial<2> below(double E, double factor, const HalfCircle& half) const {
    return E * half.w() - factor * a * half.x() - factor * b * half.y();
  }
  /// Polynomial w^degree in u.
  static Polynomial<2> power(const HalfCircle& half) { return half.w(); }
  /// Polynomial -dV/dt w^degree in u on a half of the circle, where Gamma = (cos t, sin t, 0).
  Polynomial<2> turn(const HalfCircle& half) const { return a * half.y() - b * half.x(); }
};

/// Potential V = a Gamma1 + b Gamma2 + (A Gamma1^2 + B Gamma2^2)/2.
struct QuadraticPotential {
  double a, b, A, B;

  double operator()(double x, double y) const { return a * x + b * y + (A * x * x + B * y * y) / 2; }
  double room(double E, double x, double y) const { return E - (*this)(x, y); }
  template <class Real>
  Real added_to(Real sum, Real x, Real y) const {
    return sum + a * x + b * y + (A * x * x + B * y * y) / 2;
  }
  Vec<double, 2> gradient(double x, double y) const { return {a + A * x, b + B * y}; }
  double sizes_added_to(double sum) const { return sum + std::abs(a) + std::abs(b) + std::abs(A) + std::abs(B); }
  double least() const {
    double least = std::numeric_limits<double>::infinity();
    for (const HalfCircle& half : half_circles) {
      const auto look_at = [&](double u) {
        const CirclePoint gamma(half, u);
        least = std::min(least, (*this)(gamma.x, gamma.y));
      };
      for (const double u : roots_of(turn(half))) look_at(u);
      look_at(1);
    }
    return least;
  }

  Polynomial<4> below(double E, double factor, const HalfCircle& half) const {
    const auto x = half.x(), y = half.y(), w = half.w();
    return E * (w * w) - factor * ((a * x + b * y) * w + (A / 2) * (x * x) + (B / 2) * (y * y));
  }
  static Polynomial<4> power(const HalfCircle& half) { return half.w() * half.w(); }
  Polynomial<4> turn(const HalfCircle& half) const {
    const auto x = half.x(), y = half.y(), w = half.w();
    return (a * y - b * x) * w - (B - A) * (x * y);
  }
};

/// Data of a top, and the energy and the momentum Pi.Gamma of the states that are looked for.
template <class Potential>
struct TopLevel {
  Vec<double, 3> inertia, inverse_inertia;
  Potential potential;
  double energy, momentum;

  /// Level of a top with the moments of inertia p[3]: I1 I2 I3.
  TopLevel(const double* p, const Potential& potential, double energy, double momentum)
      : inertia{p[0], p[1], p[2]},
        inverse_inertia{1 / p[0], 1 / p[1], 1 / p[2]},
        potential(potential),
        energy(energy),
        momentum(momentum) {}

  /// Rate of change Gamma3' at x: the state rises where it is positive.
  double rising(const TopPoint& x) const {
    return fma(x.gamma[0], x.pi[1] * inverse_inertia[1], -(x.gamma[1] * (x.pi[0] * inverse_inertia[0])));
  }
};

/// The equation F(t) = Pi1(t) cos t + Pi2 sin t - momentum = 0 over one point (Pi2, Pi3) of the plane (head of this
/// file).
template <class Potential>
class SectionFibre {
  using Top = TopLevel<Potential>;

 public:
  SectionFibre(const Top& top, double pi2, double pi3)
      : top_(top),
        pi2_(pi2),
        pi3_(pi3),
        free_(2 * top.energy - pi2_ * pi2_ * top.inverse_inertia[1] - pi3_ * pi3_ * top.inverse_inertia[2]) {}

  /// Largest number of solutions: one for each side and each bracket (see solutions()) on either half of the circle. A
  /// half has 12 brackets at most, which end at 7 roots of the derivative, 4 points of the rim and the end of the half.
  static constexpr int most_solutions = 2 * 2 * 12;

  /// Computes the solutions points[most_solutions] on both sides, side 0 with Pi1 > 0 and side 1 with Pi1 < 0, whether
  /// Gamma3 rises there or not; returns their number.
  ///
  /// -F(side 0) F(side 1) w^(degree + 2) is a polynomial on each half of the circle. The roots of its derivative
  /// separate those of F on either side; so do the points of the rim Pi1 = 0, where the sides meet and F ends on both.
  /// These points form brackets in which F changes sign at most once: there is no grid that could be too coarse, and a
  /// pair of roots is missed only if F stays below round-off between them. Then F itself is solved, because the product
  /// has double roots where both sides have a root at cos t = 0.
  int solutions(TopPoint* points) const {
    int count = 0;
    for (const HalfCircle& half : half_circles) {
      const std::vector<Separator> ends = separators(half);
      for (const double sign : {1.0, -1.0}) {
        const auto f = [&](double u) {
          const CirclePoint gamma(half, u);
          return value(gamma, sign * pi1(gamma));
        };
        double left = -1, at_left = f(left);
        for (const Separator& end : ends) {
          // On the rim Pi1 is 0, not the square root of a round-off, so that both sides have the same sign.
          const double at_right = end.is_on_rim ? value(CirclePoint(half, end.u), 0) : f(end.u);
          if ((at_left < 0) != (at_right < 0) && pi1_squared(CirclePoint(half, 0.5 * (left + end.u))) > 0) {
            const CirclePoint root(half, bracketed_root(f, left, end.u, at_left, at_right));
            points[count++] = polished({{sign * pi1(root), pi2_, pi3_}, {root.x, root.y, 0}});
          }
          left = end.u;
          at_left = at_right;
        }
      }
    }
    return count;
  }

 private:
  struct Separator {
    double u;
    bool is_on_rim;
  };

  double pi1_squared(const CirclePoint& gamma) const {
    return top_.inertia[0] * (free_ - 2 * top_.potential(gamma.x, gamma.y));
  }
  double pi1(const CirclePoint& gamma) const { return sqrt(std::max(0.0, pi1_squared(gamma))); }
  double value(const CirclePoint& gamma, double pi1) const { return pi1 * gamma.x + pi2_ * gamma.y - top_.momentum; }

  /// Separators of the solutions on a half of the circle (see solutions()) in increasing order, and the end u = 1 last.
  std::vector<Separator> separators(const HalfCircle& half) const {
    const auto x = half.x(), y = half.y(), w = half.w();
    const auto squared = top_.inertia[0] * top_.potential.below(free_, 2, half);  // Pi1^2 w^degree
    const auto rest = top_.momentum * w - pi2_ * y;                               // Pi1 cos t w, at a solution
    std::vector<Separator> points;
    for (const double u : roots_of(derivative(squared * x * x - rest * rest * Potential::power(half))))
      points.push_back({u, false});
    for (const double u : roots_of(squared)) points.push_back({u, true});
    std::sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.u < b.u; });
    points.push_back({1, false});
    return points;
  }

  /// The point, improved by Newton's method for (Pi1, Gamma1, Gamma2) on the equations of energy, |Gamma| and Pi.Gamma.
  /// Unlike F these are smooth at the rim Pi1 = 0, where the state may change sides. A step is accepted only if it
  /// reduces the errors of the rounded state: where solutions merge and the equations are singular, the result of the
  /// bracketing remains.
  TopPoint polished(TopPoint point) const {
    using Real = long double;  // the errors are differences in the last bits
    struct Errors {
      double energy, norm, momentum;
    };
    const auto errors_of = [&](const TopPoint& x) -> Errors {
      const Real pi1 = x.pi[0], pi2 = x.pi[1], pi3 = x.pi[2], g1 = x.gamma[0], g2 = x.gamma[1];
      const Real kinetic = pi1 * pi1 / top_.inertia[0] + pi2 * pi2 / top_.inertia[1] + pi3 * pi3 / top_.inertia[2];
      return {static_cast<double>(top_.potential.added_to(kinetic / 2, g1, g2) - top_.energy),
              static_cast<double>((g1 * g1 + g2 * g2 - 1) / 2),
              static_cast<double>(pi1 * g1 + pi2 * g2 - top_.momentum)};
    };
    // Each error is relative to the size of the terms that cancel in it.
    const double energy_size = top_.potential.sizes_added_to(std::abs(top_.energy) + std::abs(free_));
    const double momentum_size =
        std::abs(point.pi[0] * point.gamma[0]) + std::abs(point.pi[1] * point.gamma[1]) + std::abs(top_.momentum);
    const auto size_of = [&](const Errors& e) {
      return std::abs(e.energy) / energy_size + std::abs(e.norm) +
             std::abs(e.momentum) / std::max(momentum_size, std::numeric_limits<double>::min());
    };
    Errors error = errors_of(point);
    for (int n = 0; n < 4; ++n) {
      const double pi1 = point.pi[0], pi2 = point.pi[1], g1 = point.gamma[0], g2 = point.gamma[1];
      const Vec<double, 2> slope = top_.potential.gradient(g1, g2);
      const Vec<double, 3> of_energy{pi1 * top_.inverse_inertia[0], slope[0], slope[1]}, of_norm{0.0, g1, g2},
          of_momentum{g1, pi1, pi2};
      const Vec<double, 3> cofactors = cross(of_norm, of_momentum);
      const Vec<double, 3> step =
          (-1 / dot(of_energy, cofactors)) * (error.energy * cofactors + error.norm * cross(of_momentum, of_energy) +
                                              error.momentum * cross(of_energy, of_norm));
      TopPoint next = point;
      next.pi[0] = pi1 + step[0];
      next.gamma[0] = g1 + step[1];
      next.gamma[1] = g2 + step[2];
      const Errors after = errors_of(next);
      if (!(size_of(after) < size_of(error))) break;
      point = next;
      error = after;
    }
    return point;
  }

  const Top& top_;
  double pi2_, pi3_;
  double free_;  ///< 2 (energy - the kinetic energy of Pi2 and Pi3)
};

/// Computes the states with Gamma3' > 0 over (Pi2, Pi3) on a side, 0: Pi1 > 0, 1: Pi1 < 0, in the order of their names
/// in top_chart (polhode/system/top_chart.hpp); returns their number, and the states in points[max_chart_points].
template <class Potential>
int rising_states(const TopLevel<Potential>& top, int side, double pi2, double pi3, TopPoint* points) {
  TopPoint found[SectionFibre<Potential>::most_solutions];
  TopPoint* end = found + SectionFibre<Potential>(top, pi2, pi3).solutions(found);
  // Rising by more than round-off of the largest Omega: where Pi2 = momentum = 0 the rim consists of tangent states,
  // Pi1 = Pi2 = 0.
  const double fastest =
      sqrt(2 * (top.energy - top.potential.least()) * std::max(top.inverse_inertia[0], top.inverse_inertia[1]));
  const double tangent = 8 * std::numeric_limits<double>::epsilon() * fastest;
  end = std::remove_if(found, end, [&](const TopPoint& x) {
    return std::signbit(x.pi[0]) != (side == 1) || !(top.rising(x) > tangent);
  });
  const auto second_group = [](const TopPoint& x) { return !(x.gamma[0] * x.pi[1] - x.gamma[1] * x.pi[0] > 0); };
  std::sort(found, end, [&](const TopPoint& x, const TopPoint& y) {
    return std::pair(second_group(x), -std::abs(x.pi[0])) < std::pair(second_group(y), -std::abs(y.pi[0]));
  });
  const int count = static_cast<int>(std::min<std::ptrdiff_t>(end - found, max_chart_points));
  std::copy_n(found, count, points);
  return count;
}

/// The largest Pi.Gamma on the section: for given Gamma it is sqrt(2 (energy - V) (I1 Gamma1^2 + I2 Gamma2^2)), with Pi
/// along (I1 Gamma1, I2 Gamma2, 0).
template <class Potential>
double most_momentum(const TopLevel<Potential>& top) {
  double most = 0;
  for (const HalfCircle& half : half_circles) {
    const auto x = half.x(), y = half.y();
    const auto room = top.potential.below(top.energy, 1, half), turn = top.potential.turn(half);  // its derivative by t
    const auto moment = top.inertia[0] * (x * x) + top.inertia[1] * (y * y);
    const auto slope = turn * moment + 2 * (top.inertia[1] - top.inertia[0]) * (room * x * y);
    const auto look_at = [&](double u) {
      const CirclePoint gamma(half, u);
      const double squared = 2 * top.potential.room(top.energy, gamma.x, gamma.y) *
                             (top.inertia[0] * gamma.x * gamma.x + top.inertia[1] * gamma.y * gamma.y);
      most = std::max(most, sqrt(std::max(0.0, squared)));
    };
    for (const double u : roots_of(slope)) look_at(u);
    look_at(1);  // both ends of each half of the circle
  }
  return most;
}

}  // namespace polhode

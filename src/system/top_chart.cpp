#include "polhode/system/top_chart.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "polhode/math/vec.hpp"
#include "system/real_roots.hpp"

namespace polhode {
namespace {

using Vec3 = Vec<double, 3>;

/// Data of a top, and the energy and momentum of the states.
struct Top {
  Vec3 inertia, inverse_inertia;
  double a, b;  ///< the potential is a Gamma1 + b Gamma2 on the section
  double energy, momentum;

  Top(const double* p, double energy, double momentum)
      : inertia{p[0], p[1], p[2]},
        inverse_inertia{1 / p[0], 1 / p[1], 1 / p[2]},
        a(p[6] * p[3]),
        b(p[6] * p[4]),
        energy(energy),
        momentum(momentum) {}
};

double rising(const Top& top, const TopPoint& x) {
  return fma(x.gamma[0], x.pi[1] * top.inverse_inertia[1], -(x.gamma[1] * (x.pi[0] * top.inverse_inertia[0])));
}

/// Points over (m13, m12) in closed form, for a = b = 0; returns their number. The surface is then the ellipsoid sum
/// Pi_i^2 / I_i = 2 energy (McLachlan & Scovel 1995, sect. 6.2), and Gamma is a unit vector at a given angle to (Pi1,
/// Pi2), on either side of it.
int closed_form(const Top& top, int side, double m13, double m12, TopPoint* points) {
  const Vec3 flat{0.0, m13, -m12};
  const double pi1_squared = top.inertia[0] * (2 * top.energy - dot(flat, hadamard(top.inverse_inertia, flat)));
  if (!(pi1_squared > 0)) return 0;
  const double pi1 = side == 0 ? sqrt(pi1_squared) : -sqrt(pi1_squared);
  const double norm_squared = fma(pi1, pi1, m13 * m13);
  const double along = top.momentum / norm_squared;
  const double across = sqrt(norm_squared - top.momentum * top.momentum) / norm_squared;
  int count = 0;
  for (const double turn : {across, -across}) {
    const TopPoint x{{pi1, m13, -m12}, {fma(along, pi1, turn * m13), fma(along, m13, -(turn * pi1)), 0.0}};
    if (rising(top, x) > 0) points[count++] = x;
  }
  return count;
}

/// Half of the circle of Gamma, parametrised by u = tan of half the angle from its middle, at t = 0 or pi: cos t = x /
/// w and sin t = y / w for |u| <= 1. The ends of both halves are bitwise identical directions.
struct HalfCircle {
  double middle;  ///< cos t at u = 0

  Polynomial<2> x() const { return {{middle, 0, -middle}}; }
  Polynomial<2> y() const { return {{0, 2 * middle, 0}}; }
  Polynomial<2> w() const { return {{1, 0, 1}}; }
};
constexpr HalfCircle half_circles[] = {{1}, {-1}};

struct Direction {
  double x, y;

  Direction(const HalfCircle& half, double u) : x(half.x()(u) / half.w()(u)), y(half.y()(u) / half.w()(u)) {}
};

/// The equation F(t) = Pi1(t) cos t + Pi2 sin t - momentum = 0 over one point of the plane.
class Fibre {
 public:
  Fibre(const Top& top, double m13, double m12)
      : top_(top),
        pi2_(m13),
        pi3_(-m12),
        free_(2 * top.energy - pi2_ * pi2_ * top.inverse_inertia[1] - pi3_ * pi3_ * top.inverse_inertia[2]) {}

  /// Brackets on both sides of two halves of the circle, each with 5 separators, 2 rims and an end.
  static constexpr int most_solutions = 2 * 2 * 8;

  /// Computes the solutions on both sides, rising or not; returns their number.
  ///
  /// -F(side 0) F(side 1) is a polynomial of degree 6 on each half of the circle. The roots of its derivative separate
  /// those of F on either side; so do the points of the rim Pi1 = 0, where the sides meet and F ends on both. These
  /// points form brackets in which F changes sign at most once: there is no grid that could be too coarse, and a pair
  /// of roots is missed only if F stays below round-off between them. Then F itself is solved, because the product has
  /// double roots where both sides have a root at cos t = 0.
  int solutions(TopPoint* points) const {
    int count = 0;
    for (const HalfCircle& half : half_circles) {
      const std::vector<Separator> ends = separators(half);
      for (const double sign : {1.0, -1.0}) {
        const auto f = [&](double u) {
          const Direction gamma(half, u);
          return value(gamma, sign * pi1(gamma));
        };
        double left = -1, at_left = f(left);
        for (const Separator& end : ends) {
          // On the rim Pi1 is 0, not the square root of a round-off, so that both sides have the same sign.
          const double at_right = end.rim ? value(Direction(half, end.u), 0) : f(end.u);
          if ((at_left < 0) != (at_right < 0) && pi1_squared(Direction(half, 0.5 * (left + end.u))) > 0) {
            const Direction root(half, bracketed_root(f, left, end.u, at_left, at_right));
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
    bool rim;
  };

  double pi1_squared(const Direction& gamma) const {
    return top_.inertia[0] * (free_ - 2 * (top_.a * gamma.x + top_.b * gamma.y));
  }
  double pi1(const Direction& gamma) const { return sqrt(std::max(0.0, pi1_squared(gamma))); }
  double value(const Direction& gamma, double pi1) const { return pi1 * gamma.x + pi2_ * gamma.y - top_.momentum; }

  /// The separators in increasing order, and the end u = 1 last.
  std::vector<Separator> separators(const HalfCircle& half) const {
    const auto x = half.x(), y = half.y(), w = half.w();
    const auto squared = top_.inertia[0] * (free_ * w - 2 * top_.a * x - 2 * top_.b * y);  // Pi1^2 w
    const auto rest = top_.momentum * w - pi2_ * y;                                        // Pi1 cos t w, at a solution
    std::vector<Separator> points;
    for (const double u : roots_of(derivative(squared * x * x - rest * rest * w))) points.push_back({u, false});
    for (const double u : roots_of(squared)) points.push_back({u, true});
    std::sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.u < b.u; });
    points.push_back({1, false});
    return points;
  }

  /// Newton's method for (Pi1, Gamma1, Gamma2) on energy, |Gamma| and Pi.Gamma, which unlike F are smooth at the rim,
  /// where the state may change sides. A step is accepted only if it reduces the errors of the rounded state, so that
  /// where solutions merge and the equations are singular the result of the bracketing remains.
  TopPoint polished(TopPoint point) const {
    using Real = long double;  // the errors are differences in the last bits
    struct Errors {
      double energy, norm, momentum;
    };
    const auto errors_of = [&](const TopPoint& x) -> Errors {
      const Real pi1 = x.pi[0], pi2 = x.pi[1], pi3 = x.pi[2], g1 = x.gamma[0], g2 = x.gamma[1];
      const Real kinetic = pi1 * pi1 / top_.inertia[0] + pi2 * pi2 / top_.inertia[1] + pi3 * pi3 / top_.inertia[2];
      return {static_cast<double>(kinetic / 2 + top_.a * g1 + top_.b * g2 - top_.energy),
              static_cast<double>((g1 * g1 + g2 * g2 - 1) / 2),
              static_cast<double>(pi1 * g1 + pi2 * g2 - top_.momentum)};
    };
    // Each error is relative to the size of the terms that cancel in it.
    const double energy_size = std::abs(top_.energy) + std::abs(free_) + std::abs(top_.a) + std::abs(top_.b);
    const double momentum_size =
        std::abs(point.pi[0] * point.gamma[0]) + std::abs(point.pi[1] * point.gamma[1]) + std::abs(top_.momentum);
    const auto size_of = [&](const Errors& e) {
      return std::abs(e.energy) / energy_size + std::abs(e.norm) +
             std::abs(e.momentum) / std::max(momentum_size, std::numeric_limits<double>::min());
    };
    Errors error = errors_of(point);
    for (int n = 0; n < 4; ++n) {
      const double pi1 = point.pi[0], pi2 = point.pi[1], g1 = point.gamma[0], g2 = point.gamma[1];
      const Vec3 of_energy{pi1 * top_.inverse_inertia[0], top_.a, top_.b}, of_norm{0.0, g1, g2},
          of_momentum{g1, pi1, pi2};
      const Vec3 cofactors = cross(of_norm, of_momentum);
      const Vec3 step =
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

int by_roots(const Top& top, int side, double m13, double m12, TopPoint* points) {
  TopPoint found[Fibre::most_solutions];
  TopPoint* end = found + Fibre(top, m13, m12).solutions(found);
  // Rising by more than round-off of the largest Omega: where m13 = momentum = 0 the rim consists of tangent states,
  // Pi1 = Pi2 = 0.
  const double fastest =
      sqrt(2 * (top.energy + std::hypot(top.a, top.b)) * std::max(top.inverse_inertia[0], top.inverse_inertia[1]));
  const double tangent = 8 * std::numeric_limits<double>::epsilon() * fastest;
  end = std::remove_if(found, end, [&](const TopPoint& x) {
    return std::signbit(x.pi[0]) != (side == 1) || !(rising(top, x) > tangent);
  });
  const auto second_group = [](const TopPoint& x) { return !(x.gamma[0] * x.pi[1] - x.gamma[1] * x.pi[0] > 0); };
  std::sort(found, end, [&](const TopPoint& x, const TopPoint& y) {
    return std::pair(second_group(x), -std::abs(x.pi[0])) < std::pair(second_group(y), -std::abs(y.pi[0]));
  });
  const int count = static_cast<int>(std::min<std::ptrdiff_t>(end - found, max_chart_points));
  std::copy_n(found, count, points);
  return count;
}

/// The largest Pi.Gamma on the section: for given Gamma it is sqrt(2 (energy - a Gamma1 - b Gamma2) (I1 Gamma1^2 + I2
/// Gamma2^2)), with Pi along (I1 Gamma1, I2 Gamma2, 0).
double most_momentum(const Top& top) {
  double most = 0;
  for (const HalfCircle& half : half_circles) {
    const auto x = half.x(), y = half.y(), w = half.w();
    const auto room = top.energy * w - top.a * x - top.b * y, turn = top.a * y - top.b * x;  // and its derivative by t
    const auto moment = top.inertia[0] * (x * x) + top.inertia[1] * (y * y);
    const auto slope = turn * moment + 2 * (top.inertia[1] - top.inertia[0]) * (room * x * y);
    const auto look_at = [&](double u) {
      const Direction gamma(half, u);
      const double squared = 2 * (top.energy - top.a * gamma.x - top.b * gamma.y) *
                             (top.inertia[0] * gamma.x * gamma.x + top.inertia[1] * gamma.y * gamma.y);
      most = std::max(most, sqrt(std::max(0.0, squared)));
    };
    for (const double u : roots_of(slope)) look_at(u);
    look_at(1);  // both ends of each half of the circle
  }
  return most;
}

}  // namespace

ChartRange top_chart_range(const double* p, double energy) {
  const Top top(p, energy, 0);
  const double depth = std::hypot(top.a, top.b), room = std::max(0.0, energy + depth);
  return {{sqrt(2 * room * top.inertia[1]), sqrt(2 * room * top.inertia[2])}, 0 - depth, most_momentum(top)};
}

int top_chart_points(const double* p, double energy, double momentum, int side, double m13, double m12,
                     TopPoint* points) {
  const Top top(p, energy, momentum);
  const bool level = top.a == 0 && top.b == 0;
  return (level ? closed_form : by_roots)(top, side, m13, m12, points);
}

int top_chart_points_by_roots(const double* p, double energy, double momentum, int side, double m13, double m12,
                              TopPoint* points) {
  return by_roots(Top(p, energy, momentum), side, m13, m12, points);
}

}  // namespace polhode

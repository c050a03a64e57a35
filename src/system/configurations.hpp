// Random configurations of the systems that have an equilibrium ensemble (equilibrium.hpp). Molecules have none,
// because their position is unbounded.
#pragma once

#include <algorithm>
#include <array>
#include <numbers>

#include "polhode/math/quaternion.hpp"
#include "polhode/system/heavy_top.hpp"
#include "polhode/system/heavy_top_matrix.hpp"
#include "polhode/system/pendulum_chain.hpp"
#include "polhode/system/rigid_body.hpp"
#include "polhode/system/rigid_body_matrix.hpp"
#include "polhode/system/rigid_body_n.hpp"
#include "system/equilibrium.hpp"

namespace polhode {

/// A point of the open unit disk other than its centre, and the square of its distance from there.
struct DiskPoint {
  double x, y, squared;
};
inline DiskPoint draw_in_disk(RandomSource& random) {
  for (;;) {
    const double x = 2 * random.uniform() - 1, y = 2 * random.uniform() - 1, squared = x * x + y * y;
    if (squared < 1 && squared > 0) return {x, y, squared};
  }
}

/// A uniform point of the unit circle.
inline std::array<double, 2> draw_on_circle(RandomSource& random) {
  const auto [x, y, squared] = draw_in_disk(random);
  return {x / std::sqrt(squared), y / std::sqrt(squared)};
}

/// A unit vector with the component `along` a unit vector, and the component `across` it in a uniform direction.
inline Vec<double, 3> draw_about(RandomSource& random, const Vec<double, 3>& axis, double along, double across) {
  const auto unit = [](const Vec<double, 3>& v) { return (1 / std::sqrt(dot(v, v))) * v; };
  Vec<double, 3> other{0, 0, 0};
  other[std::abs(axis[0]) < 0.6 ? 0 : 1] = 1;
  const Vec<double, 3> u = unit(cross(axis, other)), v = cross(axis, u);
  const auto [cosine, sine] = draw_on_circle(random);
  return unit(fma(along, axis, fma(across * cosine, u, (across * sine) * v)));
}

/// A point of the unit sphere: its height over the lowest point and its distance from the axis.
struct Height {
  double above, across;
};
/// A height with density exp(-b above) on the sphere.
inline Height draw_height(RandomSource& random, double b) {
  const double steep = std::abs(b), u = random.uniform();
  // Inverse of the distribution function, or of the uniform one where the distribution is nearly uniform.
  double above = steep > 1e-8 ? -std::log1p(u * std::expm1(-2 * steep)) / steep : 2 * u;
  above = std::min(above, 2.0);
  const double across = std::sqrt(above * (2 - above));
  return {b < 0 ? 2 - above : above, across};
}

/// An attitude with the vertical at Gamma in the body, uniform about the vertical.
inline Vec<double, 4> draw_attitude(RandomSource& random, const Vec<double, 3>& gamma) {
  // The smallest rotation of Gamma to e3; if Gamma3 < 0, after a half turn about the first axis.
  const bool is_low = gamma[2] < 0;
  const double y = is_low ? -gamma[1] : gamma[1], z = is_low ? -gamma[2] : gamma[2];
  const double w = std::sqrt((1 + z) / 2);
  Vec<double, 4> q{w, y / (2 * w), -gamma[0] / (2 * w), 0};
  if (is_low) q = quaternion_product(q, Vec<double, 4>{0, 1, 0, 0});
  const auto [cosine, sine] = draw_on_circle(random);
  return quaternion_product(Vec<double, 4>{cosine, 0, 0, sine}, q);
}

/// A body with a fixed point: the momentum is Pi, and dvol_M is uniform on SO(3).
class BodyConfigurations {
 public:
  static constexpr int n = 3, N = 3, heights = 1;
  struct Point {
    Vec<double, 4> attitude;
    Vec<double, 3> vertical;  ///< Gamma
  };

  explicit BodyConfigurations(const double* p) : body_(p) {}

  Point propose(RandomSource& random, bool, double tilt) const {
    // Gamma at a height along chi, in a uniform direction across it.
    const auto [above, across] = draw_height(random, body_.c / tilt);
    const Vec<double, 4> attitude = draw_attitude(random, draw_about(random, body_.chi, above - 1, across));
    return {attitude, space_axis(attitude, 2)};
  }
  double chance(const Point& q, bool at_momentum) const {
    if (!at_momentum) return 1;
    const double least = std::min({body_.inertia[0], body_.inertia[1], body_.inertia[2]});
    return std::sqrt(least / about(q, turning(q)));
  }
  double potential(const Point& q) const { return body_.potential(q.vertical); }
  double least_potential() const { return -std::abs(body_.c) * std::sqrt(dot(body_.chi, body_.chi)); }

  Vec<double, 3> thermal(const Point&, RandomSource& random) const {
    Vec<double, 3> pi;
    for (int i = 0; i < 3; ++i) pi[i] = std::sqrt(body_.inertia[i]) * random.normal();
    return pi;
  }
  double kinetic(const Point&, const Vec<double, 3>& pi) const {
    return dot(pi, hadamard(body_.inverse_inertia, pi)) / 2;
  }
  Vec<double, 3> turning(const Point& q) const { return hadamard(body_.inertia, q.vertical); }
  double about(const Point& q, const Vec<double, 3>& pi) const { return dot(pi, q.vertical); }

  const Vec<double, 3>& moments() const { return body_.inertia; }
  bool is_free() const { return body_.c == 0; }

 protected:
  const Top::Body<double>& body() const { return body_; }

 private:
  Top::Body<double> body_;
};

template <>
class Configurations<HeavyTop> : public BodyConfigurations {
 public:
  using BodyConfigurations::BodyConfigurations;
  void store(const Point& q, const Vec<double, 3>& pi, double* x) const {
    for (int i = 0; i < 3; ++i) {
      x[i] = pi[i];
      x[3 + i] = q.vertical[i];
    }
  }
};

template <>
class Configurations<RigidBody> : public BodyConfigurations {
 public:
  using BodyConfigurations::BodyConfigurations;
  void store(const Point& q, const Vec<double, 3>& pi, double* x) const {
    std::copy_n(pi.v, 3, x);
    std::copy_n(q.attitude.v, 4, x + 3);
  }
};

/// The same as 3 x 3 matrices.
class BodyMatrixConfigurations : public BodyConfigurations {
 public:
  using BodyConfigurations::BodyConfigurations;
  void store(const Point& q, const Vec<double, 3>& pi, double* x) const {
    BodyMatrixPhysics::motion(body().inertia.v, q.attitude, hadamard(body().inverse_inertia, pi), x);
  }
};
template <>
class Configurations<HeavyTopMatrix> : public BodyMatrixConfigurations {
 public:
  using BodyMatrixConfigurations::BodyMatrixConfigurations;
};
template <>
class Configurations<RigidBodyMatrix> : public BodyMatrixConfigurations {
 public:
  explicit Configurations(const double* p)
      : BodyMatrixConfigurations(std::array<double, 7>{p[0], p[1], p[2], 0, 0, 1, 0}.data()) {}
};

/// A free body on SO(k): the momentum is m; the configuration is irrelevant.
template <int k>
class Configurations<RigidBodyN<k>> {
 public:
  static constexpr int n = RigidBodyN<k>::dim, N = n, heights = 0;
  struct Point {};

  explicit Configurations(const double* p) {
    for (int i = 0; i < k; ++i)
      for (int j = i + 1; j < k; ++j) inertia_[above<k>(i, j)] = p[i] + p[j];
  }
  Point propose(RandomSource&, bool, double) const { return {}; }
  double chance(const Point&, bool) const { return 1; }
  double potential(const Point&) const { return 0; }
  double least_potential() const { return 0; }
  Vec<double, n> thermal(const Point&, RandomSource& random) const {
    Vec<double, n> m;
    for (int i = 0; i < n; ++i) m[i] = std::sqrt(inertia_[i]) * random.normal();
    return m;
  }
  double kinetic(const Point&, const Vec<double, n>& m) const {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += m[i] * m[i] / inertia_[i];
    return sum / 2;
  }
  void store(const Point&, const Vec<double, n>& m, double* x) const { std::copy_n(m.v, n, x); }

  /// Moments of inertia of the components of m.
  const Vec<double, n>& moments() const { return inertia_; }
  static bool is_free() { return true; }

 private:
  Vec<double, n> inertia_;
};

/// Rods in all directions: dvol_M is det(G W G^T)^(1/2) times the areas of the spheres of the rods' ends, and at most
/// (prod_i W_ii l_i^2)^(1/2) times these (Hadamard's inequality). At a given momentum the first rod is drawn with a
/// density proportional to the inverse of the sine of its angle from the vertical, which bounds I^(-1/2), because I >=
/// m_1 l_1^2 sin^2.
template <int k>
class Configurations<PendulumChain<k>> {
 public:
  static constexpr int n = 2 * k, N = 3 * k, heights = k;
  using Point = Vec<double, N>;

  explicit Configurations(const double* p) : model_(p) {
    for (int i = 0; i < k; ++i) {
      mass_[i] = p[i];
      length_[i] = p[k + i];
    }
  }

  Point propose(RandomSource& random, bool at_momentum, double tilt) const {
    Point q;
    for (int i = 0; i < k; ++i) {
      const double b = model_.weight[i] * length_[i] / tilt;
      const auto [above, across] = i == 0 && at_momentum ? draw_angle(random, b) : draw_height(random, b);
      const auto [cosine, sine] = draw_on_circle(random);
      q[3 * i] = length_[i] * across * cosine;
      q[3 * i + 1] = length_[i] * across * sine;
      q[3 * i + 2] = length_[i] * (above - 1);
    }
    return q;
  }
  double chance(const Point& q, bool at_momentum) const {
    // Determinant of a tridiagonal matrix by the recurrence over rows, divided by that of its diagonal.
    const Mat<double, k, k> a = model_.schur(q, q);
    double before = 1, determinant = 1;
    for (int i = 1; i < k; ++i) {
      const double next = determinant - before * a[i][i - 1] * a[i - 1][i] / (a[i][i] * a[i - 1][i - 1]);
      before = determinant;
      determinant = next;
    }
    const double volume = std::sqrt(std::max(determinant, 0.0));
    if (!at_momentum) return volume;
    const double first = mass_[0] * (q[0] * q[0] + q[1] * q[1]);
    return volume * std::sqrt(first / about(q, turning(q)));
  }
  double potential(const Point& q) const { return model_.potential(q); }
  double least_potential() const {
    double least = 0;
    for (int i = 0; i < k; ++i) least -= std::abs(model_.weight[i]) * length_[i];
    return least;
  }

  Point thermal(const Point& q, RandomSource& random) const {
    Point p;
    for (int j = 0; j < 3; ++j) {
      double sum = 0;  // momenta of this bob and those below
      for (int i = k; i-- > 0;) p[3 * i + j] = sum += std::sqrt(mass_[i]) * random.normal();
    }
    return model_.to_hidden_constraint(q, p);
  }
  double kinetic(const Point&, const Point& p) const { return dot(p, model_.velocity(p)) / 2; }
  Point turning(const Point& q) const {
    // Bob i at (x, y) moves with (-y, x).
    Point p{};
    double x = 0, y = 0;
    for (int i = 0; i < k; ++i) {
      x += q[3 * i];
      y += q[3 * i + 1];
      for (int above = 0; above <= i; ++above) {
        p[3 * above] -= mass_[i] * y;
        p[3 * above + 1] += mass_[i] * x;
      }
    }
    return p;
  }
  double about(const Point& q, const Point& p) const { return model_.angular_momentum(q, p); }
  void store(const Point& q, const Point& p, double* x) const {
    std::copy_n(q.v, N, x);
    std::copy_n(p.v, N, x + N);
  }

 private:
  /// A height with density exp(-b above) / across on the sphere: for b = 0 the angle from the axis is uniform.
  static Height draw_angle(RandomSource& random, double b) {
    for (;;) {
      const double angle = std::numbers::pi * random.uniform();
      const double half = std::sin(angle / 2), above = 2 * half * half;
      if (random.uniform() < std::exp(-std::abs(b) * above)) return {b < 0 ? 2 - above : above, std::sin(angle)};
    }
  }

  typename PendulumChain<k>::template Model<double> model_;
  double mass_[k], length_[k];
};

}  // namespace polhode

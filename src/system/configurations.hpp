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

namespace polhode::inline POLHODE_ISA {

/// Draws a uniform point of the unit circle.
template <class T>
SinCos<T> draw_on_circle(RandomNumbers<T>& random) {
  return sin_cos(T(2 * std::numbers::pi) * random.uniform());
}

template <class T, int N>
Vec<T, N> unit(const Vec<T, N>& v) {
  return (T(1) / sqrt(dot(v, v))) * v;
}

/// Draws a unit vector with the component `along` along the unit vector `axis` and the component `across` perpendicular
/// to the axis, in a uniform direction. along^2 + across^2 = 1.
template <class T>
Vec<T, 3> draw_about(RandomNumbers<T>& random, const Vec<T, 3>& axis, const T& along, const T& across) {
  const Mask<T> is_apart = abs(axis[0]) < T(0.6);  // from the first direction of space, else from the second
  const Vec<T, 3> other{select(is_apart, T(1), T(0)), select(is_apart, T(0), T(1)), T(0)};
  const Vec<T, 3> u = unit(cross(axis, other)), v = cross(axis, u);
  const auto [sine, cosine] = draw_on_circle(random);
  return unit(fma(along, axis, fma(across * cosine, u, (across * sine) * v)));
}

/// A point of the unit sphere: its height over the lowest point and its distance from the axis.
template <class T>
struct Height {
  T above, across;
};
/// Distribution of random heights (Height) of points whose density on the unit sphere is exp(-b above); b has any sign.
class Heights {
 public:
  Heights() = default;
  explicit Heights(double b) : is_upside_down_(b < 0), steep_(std::abs(b)) {
    // 1 - exp(-2 b) = x, with the rounded exponential as it is in the logarithm, too (Kahan).
    const double e = exp(-2 * steep_);
    if (steep_ > 1e-8) falls_ = (e - 1) * (2 * steep_) / (e > 0 ? log(e) : -2 * steep_);
  }

  template <class T>
  Height<T> draw(RandomNumbers<T>& random) const {
    // Inverse of the distribution function, or of the uniform one where the distribution is nearly uniform.
    const T u = random.uniform();
    T above = T(2) * u;
    if (falls_ > 0) {
      // -log(1 - x) / b with x = u falls.
      const T x = u * T(falls_), rest = T(1) - x, rounded = T(1) - rest;
      above = select(rounded == T(0), x, log(rest) * (x / -rounded)) * T(1 / steep_);
    }
    above = select(above < T(2), above, T(2));
    const T across = sqrt(above * (T(2) - above));
    return {is_upside_down_ ? T(2) - above : above, across};
  }

 private:
  bool is_upside_down_ = false;
  double steep_ = 0;  ///< |b|
  double falls_ = 0;  ///< 1 - exp(-2 |b|); 0 where the distribution is nearly uniform
};

/// Draws an attitude, as a unit quaternion, of a body in which the vertical has the components gamma, a unit vector;
/// uniform about the vertical.
template <class T>
Vec<T, 4> draw_attitude(RandomNumbers<T>& random, const Vec<T, 3>& gamma) {
  // The smallest rotation of Gamma to e3; if Gamma3 < 0, after a half turn about the first axis.
  const Mask<T> is_low = gamma[2] < T(0);
  const T y = select(is_low, -gamma[1], gamma[1]), z = abs(gamma[2]);
  const T w = sqrt((T(1) + z) * T(0.5)), scale = T(0.5) / w;
  Vec<T, 4> q{w, y * scale, -gamma[0] * scale, T(0)};
  q = select(is_low, quaternion_product(q, Vec<T, 4>{T(0), T(1), T(0), T(0)}), q);
  const auto [sine, cosine] = draw_on_circle(random);
  return quaternion_product(Vec<T, 4>{cosine, T(0), T(0), sine}, q);
}

/// Configuration of a body whose states have the vertical Gamma only, not the attitude.
template <class T>
struct VerticalPoint {
  Vec<T, 3> vertical;

  static VerticalPoint of(const Vec<T, 4>& attitude) { return {space_axis(attitude, 2)}; }
  /// Point with the vertical gamma.
  static VerticalPoint about(const Vec<T, 3>& gamma, const RandomNumbers<T>&) { return {gamma}; }
  friend VerticalPoint select(const Mask<T>& m, const VerticalPoint& a, const VerticalPoint& b) {
    return {select(m, a.vertical, b.vertical)};
  }
};
template <class T>
struct AttitudePoint {
  Vec<T, 4> attitude;
  Vec<T, 3> vertical;

  static AttitudePoint of(const Vec<T, 4>& attitude) { return {attitude, space_axis(attitude, 2)}; }
  /// Point with the vertical gamma, turned uniformly about it by a random number of another stream than that of
  /// `random`, so that Gamma and Pi are those that the system heavy-top draws.
  static AttitudePoint about(const Vec<T, 3>& gamma, const RandomNumbers<T>& random) {
    RandomNumbers<T> of_turn = random.beside(2);
    return of(draw_attitude(of_turn, gamma));
  }
  friend AttitudePoint select(const Mask<T>& m, const AttitudePoint& a, const AttitudePoint& b) {
    return {select(m, a.attitude, b.attitude), select(m, a.vertical, b.vertical)};
  }
};

/// Configurations of a body with a fixed point: the momentum is Pi, and the volume dvol_M of the kinetic energy's
/// metric (equilibrium.hpp) is uniform on SO(3). P: VerticalPoint or AttitudePoint.
template <class T, class P>
class BodyConfigurations {
 public:
  static constexpr int n = 3, N = 3, heights = 1;
  using Point = P;

  explicit BodyConfigurations(const double* p)
      : body_(p),
        moments_{p[0], p[1], p[2]},
        depth_(std::abs(p[6]) * std::sqrt(p[3] * p[3] + p[4] * p[4] + p[5] * p[5])),
        c_(p[6]) {
    for (int i = 0; i < 3; ++i) thermal_[i] = T(std::sqrt(p[i]));
  }

  void prepare_proposals(double tilt) { heights_ = Heights(c_ / tilt); }
  Point propose(RandomNumbers<T>& random, bool, double) const {
    // Gamma at a height along chi, in a uniform direction across it.
    const auto [above, across] = heights_.draw(random);
    return Point::about(draw_about(random, body_.chi, above - T(1), across), random);
  }
  T chance(const Point& q, bool at_momentum) const {
    if (!at_momentum) return T(1);
    const double least = std::min({moments_[0], moments_[1], moments_[2]});
    return sqrt(T(least) / about(q, rotation_momentum(q)));
  }
  T potential(const Point& q) const { return body_.potential(q.vertical); }
  double least_potential() const { return -depth_; }

  Vec<T, 3> thermal(const Point&, RandomNumbers<T>& random) const {
    Vec<T, 3> pi;
    for (int i = 0; i < 3; ++i) pi[i] = thermal_[i] * random.normal();
    return pi;
  }
  T kinetic(const Point&, const Vec<T, 3>& pi) const { return dot(pi, hadamard(body_.inverse_inertia, pi)) * T(0.5); }
  Vec<T, 3> rotation_momentum(const Point& q) const { return hadamard(body_.inertia, q.vertical); }
  T about(const Point& q, const Vec<T, 3>& pi) const { return dot(pi, q.vertical); }

  const Vec<double, 3>& moments() const { return moments_; }
  bool is_free() const { return c_ == 0; }

 protected:
  const Top::Body<T>& body() const { return body_; }

 private:
  Top::Body<T> body_;
  Vec<double, 3> moments_;
  double depth_, c_;
  Heights heights_;
  Vec<T, 3> thermal_;  ///< I^(1/2), the standard deviations of Pi at kT = 1
};

template <class T>
class Configurations<HeavyTop, T> : public BodyConfigurations<T, VerticalPoint<T>> {
 public:
  using BodyConfigurations<T, VerticalPoint<T>>::BodyConfigurations;
  void store(const VerticalPoint<T>& q, const Vec<T, 3>& pi, T* x) const {
    for (int i = 0; i < 3; ++i) {
      x[i] = pi[i];
      x[3 + i] = q.vertical[i];
    }
  }
};

template <class T>
class Configurations<RigidBody, T> : public BodyConfigurations<T, AttitudePoint<T>> {
 public:
  using BodyConfigurations<T, AttitudePoint<T>>::BodyConfigurations;
  void store(const AttitudePoint<T>& q, const Vec<T, 3>& pi, T* x) const {
    for (int i = 0; i < 3; ++i) x[i] = pi[i];
    for (int i = 0; i < 4; ++i) x[3 + i] = q.attitude[i];
  }
};

/// Configurations of a body whose states are 3 x 3 matrices.
class BodyMatrixConfigurations : public BodyConfigurations<double, AttitudePoint<double>> {
 public:
  using BodyConfigurations::BodyConfigurations;
  void store(const Point& q, const Vec<double, 3>& pi, double* x) const {
    BodyMatrixPhysics::motion(moments().v, q.attitude, hadamard(body().inverse_inertia, pi), x);
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

/// Configurations of a free body on SO(k): the momentum is m; a Point is empty, as states have no attitude.
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

  /// Moments of inertia of the components of m, p_i + p_j for m_ij.
  const Vec<double, n>& moments() const { return inertia_; }
  static bool is_free() { return true; }

 private:
  Vec<double, n> inertia_;
};

/// Configurations of pendula, with rods in all directions. The volume dvol_M of the kinetic energy's metric
/// (equilibrium.hpp) is, up to a constant, det(G W G^T)^(1/2) times the product A of the areas on the spheres of the
/// rods' ends, with the constraint Jacobian G and the inverse mass matrix W; by Hadamard's inequality it is at most
/// (prod_i W_ii l_i^2)^(1/2) A. At a given momentum about the vertical the first rod is drawn with a density
/// proportional to 1 / sin of its angle from the vertical: this bounds I^(-1/2), I the moment of inertia about the
/// vertical, because I >= m_1 l_1^2 sin^2.
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

  void prepare_proposals(double tilt) {
    for (int i = 0; i < k; ++i) {
      steep_[i] = model_.weight[i] * length_[i] / tilt;
      heights_[i] = Heights(steep_[i]);
    }
  }
  Point propose(RandomSource& random, bool at_momentum, double) const {
    Point q;
    for (int i = 0; i < k; ++i) {
      const auto [above, across] = i == 0 && at_momentum ? draw_angle(random, steep_[i]) : heights_[i].draw(random);
      const auto [sine, cosine] = draw_on_circle(random);
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
    return volume * std::sqrt(first / about(q, rotation_momentum(q)));
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
  Point rotation_momentum(const Point& q) const {
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
  /// Draws the height of a point whose density on the unit sphere is exp(-b above) / across (Height): for b = 0 the
  /// angle from the axis is uniform.
  static Height<double> draw_angle(RandomSource& random, double b) {
    for (;;) {
      const double angle = std::numbers::pi * random.uniform();
      const double half = sin(angle / 2), above = 2 * half * half;
      if (random.uniform() < exp(-std::abs(b) * above)) return {b < 0 ? 2 - above : above, sin(angle)};
    }
  }

  typename PendulumChain<k>::template Model<double> model_;
  double mass_[k], length_[k], steep_[k];
  Heights heights_[k];
};

}  // namespace polhode::inline POLHODE_ISA

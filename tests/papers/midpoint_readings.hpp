// What "the implicit midpoint rule on the reduced equations" of McLachlan & Scovel 1995, Figure 2 can mean, for the
// free double spherical pendulum of the figure:
//
//   (i)    the equations with substituted multipliers, which are not canonical: method implicit-midpoint
//   (ii)   the canonical equations of K = H + lambda(q, p).g, with the same flow on the constraints
//   (iii)  those of H(q, P(q) p), P the projection to the hidden constraint
//   (iv)   those of K(q, P(q) p), with the flow of (ii) on the constraints
//
// Derivatives by dual numbers.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "numerics/dense.hpp"
#include "polhode/scalar/dual.hpp"
#include "polhode/system/pendulum_chain.hpp"

namespace polhode::test {

enum class Reading { substituted, canonical, gauge, projected };

/// Pendulum, readings and their steps.
class MidpointReadings {
 public:
  using System = DoubleSphericalPendulum;
  static constexpr int N = System::N, dim = System::dim;
  using Phase = Eigen::Vector<double, dim>;
  using Jacobian = Eigen::Matrix<double, dim, dim>;

  static constexpr double parameters[] = {1, 1.5, 1, 1.5, 0};  ///< m, l, without gravity
  static constexpr double step = 0.05;

  static Phase start() {
    // q1, q2 and p = M q', of the relative velocities (0, .6, .8) and (.7, 0, -.5).
    const double m1 = parameters[0], m2 = parameters[1];
    const Eigen::Vector3d v1(0, .6, .8), v2(.7, 0, -.5);
    Phase x;
    x << 1, 0, 0, 0, 1.5, 0, (m1 + m2) * v1 + m2 * v2, m2 * (v1 + v2);
    return x;
  }

  static Phase rate(Reading reading, const Phase& x) {
    Vec<double, N> q, p;
    std::copy_n(x.data(), N, q.v);
    std::copy_n(x.data() + N, N, p.v);
    Phase y;
    if (reading == Reading::substituted) {
      const System::Model<double> model(parameters);
      const Vec<double, N> v = model.velocity(p), force = model.pull(q, multipliers(model, q, p));
      for (int k = 0; k < N; ++k) y[k] = v[k], y[N + k] = -force[k];
      return y;
    }
    using Along = Dual<double, 1>;
    for (int k = 0; k < dim; ++k) {
      Vec<Along, N> q1, p1;
      for (int i = 0; i < N; ++i) q1[i] = Along(q[i]), p1[i] = Along(p[i]);
      (k < N ? q1[k] : p1[k - N]).tangent[0] = 1;
      const double derivative = hamiltonian<Along>(reading, q1, p1).tangent[0];
      y[k < N ? N + k : k - N] = k < N ? -derivative : derivative;
    }
    return y;
  }

  /// Step by Newton's iteration with a Jacobian by differences; false where it does not converge.
  static bool advance(Reading reading, double h, Phase& x) {
    const auto residual = [&](const Phase& y) { return Phase(y - x - h * rate(reading, (x + y) / 2)); };
    Phase y = x + h * rate(reading, x);
    for (int k = 0; k < 50; ++k) {
      const Phase at = residual(y);
      if (!at.allFinite()) return false;
      if (at.norm() < 1e-13 * (x.norm() + y.norm())) {
        x = y;
        return true;
      }
      Jacobian jacobian;
      const double e = 1e-6 * (1 + y.norm());
      for (int i = 0; i < dim; ++i)
        jacobian.col(i) = (residual(y + e * Phase::Unit(i)) - residual(y - e * Phase::Unit(i))) / (2 * e);
      y -= solve(jacobian, at);
    }
    return false;
  }

  /// Constraints g(q), the phi of the paper.
  static Eigen::Vector2d constraints(const Phase& x) {
    return {(x.head<3>().squaredNorm() - 1) / 2, (x.segment<3>(3).squaredNorm() - 2.25) / 2};
  }
  /// Hidden constraints G(q) W p, its phi_2.
  static Eigen::Vector2d hidden_constraints(const Phase& x) {
    const double w1 = 1 / parameters[0], w2 = 1 / parameters[1];
    const Eigen::Vector3d p1 = x.segment<3>(6), p2 = x.segment<3>(9);
    return {x.head<3>().dot(w1 * (p1 - p2)), x.segment<3>(3).dot(w1 * (p2 - p1) + w2 * p2)};
  }

 private:
  /// Multipliers lambda(q, p) of the equations with substituted multipliers.
  template <class T>
  static Vec<T, 2> multipliers(const System::Model<T>& model, const Vec<T, N>& q, const Vec<T, N>& p) {
    return LU<T, 2>(model.schur(q, q)).solve(model.curvature(q, model.velocity(p)));
  }

  template <class T>
  static T hamiltonian(Reading reading, const Vec<T, N>& q, const Vec<T, N>& p) {
    const System::Model<T> model(parameters);
    if (reading == Reading::gauge) return model.hamiltonian(q, model.to_hidden_constraint(q, p));
    const Vec<T, N> at = reading == Reading::projected ? model.to_hidden_constraint(q, p) : p;
    return model.hamiltonian(q, at) + dot(multipliers(model, q, at), model.constraints(q));
  }
};

}  // namespace polhode::test

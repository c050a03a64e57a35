// Orthogonal projection to the constraints, and its derivative: the point q = P(q^) of g = 0 with
//
//     q^ = q + G(q)^T theta
//
// (Patrick, Cuell, Spiteri & Zhang 2009, eq. (3.2)).
#pragma once

#include "polhode/math/bounded_iteration.hpp"
#include "polhode/math/lu.hpp"
#include "polhode/scalar/dual.hpp"

namespace polhode::inline POLHODE_ISA {

/// A point with the multipliers that lead to it. It has converged when the point has.
template <class T, int N, int D>
struct ProjectedPoint {
  Vec<T, N> q;
  Vec<T, D> theta;

  friend POLHODE_HD Mask<T> has_settled(const ProjectedPoint& x, const ProjectedPoint& next) {
    return has_settled(x.q, next.q);
  }
  friend POLHODE_HD T squared_change(const ProjectedPoint& x, const ProjectedPoint& next) {
    return squared_change(x.q, next.q);
  }
  friend POLHODE_HD Mask<T> diverges(const ProjectedPoint& x, const ProjectedPoint& next, const T& before) {
    return diverges(x.q, next.q, before);
  }
  friend POLHODE_HD ProjectedPoint select(const Mask<T>& m, const ProjectedPoint& a, const ProjectedPoint& b) {
    return {select(m, a.q, b.q), select(m, a.theta, b.theta)};
  }
};
template <class T, int N, int D>
POLHODE_HD void copy_tangents(const Mask<T>& wanted, const ProjectedPoint<T, N, D>& next, ProjectedPoint<T, N, D>& x) {
  copy_tangents<T>(wanted, next.q, x.q);
  copy_tangents<T>(wanted, next.theta, x.theta);
}

/// The projection to the constraints of a system. The model must outlive it.
template <class System, class T>
class SegmentProjection {
  static constexpr int N = System::N, D = System::D;
  using Position = Vec<T, N>;
  using Model = typename System::template Model<T>;

 public:
  explicit POLHODE_HD SegmentProjection(const Model& model) : model_(model) {}

  /// P(from), by an iteration with one factorisation, which contracts with a factor of the order of the distance from
  /// the constraints.
  POLHODE_OUTLINED ProjectedPoint<T, N, D> operator()(const Position& from) const {
    const LU<T, D> matrix(model_.gram(from));
    ProjectedPoint<T, N, D> at;
    at.q = from;
    unroll<D>([&](int i) POLHODE_LAMBDA { at.theta[i] = T(Real<T>(0)); });
    iterate<T>(at, sweeps, Mask<T>(true), [this, &from, &matrix](const auto& last) POLHODE_LAMBDA {
      // A Newton step without the second derivative of g.
      const Position off = model_.pull(last.q, last.theta, last.q) - from;
      const Vec<T, D> theta = last.theta + matrix.solve(model_.constraints(last.q) - model_.push(last.q, off));
      return ProjectedPoint<T, N, D>{model_.pull(last.q, -theta, from), theta};
    });
    return at;
  }

  /// Derivative of P along `count` vectors, in place: with B = 1 + D^2(theta.g),
  ///
  ///     B dq + G^T dtheta = dq^,   G dq = 0
  template <class Vectors>
  POLHODE_OUTLINED void derive(const ProjectedPoint<T, N, D>& at, Vectors& vectors, int count) const {
    const LU<T, N> bent(bend(at));
    const Mat<T, D, N> rows = model_.jacobian(at.q);
    Mat<T, D, N> normals;  // B^-1 G^T, by columns
    for (int j = 0; j < D; ++j) normals[j] = bent.solve(rows[j]);
    Mat<T, D, D> matrix;
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) matrix[i][j] = dot(rows[i], normals[j]);
    const LU<T, D> solver(matrix);
    for (int k = 0; k < count; ++k) {
      Position moved = bent.solve(vectors[k]);
      const Vec<T, D> theta = solver.solve(model_.push(at.q, moved));
      for (int j = 0; j < D; ++j) moved = fma(-theta[j], normals[j], moved);
      vectors[k] = moved;
    }
  }

 private:
  /// 1 + D^2(theta.g), the derivative of q + G(q)^T theta.
  POLHODE_HD Mat<T, N, N> bend(const ProjectedPoint<T, N, D>& at) const {
    using Variable = Dual<T, N>;
    Vec<Variable, N> q;
    Vec<Variable, D> theta;
    for (int i = 0; i < N; ++i) q[i] = Variable::variable(at.q[i], i);
    for (int i = 0; i < D; ++i) theta[i] = Variable(at.theta[i]);
    const auto sum = model_.template in_scalar<Variable>().pull(q, theta, q);
    Mat<T, N, N> matrix;
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) matrix[i][j] = sum[i].tangent[j];
    return matrix;
  }

  /// Unconditional sweeps: the end of a segment by a method of order 4 is close to the constraints.
  static constexpr int sweeps = 2;

  const Model& model_;
};

}  // namespace polhode::inline POLHODE_ISA

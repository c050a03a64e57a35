// Orthogonal projection to the constraints, and its derivative: the point q = P(q^) of g = 0 with
//
//     q^ = q + G(q)^T theta
//
// (Patrick, Cuell, Spiteri & Zhang 2009, eq. (3.2)).
#pragma once

#include "polhode/math/lu.hpp"
#include "polhode/method/constrained_position.hpp"
#include "polhode/scalar/dual.hpp"

namespace polhode::inline POLHODE_ISA {

/// The projection to the constraints of a system. The model must outlive it.
template <class System, class T>
class SegmentProjection {
  static constexpr int N = System::N, D = System::D;
  using Position = Vec<T, N>;
  using Model = typename System::template Model<T>;

 public:
  using Projected = ConstrainedPosition<T, N, D>;  ///< a point with its multipliers theta

  explicit POLHODE_HD SegmentProjection(const Model& model) : model_(model) {}

  /// P(from), by an iteration with one factorisation, which contracts with a factor of the order of the distance from
  /// the constraints.
  POLHODE_OUTLINED Projected operator()(const Position& from) const {
    const LU<T, D> matrix(model_.gram(from));
    Projected at;
    at.q = from;
    unroll<D>([&](int i) POLHODE_LAMBDA { at.variable[i] = T(Real<T>(0)); });
    iterate<T>(at, sweeps, Mask<T>(true), [this, &from, &matrix](const auto& last) POLHODE_LAMBDA {
      // A Newton step without the second derivative of g.
      const Position off = model_.pull(last.q, last.variable, last.q) - from;
      const Vec<T, D> theta = last.variable + matrix.solve(model_.constraints(last.q) - model_.push(last.q, off));
      return Projected{model_.pull(last.q, -theta, from), theta};
    });
    return at;
  }

  /// Derivative of P along `count` vectors, in place: with B = 1 + D^2(theta.g),
  ///
  ///     B dq + G^T dtheta = dq^,   G dq = 0
  template <class Vectors>
  POLHODE_OUTLINED void derive(const Projected& at, Vectors& vectors, int count) const {
    const LU<T, N> unprojected(displacement_matrix(at));
    const Mat<T, D, N> rows = model_.jacobian(at.q);
    Mat<T, D, N> normals;  // B^-1 G^T, by columns
    for (int j = 0; j < D; ++j) normals[j] = unprojected.solve(rows[j]);
    Mat<T, D, D> matrix;
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) matrix[i][j] = dot(rows[i], normals[j]);
    const LU<T, D> solver(matrix);
    for (int k = 0; k < count; ++k) {
      Position moved = unprojected.solve(vectors[k]);
      const Vec<T, D> theta = solver.solve(model_.push(at.q, moved));
      for (int j = 0; j < D; ++j) moved = fma(-theta[j], normals[j], moved);
      vectors[k] = moved;
    }
  }

 private:
  /// 1 + D^2(theta.g), the derivative of q + G(q)^T theta.
  POLHODE_HD Mat<T, N, N> displacement_matrix(const Projected& at) const {
    using Variable = Dual<T, N>;
    Vec<Variable, N> q;
    Vec<Variable, D> theta;
    for (int i = 0; i < N; ++i) q[i] = Variable::variable(at.q[i], i);
    for (int i = 0; i < D; ++i) theta[i] = Variable(at.variable[i]);
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

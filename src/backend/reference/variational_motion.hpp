// One trajectory by a variational integrator made of an explicit Runge-Kutta method (Patrick, Cuell, Spiteri & Zhang
// 2009), in velocities. A segment of w = (q, v) in TQ is a curve of that method for
//
//     q' = v,   v' = A(q, v),   S' = L(q, v)
//
// from h alpha- to h (alpha- + 1), with its ends projected to the constraints, d-(w) and d+(w), and its action L_h(w).
// Momenta p-, p+, tangential at the ends, are those of
//
//     p+ . Dd+ dw - p- . Dd- dw = DL_h dw   for all dw in T_w TQ
//
// and a step from (q, p) goes to (d+(w), p+(w)) where (d-(w), p-(w)) = (q, p), which Broyden's iteration solves. The
// derivatives of curves are taken by the complex step, those of the projection from its own equations.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <utility>

#include "backend/reference/dense_solve.hpp"
#include "backend/reference/hamiltonian_equations.hpp"
#include "backend/reference/motion.hpp"
#include "backend/reference/runge_kutta_rules.hpp"

namespace polhode {

class VariationalMotion final : public CloneableMotion<VariationalMotion> {
 public:
  VariationalMotion(HamiltonianValues values, const ReferenceMethod& method)
      : constraints_(values.constraints),
        layer_(values.layer),
        system_(std::move(values)),
        N_(system_.N),
        n_(system_.N - system_.D),
        table_(method.table),
        bias_(method.real("bias")) {}

  void set_state(const double* x) override { state_ = Eigen::Map<const Vector>(x, 2 * N_); }
  const double* state() const override { return state_.data(); }

  Status advance(double h, KickFractions) override {
    const Point start{state_.head(N_), state_.tail(N_)};
    const Matrix G = system_.jacobian(start.q);
    if (are_dependent<double>(G * G.transpose())) return Status::singular;
    Point end;
    if (const Status status = solve(h, start, end); status != Status::ok) return status;
    if (const Status status = system_.project(h, end.q, end.p); status != Status::ok) return status;
    state_ << end.q, end.p;
    return Status::ok;
  }

 private:
  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::MatrixXd;

  /// A position with a momentum, or with a velocity.
  struct Point {
    Vector q, p;
  };
  struct Ends {
    Point minus, plus;
  };

  /// Orthonormal basis of the null space of G(q), in columns.
  Matrix tangents(const Vector& q) const {
    const Matrix Q = system_.jacobian(q).transpose().householderQr().householderQ();
    return Q.rightCols(n_);
  }
  /// v without its part along the rows of G(q).
  Vector tangential(const Vector& q, const Vector& v) const {
    const Matrix G = system_.jacobian(q);
    return v - G.transpose() * solve_multipliers<double>(G * G.transpose(), G * v);
  }
  /// H_pp(q)^-1, H being quadratic in the momenta.
  Matrix mass(const Vector& q) const {
    const Vector zero = Vector::Zero(N_), at_rest = system_.velocity(q, zero);
    Matrix inverse(N_, N_);
    for (int k = 0; k < N_; ++k) inverse.col(k) = system_.velocity(q, Vector::Unit(N_, k)) - at_rest;
    return inverse_dense(inverse);
  }

  /// Replaces `from` by its projection q to the constraints, from = q + G(q)^T theta, g(q) = 0, and the directions by
  /// the derivatives of q along them; returns false, and changes nothing, if no projection is found.
  bool project(Vector& from, Matrix& directions) const {
    const int D = system_.D;
    Vector at(N_ + D);  // q, theta
    at << from, Vector::Zero(D);
    const auto equations = [&](const Vector& y) {
      const Vector q = y.head(N_), normal = system_.jacobian(q).transpose() * y.tail(D), first = q + normal - from;
      Vector value(N_ + D);
      value << first, system_.constraints(q);
      return HamiltonianEquations::Residual{
          value,
          std::max(system_.relative(first, system_.size(q) + system_.size(normal)), system_.relative_constraints(q))};
    };
    if (!system_.solve(equations, at)) return false;
    const Vector q = at.head(N_), theta = at.tail(D);
    from = q;
    if (directions.cols() == 0) return true;
    Matrix matrix = Matrix::Zero(N_ + D, N_ + D);
    for (int k = 0; k < N_; ++k)
      for (int i = 0; i <= k; ++i)
        matrix(i, k) = matrix(k, i) = (i == k ? 1 : 0) + theta.dot(bent(q, Vector::Unit(N_, i), Vector::Unit(N_, k)));
    matrix.topRightCorner(N_, D) = system_.jacobian(q).transpose();
    matrix.bottomLeftCorner(D, N_) = system_.jacobian(q);
    for (int k = 0; k < directions.cols(); ++k) {
      Vector right = Vector::Zero(N_ + D);
      right.head(N_) = directions.col(k);
      directions.col(k) = solve_dense<double>(matrix, right).head(N_);
    }
    return true;
  }
  /// D^2 g(a, b), from second derivatives along a + b and a - b.
  Vector bent(const Vector& q, const Vector& a, const Vector& b) const {
    return (curvature(q, a + b) - curvature(q, a - b)) / 4;
  }
  /// d^2/dt^2 g(q + t v) at 0, by Cauchy's integral over a circle, which for analytic g converges geometrically in the
  /// number of points.
  Vector curvature(const Vector& q, const Vector& v) const {
    constexpr int points = 16;
    const double speed = v.norm();
    Eigen::VectorXcd sum = Eigen::VectorXcd::Zero(system_.D), g(system_.D);
    if (speed == 0) return sum.real();
    const double radius = q.norm() / (2 * speed);
    for (int k = 0; k < points; ++k) {
      const Complex z = std::polar(1.0, 2 * std::numbers::pi * k / points);
      const Eigen::VectorXcd at = q.cast<Complex>() + radius * z * v.cast<Complex>();
      constraints_(at.data(), g.data());
      sum += g / (z * z);
    }
    return 2 / (radius * radius * points) * sum.real();
  }

  /// Directions of TQ at w = (q, v), in columns of (dq, dv): along a basis of positions, then of velocities.
  Matrix directions(const Point& w) const {
    const Matrix Z = tangents(w.q), G = system_.jacobian(w.q);
    Matrix all = Matrix::Zero(2 * N_, 2 * n_);
    for (int k = 0; k < n_; ++k) {
      const Vector z = Z.col(k);
      all.col(k) << z, -G.transpose() * solve_multipliers<double>(G * G.transpose(), bent(w.q, z, w.p));
      all.col(n_ + k).tail(N_) = z;
    }
    return all;
  }

  /// End (q, v, S) of the curve from w over a time t, and its derivatives along the directions, in columns.
  /// directions: one column at least. The velocity is w.p, and S is 0 at w.
  std::pair<Vector, Matrix> curve(double t, const Point& w, const Matrix& directions) const {
    constexpr double step = 1e-100;
    Eigen::VectorXcd from = Eigen::VectorXcd::Zero(2 * N_ + 1);
    Vector end;
    Matrix derivatives(2 * N_ + 1, directions.cols());
    for (int k = 0; k < directions.cols(); ++k) {
      from.head(N_).real() = w.q;
      from.segment(N_, N_).real() = w.p;
      from.head(2 * N_).imag() = step * directions.col(k);
      const Eigen::VectorXcd to = explicit_step<Complex>(
          table_,
          [this](const Eigen::VectorXcd& at) {
            Eigen::VectorXcd rates(at.size());
            layer_(at.data(), rates.data());
            return rates;
          },
          t, from);
      end = to.real();
      derivatives.col(k) = to.imag() / step;
    }
    return {end, derivatives};
  }

  /// Finds the ends of the segment of w, with their momenta; returns false if they cannot be projected to the
  /// constraints.
  bool find_ends(double h, const Point& w, Ends& ends) const {
    const Matrix along = directions(w);
    auto [before, d_before] = curve(h * bias_, w, along);
    auto [after, d_after] = curve(h * (1 + bias_), w, along);
    ends.minus.q = before.head(N_);
    ends.plus.q = after.head(N_);
    Matrix d_minus = d_before.topRows(N_), d_plus = d_after.topRows(N_);
    if (!project(ends.minus.q, d_minus) || !project(ends.plus.q, d_plus)) return false;
    const Matrix Z_minus = tangents(ends.minus.q), Z_plus = tangents(ends.plus.q);
    Matrix matrix(2 * n_, 2 * n_);
    matrix << -d_minus.transpose() * Z_minus, d_plus.transpose() * Z_plus;
    const Vector action = (d_after.row(2 * N_) - d_before.row(2 * N_)).transpose();
    const Vector momenta = solve_dense<double>(matrix, action);
    ends.minus.p = Z_minus * momenta.head(n_);
    ends.plus.p = Z_plus * momenta.tail(n_);
    return true;
  }

  /// Finds the segment that begins at `start`; `end` is its end if the result is Status::ok.
  Status solve(double h, const Point& start, Point& end) const {
    const Matrix Z = tangents(start.q);
    // w by coordinates (a, b) about the start: q is the projection of start.q + Z a, v the tangential part of Z b.
    const auto point_at = [&](const Vector& y) {
      Vector q = start.q + Z * y.head(n_);
      Matrix none(N_, 0);
      project(q, none);
      return Point{q, tangential(q, Z * y.tail(n_))};
    };
    const Vector velocity = system_.velocity(start.q, start.p);
    const Vector guess = curve(-h * bias_, {start.q, velocity}, Matrix::Zero(2 * N_, 1)).first;
    if (!guess.allFinite()) return Status::not_finite;
    Vector y(2 * n_);
    y << Z.transpose() * (guess.head(N_) - start.q), Z.transpose() * guess.segment(N_, N_);
    // Inverse of the matrix [1, h alpha-; 0, Z^T M Z], then Broyden's corrections of it.
    const Matrix reduced_mass = Z.transpose() * mass(start.q) * Z;
    Matrix inverse = Matrix::Identity(2 * n_, 2 * n_);
    inverse.bottomRightCorner(n_, n_) = inverse_dense(reduced_mass);
    inverse.topRightCorner(n_, n_) = -h * bias_ * inverse.bottomRightCorner(n_, n_);

    const double scale = start.p.norm() + start.q.norm();
    Vector off, change;
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0, idle = 0; k < 100 && idle < 3; ++k) {
      Ends ends;
      if (!find_ends(h, point_at(y), ends)) return Status::not_converged;
      Vector next(2 * n_);
      next << Z.transpose() * (ends.minus.q - start.q), Z.transpose() * (ends.minus.p - start.p);
      if (!next.allFinite()) return Status::not_finite;
      if (k > 0) {
        const Vector moved = inverse * (next - off);
        const double along = change.dot(moved);
        if (along != 0) inverse += (change - moved) / along * (change.transpose() * inverse);
      }
      off = next;
      idle = off.norm() < least / 2 ? 0 : idle + 1;
      if (off.norm() < least) {
        least = off.norm();
        end = ends.plus;
      }
      if (least == 0) break;
      change = -inverse * off;
      y += change;
    }
    return least < 64 * std::numeric_limits<double>::epsilon() * scale ? Status::ok : Status::not_converged;
  }

  std::function<void(const Complex* q, Complex* g)> constraints_;
  LayerFunction layer_;
  HamiltonianEquations system_;
  int N_, n_;  ///< numbers of coordinates, and of degrees of freedom
  DenseTable table_;
  double bias_;   ///< alpha- of the head comment
  Vector state_;  ///< q, p
};

}  // namespace polhode

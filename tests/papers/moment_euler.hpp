// Euler equations on the dual of a moment algebra and their extension to T*M (McLachlan & Scovel 1995, sect. 4), with
// the first-order algorithm (2), (3) and its adjoint (10) as they stand. With T_A: X -> X o A and m = T_A^T P,
//
//     H(A, P) = m . W m / 2,    H_P = X o A,   H_A = (U -> dX(A) U)^T P,   X = W m
//
// W^-1 is an inner product on M for which g_n and a complement C are orthogonal. H is invariant under A -> A o B. The
// moments are mu_a = m . X_a; on the hidden constraint H = mu . S^-1 mu / 2 with the inner product S of the algebra.
#pragma once

#include <cmath>
#include <stdexcept>
#include <string>

#include "papers/moment_algebra.hpp"

namespace polhode::test {

/// Inner products of the algebra, by its monomials, and complement of the algebra in M: the orthogonal one C of the
/// coefficients of maps, with a metric of 1, or one that is tilted by a map L of it into the algebra, C + B L.
struct ExtendedMetric {
  Eigen::MatrixXd of_algebra, tilt;

  /// S = diag(1, 3/2, 2, ...), without a tilt.
  explicit ExtendedMetric(const MomentAlgebra& algebra)
      : of_algebra(Eigen::MatrixXd::Zero(algebra.dimension, algebra.dimension)),
        tilt(Eigen::MatrixXd::Zero(algebra.dimension, algebra.maps - algebra.dimension)) {
    for (int a = 0; a < algebra.dimension; ++a) of_algebra(a, a) = 1 + a / 2.0;
  }
};

/// Extended Hamiltonian.
class MomentEuler {
 public:
  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::MatrixXd;

  MomentEuler(const MomentAlgebra& of, const ExtendedMetric& metric) : algebra(of), fields(of.fields()) {
    complement = kernel(fields.transpose()) + product(fields, metric.tilt);
    inverse_of_algebra = inverse(metric.of_algebra);
    w = congruent(fields.transpose(), inverse_of_algebra) + product(complement, complement.transpose());
  }

  const MomentAlgebra& algebra;
  const Matrix fields;  ///< B: those of the monomials
  Matrix complement;    ///< a basis
  Matrix inverse_of_algebra, w;

  double energy(const Vector& a, const Vector& p) const { return p.dot(velocity(a, p)) / 2; }
  /// Energy on the hidden constraint.
  double energy_of(const Vector& moments) const {
    const Vector velocity = product(inverse_of_algebra, moments);
    return moments.dot(velocity) / 2;
  }
  Vector velocity(const Vector& a, const Vector& p) const { return product(inverse_mass(a), p); }
  /// H_PP.
  Matrix inverse_mass(const Vector& a) const { return congruent(algebra.right_translation(a).transpose(), w); }
  Vector position_gradient(const Vector& a, const Vector& p) const {
    return product(algebra.derivative_of_composed(right_velocity(a, p), a).transpose(), p);
  }
  /// X.
  Vector right_velocity(const Vector& a, const Vector& p) const { return product(w, at_identity(a, p)); }
  /// m.
  Vector at_identity(const Vector& a, const Vector& p) const {
    return product(algebra.right_translation(a).transpose(), p);
  }

  Vector moments(const Vector& a, const Vector& p) const { return product(fields.transpose(), at_identity(a, p)); }
  /// Derivative of the moments along a tangent vector.
  Vector moments_along(const Vector& a, const Vector& p, const Vector& da, const Vector& dp) const {
    Vector along = moments(a, dp);
    for (int k = 0; k < algebra.dimension; ++k) {
      const Vector moved = product(algebra.derivative_of_composed(fields.col(k), a), da);
      along[k] += p.dot(moved);
    }
    return along;
  }
  /// Momentum on the hidden constraint at the unit element.
  Vector momentum_of(const Vector& moments) const {
    Matrix basis(algebra.maps, algebra.maps);
    basis << fields, complement;
    Vector values = Vector::Zero(algebra.maps);
    values.head(algebra.dimension) = moments;
    return solve(basis.transpose(), values);
  }
  /// Momentum of the action A -> A o B: P . dA X for the fields X of the algebra.
  Vector conserved(const Vector& a, const Vector& p) const {
    const Matrix along = algebra.derivative_of_composed(a, algebra.identity());
    return product(product(along, fields).transpose(), p);
  }
};

/// Which multipliers are taken: those that the constraints determine, or of all that satisfy them the ones of least
/// norm.
enum class Multipliers { unique, least_norm };

/// The first-order algorithm and its adjoint. Each is solved by Newton's method with the matrix of the start, which is
/// on the group, where the constraints have their least rank, and without the derivatives of H_A.
class MomentSteps {
 public:
  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::MatrixXd;
  struct State {
    Vector q, p;
  };

  MomentSteps(const MomentEuler& euler, Multipliers multipliers)
      : euler_(euler), algebra_(euler.algebra), N_(algebra_.maps), D_(algebra_.constraints) {
    const auto rank = test::rank(algebra_.constraint_jacobian(algebra_.identity()));
    if (multipliers == Multipliers::unique && rank < D_)
      throw std::invalid_argument("d = " + std::to_string(algebra_.d) + ", n = " + std::to_string(algebra_.n) + ": " +
                                  std::to_string(D_) + " constraints of rank " + std::to_string(rank) +
                                  " do not determine their multipliers");
  }

  /// (2), (3).
  State first_order(double t, const State& x) const {
    const Matrix g = algebra_.constraint_jacobian(x.q);
    const Matrix mass = euler_.inverse_mass(x.q);
    Matrix matrix = Matrix::Zero(N_ + D_, N_ + D_);
    matrix.topLeftCorner(N_, N_).setIdentity();
    matrix.topRightCorner(N_, D_) = -g.transpose();
    matrix.bottomLeftCorner(D_, N_) = product(g, mass);
    const auto position = [&](const Vector& p) -> Vector { return x.q + t * product(mass, p); };
    const Vector last = solved(matrix, x.p, [&](const Vector& p, const Vector& mu) {
      Vector residual(N_ + D_);
      residual << p - x.p + t * euler_.position_gradient(x.q, p) - product(g.transpose(), mu),
          algebra_.constraint(position(p)) / t;
      return residual;
    });
    const Vector q = position(last.head(N_));
    return {q, projected(q, last.head(N_))};
  }

  /// (10).
  State adjoint(double t, const State& x) const {
    const Matrix g = algebra_.constraint_jacobian(x.q);
    Matrix matrix = Matrix::Zero(N_ + D_, N_ + D_);
    matrix.topLeftCorner(N_, N_).setIdentity();
    matrix.topRightCorner(N_, D_) = -t * product(euler_.inverse_mass(x.q), g.transpose());
    matrix.bottomLeftCorner(D_, N_) = g / t;
    const auto momentum = [&](const Vector& mu) -> Vector { return x.p + product(g.transpose(), mu); };
    const Vector last = solved(matrix, x.q, [&](const Vector& q, const Vector& mu) {
      Vector residual(N_ + D_);
      residual << q - x.q - t * euler_.velocity(q, momentum(mu)), algebra_.constraint(q) / t;
      return residual;
    });
    const Vector q = last.head(N_), p = momentum(last.tail(D_));
    return {q, projected(q, p - t * euler_.position_gradient(q, p))};
  }

  /// Half a step of the first and then of the second.
  State composition(double t, const State& x) const { return adjoint(t / 2, first_order(t / 2, x)); }

 private:
  using Decomposition = Eigen::CompleteOrthogonalDecomposition<Matrix>;

  /// Zero of a residual, from (start, 0).
  template <class Residual>
  Vector solved(const Matrix& matrix, const Vector& start, const Residual& residual) const {
    const Decomposition decomposition = decomposed(matrix);
    Vector y = Vector::Zero(N_ + D_);
    y.head(N_) = start;
    double last = HUGE_VAL;
    for (int k = 0; k < most_iterations; ++k) {
      const Vector change = decomposition.solve(residual(y.head(N_), y.tail(D_)));
      y -= change;
      const double size = change.head(N_).norm();
      if (size >= last && size < 1e-13) return y;  // round-off
      last = size;
    }
    throw std::runtime_error("a step of the moments does not converge");
  }
  Vector projected(const Vector& q, const Vector& p) const {
    const Matrix g = algebra_.constraint_jacobian(q);
    const Matrix matrix = congruent(g.transpose(), euler_.inverse_mass(q));
    return p - product(g.transpose(), decomposed(matrix).solve(product(g, euler_.velocity(q, p))));
  }
  /// Decomposition whose solutions are of least norm. What is 0 comes out as some 1e-15 of the largest pivot.
  static Decomposition decomposed(const Matrix& a) {
    Decomposition decomposition;
    decomposition.setThreshold(1e-8);
    decomposition.compute(a);
    return decomposition;
  }

  static constexpr int most_iterations = 60;  // some gain half a digit only at t = 0.1
  const MomentEuler& euler_;
  const MomentAlgebra& algebra_;
  const int N_, D_;
};

}  // namespace polhode::test

// One trajectory of a system that is reduced by its cyclic coordinate (polhode/system/routh_reduced.hpp), by the
// equations of a reduced symplectic partitioned Runge-Kutta method in shape coordinates x and reduced momenta s
// (Jalnapurkar, Leok, Marsden & West 2006, sect. 3): with the magnetic form beta = mu dA,
//
//   X_i = x + h sum a_ij X'_j,   S_i = s + h sum a^_ij (S'_j + mu A'_j) - mu (A(X_i) - A(x))
//   S_j = M_hor X'_j,            S'_j = d/dx (1/2 X'.M_hor X' - V_mu) - i_X'_j beta
//   theta1 = theta + h sum b_j (mu/I - A.X'_j)
//
// and x1, s1 by the weights b in the same way, A'_j being the rate of change of A(X_j) along X'_j. From values of the
// metric alone; its derivatives are computed by the complex step, and the stages are solved for by Newton's method.
// (The fast step maps are in coordinates without a magnetic term.)
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <limits>
#include <utility>

#include "backend/reference/collocation_tables.hpp"
#include "backend/reference/cyclic_values.hpp"
#include "backend/reference/dense_newton.hpp"
#include "backend/reference/dense_solve.hpp"
#include "backend/reference/motion.hpp"
#include "backend/reference/reduced_rates.hpp"

namespace polhode {

class ReducedMotion final : public CloneableMotion<ReducedMotion> {
 public:
  ReducedMotion(CyclicValues values, double mu, const ReferenceMethod& method)
      : n_(values.n), rates_(std::move(values), mu), table_(collocation_table(method)) {}

  void set_state(const double* x) override { state_ = Eigen::Map<const Vector>(x, 2 * n_ + 1); }
  const double* state() const override { return state_.data(); }

  Status advance(double h, KickFractions) override {
    const int s = static_cast<int>(table_.b.size());
    const Vector start = state_.head(2 * n_), at_start = terms(start);
    const auto shift = at_start.segment(2 * n_, n_);
    Vector stages(2 * n_ * s);  // (X_i, S_i) in turn
    for (int i = 0; i < s; ++i) stages.segment(2 * n_ * i, 2 * n_) = start + h * table_.c[i] * at_start.head(2 * n_);
    if (!stages.allFinite()) return Status::not_finite;

    // One Jacobian, that of all stages at the start.
    const Matrix slope = difference_jacobian([this](const Vector& at) { return terms(at); }, start);
    Matrix jacobian = Matrix::Identity(stages.size(), stages.size());
    for (int i = 0; i < s; ++i) {
      const int row = 2 * n_ * i;
      for (int j = 0; j < s; ++j) {
        jacobian.block(row, 2 * n_ * j, n_, 2 * n_) -= h * table_.a(i, j) * slope.topRows(n_);
        jacobian.block(row + n_, 2 * n_ * j, n_, 2 * n_) -= h * table_.a_hat(i, j) * slope.middleRows(n_, n_);
      }
      jacobian.block(row + n_, row, n_, 2 * n_) += slope.middleRows(2 * n_, n_);
    }

    Matrix stage_terms(3 * n_ + 1, s);
    const auto equations = [&](const Vector& at) {
      for (int j = 0; j < s; ++j) stage_terms.col(j) = terms(at.segment(2 * n_ * j, 2 * n_));
      Matrix residual = at.reshaped(2 * n_, s) - start.replicate(1, s);
      residual.topRows(n_) -= h * stage_terms.topRows(n_) * table_.a.transpose();
      residual.bottomRows(n_) -= h * stage_terms.middleRows(n_, n_) * table_.a_hat.transpose();
      residual.bottomRows(n_) += stage_terms.middleRows(2 * n_, n_).colwise() - shift;
      // Momenta may be 0, as at rest, but what cancels in them is not: roundings of the positions are felt by the
      // forces and by mu A.
      const Matrix felt = (jacobian.cwiseAbs() * at.cwiseAbs()).reshaped(2 * n_, s);
      const double relative = std::max(
          quotient(size(residual.topRows(n_)), size(felt.topRows(n_))),
          quotient(size(residual.bottomRows(n_)), size(felt.bottomRows(n_)) + size(start.tail(n_)) + size(shift)));
      return Linearisation<double, Eigen::Dynamic>{residual.reshaped(), jacobian, relative};
    };
    if (!solve_dense_newton<double, Eigen::Dynamic>(equations, stages)) return Status::not_converged;
    equations(stages);

    const Vector sums = stage_terms * table_.b;
    Vector end = start + h * sums.head(2 * n_);
    end.tail(n_) -= terms(end).segment(2 * n_, n_) - shift;
    if (!end.allFinite()) return Status::not_finite;
    state_ << end, state_[2 * n_] + h * sums[3 * n_];
    return Status::ok;
  }

  using Rates = ReducedRates::Rates;
  Rates rates(const Eigen::VectorXd& x, const Eigen::VectorXd& s) const { return rates_(x, s); }

 private:
  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::MatrixXd;

  /// Terms at (x, s): x', s' + mu A', mu A, theta'.
  Vector terms(const Vector& at) const {
    const Rates here = rates(at.head(n_), at.tail(n_));
    Vector values(3 * n_ + 1);
    values << here.velocity, here.force + here.carried, here.shift, here.angle_rate;
    return values;
  }
  static double size(const Matrix& m) { return m.lpNorm<Eigen::Infinity>(); }
  static double quotient(double residual, double size) {
    return residual / (size + std::numeric_limits<double>::min());
  }

  int n_;
  ReducedRates rates_;
  CollocationTable table_;
  Vector state_;  ///< x, s, theta
};

}  // namespace polhode

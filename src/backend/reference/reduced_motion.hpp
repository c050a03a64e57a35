// One trajectory of a system that is reduced by its cyclic coordinate (polhode/system/routh_reduced.hpp), by the
// equations of a reduced symplectic partitioned Runge-Kutta method in shape coordinates x and reduced momenta s
// (Jalnapurkar, Leok, Marsden & West 2006, sect. 3): with the magnetic form beta = mu dA,
//
//   X_i = x + h sum a_ij X'_j,   S_i = s + h sum a^_ij (S'_j + mu DA(X_j)^T X'_j) - mu (A(X_i) - A(x))
//   S_j = M_hor X'_j,            S'_j = d/dx (1/2 X'.M_hor X' - V_mu) - i_X'_j beta
//   theta1 = theta + h sum b_j (mu/I - A.X'_j)
//
// and x1, s1 by the weights b in the same way. From values of the metric alone; its derivatives are computed by the
// complex step, and the stages by fixed-point iteration until it stagnates. (The fast step maps are in coordinates
// without a magnetic term.)
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <utility>

#include "backend/reference/collocation_tables.hpp"
#include "backend/reference/complex_step.hpp"
#include "backend/reference/cyclic_values.hpp"
#include "backend/reference/dense_solve.hpp"
#include "backend/reference/motion.hpp"

namespace polhode {

class ReducedMotion final : public CloneableMotion<ReducedMotion> {
 public:
  ReducedMotion(CyclicValues values, double mu, const Coefficients& method)
      : values_(std::move(values)), n_(values_.n), mu_(mu), table_(collocation_table(method)) {}

  void set_state(const double* x) override { state_ = Eigen::Map<const Vector>(x, 2 * n_ + 1); }
  const double* state() const override { return state_.data(); }

  Status advance(double h, KickFractions) override {
    const Vector x = state_.head(n_), s = state_.segment(n_, n_);
    const Rates start = rates(x, s);
    // Of the stages, in columns.
    Matrix X = x.replicate(1, stages()) + h * start.velocity * table_.c.transpose();
    Matrix S = s.replicate(1, stages()) + h * start.force * table_.c.transpose();
    if (!std::isfinite(X.squaredNorm() + S.squaredNorm())) return Status::not_finite;
    Matrix velocities(n_, stages()), forces(n_, stages()), shifts(n_, stages());
    Eigen::RowVectorXd turnings(stages());
    double last = std::numeric_limits<double>::infinity();
    for (int k = 0;; ++k) {
      for (int j = 0; j < stages(); ++j) {
        const Rates at = rates(X.col(j), S.col(j));
        velocities.col(j) = at.velocity;
        forces.col(j) = at.force + at.carried;
        shifts.col(j) = at.shift - start.shift;
        turnings[j] = at.turning;
      }
      const Matrix next_X = x.replicate(1, stages()) + h * velocities * table_.a.transpose();
      const Matrix next_S = s.replicate(1, stages()) + h * forces * table_.a_hat.transpose() - shifts;
      const double change = (next_X - X).norm() / next_X.norm() + (next_S - S).norm() / next_S.norm();
      if (change >= last && change < 1e-13) break;
      if (!std::isfinite(change) || k == most_sweeps) return Status::not_converged;
      X = next_X;
      S = next_S;
      last = change;
    }
    const Vector x1 = x + h * velocities * table_.b;
    const Vector s1 = s + h * forces * table_.b - (rates(x1, s).shift - start.shift);
    if (!x1.allFinite() || !s1.allFinite()) return Status::not_finite;
    state_ << x1, s1, state_[2 * n_] + h * turnings.dot(table_.b);
    return Status::ok;
  }

  /// What the equations of motion consist of.
  struct Rates {
    Eigen::VectorXd velocity, force;  ///< x', s'
    Eigen::VectorXd shift, carried;   ///< mu A, mu DA^T x'
    double turning;                   ///< theta'
  };
  Rates rates(const Eigen::VectorXd& x, const Eigen::VectorXd& s) const {
    const auto metric = [this](const Eigen::VectorXcd& z) {
      Eigen::VectorXcd values(values_.count());
      values_.metric(z.data(), values.data());
      return values;
    };
    const Eigen::VectorXcd values = metric(x.cast<Complex>());
    const Matrix slopes = complex_step_jacobian<Eigen::Dynamic>(metric, x);
    const int connection = n_ * n_, inertia = connection + n_, potential = inertia + 1;
    // Beyond the chart, roots are imaginary.
    const Vector at = values.imag().isZero(0)
                          ? Vector(values.real())
                          : Vector::Constant(values.size(), std::numeric_limits<double>::quiet_NaN());
    const Vector velocity = solve_dense<double>(Eigen::Map<const Matrix>(at.data(), n_, n_), s);
    const Matrix connection_slopes = slopes.middleRows(connection, n_);                 // [l, k]: of A_l by x_k
    const Matrix magnetic = mu_ * (connection_slopes.transpose() - connection_slopes);  // beta
    const double locked = mu_ / at[inertia];
    Vector force(n_);
    for (int k = 0; k < n_; ++k) {
      const Vector column = slopes.col(k).head(n_ * n_);
      force[k] = velocity.dot(Eigen::Map<const Matrix>(column.data(), n_, n_) * velocity) / 2 - slopes(potential, k) +
                 locked * locked * slopes(inertia, k) / 2;
    }
    const auto A = at.segment(connection, n_);
    return {velocity, force - magnetic.transpose() * velocity, mu_ * A, mu_ * (connection_slopes * velocity),
            locked - A.dot(velocity)};
  }

 private:
  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::MatrixXd;
  static constexpr int most_sweeps = 300;

  int stages() const { return static_cast<int>(table_.b.size()); }

  CyclicValues values_;
  int n_;
  double mu_;
  CollocationTable table_;
  Vector state_;  ///< x, s, theta
};

}  // namespace polhode

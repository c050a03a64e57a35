// The equations of motion of a system that is reduced by its cyclic coordinate, in shape coordinates x and reduced
// momenta s, with the magnetic form beta = mu dA (polhode/system/routh_reduced.hpp). From values of the metric alone,
// of which the derivatives are computed by the complex step.
#pragma once

#include <Eigen/Dense>
#include <limits>
#include <utility>

#include "backend/reference/complex_step.hpp"
#include "backend/reference/cyclic_values.hpp"
#include "backend/reference/dense_solve.hpp"

namespace polhode {

class ReducedRates {
  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::MatrixXd;

 public:
  ReducedRates(CyclicValues values, double mu) : values_(std::move(values)), n_(values_.n), mu_(mu) {}

  /// Terms of the equations of motion at a point (x, s).
  struct Rates {
    Eigen::VectorXd velocity, force;  ///< x', s'
    Eigen::VectorXd shift, carried;   ///< mu A, its rate of change along x'
    double angle_rate;                ///< theta'
  };
  Rates operator()(const Eigen::VectorXd& x, const Eigen::VectorXd& s) const {
    const auto metric = [this](const Eigen::VectorXcd& z) {
      Eigen::VectorXcd values(values_.count());
      values_.metric(z.data(), values.data());
      return values;
    };
    const Eigen::VectorXcd values = metric(x.cast<Complex>());
    const Matrix slopes = complex_step_jacobian<Eigen::Dynamic>(metric, x);
    const int connection = n_ * n_, inertia = connection + n_, potential = inertia + 1;
    // Outside the domain of the coordinates, roots are imaginary.
    const Vector at = values.imag().isZero(0)
                          ? Vector(values.real())
                          : Vector::Constant(values.size(), std::numeric_limits<double>::quiet_NaN());
    const Vector velocity = solve_dense<double>(Eigen::Map<const Matrix>(at.data(), n_, n_), s);
    const Matrix connection_slopes = slopes.middleRows(connection, n_);                 // [l, k]: of A_l by x_k
    const Matrix magnetic = mu_ * (connection_slopes.transpose() - connection_slopes);  // beta
    const double rate_at_rest = mu_ / at[inertia];
    Vector force(n_);
    for (int k = 0; k < n_; ++k) {
      const Vector column = slopes.col(k).head(n_ * n_);
      force[k] = velocity.dot(Eigen::Map<const Matrix>(column.data(), n_, n_) * velocity) / 2 - slopes(potential, k) +
                 rate_at_rest * rate_at_rest * slopes(inertia, k) / 2;
    }
    const auto A = at.segment(connection, n_);
    return {velocity, force - magnetic.transpose() * velocity, mu_ * A, mu_ * (connection_slopes * velocity),
            rate_at_rest - A.dot(velocity)};
  }

 private:
  CyclicValues values_;
  int n_;
  double mu_;
};

}  // namespace polhode

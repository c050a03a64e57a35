// A constrained mechanical system as a problem for constrained_step.hpp: of the system it takes the values of W p, V
// and g alone.
#pragma once

#include <Eigen/Dense>
#include <utility>

#include "backend/reference/system_values.hpp"

namespace polhode {

class MechanicalProblem {
 public:
  static constexpr int N = Eigen::Dynamic, D = Eigen::Dynamic;

  explicit MechanicalProblem(MechanicalValues values) : values_(std::move(values)) {}

  int positions() const { return values_.N; }

  Eigen::MatrixXd inverse_mass() const {
    Eigen::MatrixXd W(values_.N, values_.N);
    for (int j = 0; j < values_.N; ++j) {
      const Eigen::VectorXd e = Eigen::VectorXd::Unit(values_.N, j);
      values_.velocity(e.data(), W.col(j).data());
    }
    return W;
  }
  Complex potential(const Eigen::VectorXcd& q) const { return values_.potential(q.data()); }
  double potential(const Eigen::VectorXd& q) const { return potential(q.cast<Complex>().eval()).real(); }
  Eigen::VectorXcd constraints(const Eigen::VectorXcd& q) const {
    Eigen::VectorXcd g(values_.D);
    values_.constraints(q.data(), g.data());
    return g;
  }
  Eigen::VectorXd constraints(const Eigen::VectorXd& q) const { return constraints(q.cast<Complex>().eval()).real(); }

 private:
  MechanicalValues values_;
};

}  // namespace polhode

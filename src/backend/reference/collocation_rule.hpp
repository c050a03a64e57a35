// Collocation methods for x' = f(x), and the pair of Lobatto IIIA and IIIB for positions and momenta. The stages are
// solved for by Newton's method.
#pragma once

#include <Eigen/Dense>
#include <functional>

#include "backend/reference/collocation_tables.hpp"

namespace polhode {

class CollocationRule {
 public:
  using Vector = Eigen::VectorXd;
  using Rate = std::function<Vector(const Vector& x)>;

  /// Rule of a method; throws std::invalid_argument unless the method is one of collocation. CollocationTable::a
  /// applies to the first `positions` components of x, a_hat to the others.
  CollocationRule(const ReferenceMethod& method, Eigen::Index positions);

  /// Takes one step h from x to y; returns false if no solution is found, and y is then x, or not finite where the rate
  /// at x is not.
  bool step(const Rate& f, double h, const Vector& x, Vector& y) const;

 private:
  Eigen::Index positions_;
  CollocationTable table_;
};

}  // namespace polhode

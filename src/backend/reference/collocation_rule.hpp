// Collocation methods for x' = f(x), and the pair of Lobatto IIIA and IIIB for positions and momenta, with tables that
// are computed: nodes as the eigenvalues of Jacobi's matrix (Golub & Welsch 1969), coefficients as integrals of
// Lagrange's polynomials; those of IIIB make the pair symplectic. The stages are solved for by Newton's method.
#pragma once

#include <Eigen/Dense>
#include <functional>

#include "polhode/method/coefficients.hpp"

namespace polhode {

class CollocationRule {
 public:
  using Vector = Eigen::VectorXd;
  using Rate = std::function<Vector(const Vector& x)>;

  /// positions: the number of components that a applies to; a_hat applies to those that follow.
  CollocationRule(const Coefficients& method, Eigen::Index positions);

  /// One step h from x to y; false if it has no solution.
  bool step(const Rate& f, double h, const Vector& x, Vector& y) const;

 private:
  Eigen::Index positions_;
  Eigen::MatrixXd a_, a_hat_;
  Vector b_;
};

}  // namespace polhode

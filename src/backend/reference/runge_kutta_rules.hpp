// The rules of Runge-Kutta methods for y' = f(y), the implicit midpoint rule by fixed-point iteration until it
// stagnates; explicit ones, too, by any table.
#pragma once

#include <Eigen/Dense>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <vector>

#include "backend/reference/reference_method.hpp"

namespace polhode {

/// Solves y = x + h f((x + y) / 2) for y; returns false if the iteration finds no solution.
template <class Rate>
bool midpoint_step(const Rate& f, double h, const Eigen::VectorXd& x, Eigen::VectorXd& y) {
  double last = std::numeric_limits<double>::infinity();
  y = x + h * f(x);
  for (int k = 0; k < 200; ++k) {
    const Eigen::VectorXd next = x + h * f((x + y) / 2);
    const double change = (next - y).norm();
    y = next;
    if (change >= last && change < 1e-13 * y.norm()) return true;
    if (!(change <= 2 * last)) return false;  // less may be a first sweep that is not yet near
    last = change;
  }
  return false;
}

enum class RungeKuttaRule { heun, explicit_midpoint, implicit_midpoint, rk4 };

/// Rule of a method, by its name; throws std::invalid_argument where the name is none of the four.
inline RungeKuttaRule runge_kutta_rule(const ReferenceMethod& method) {
  if (method.name == "heun") return RungeKuttaRule::heun;
  if (method.name == "explicit-midpoint") return RungeKuttaRule::explicit_midpoint;
  if (method.name == "implicit-midpoint") return RungeKuttaRule::implicit_midpoint;
  if (method.name == "rk4") return RungeKuttaRule::rk4;
  refuse_method();
}

/// Takes one step h from x to y; returns false if no solution is found, as only the implicit rule may.
template <class Rate>
bool runge_kutta_step(RungeKuttaRule rule, const Rate& f, double h, const Eigen::VectorXd& x, Eigen::VectorXd& y) {
  using Vector = Eigen::VectorXd;
  switch (rule) {
    case RungeKuttaRule::heun: {
      const Vector a = f(x);
      y = x + h / 2 * (a + f(x + h * a));
      return true;
    }
    case RungeKuttaRule::explicit_midpoint: y = x + h * f(x + h / 2 * f(x)); return true;
    case RungeKuttaRule::implicit_midpoint: return midpoint_step(f, h, x, y);
    case RungeKuttaRule::rk4: {
      const Vector a = f(x), b = f(x + h / 2 * a), c = f(x + h / 2 * b), d = f(x + h * c);
      y = x + h / 6 * (a + 2 * b + 2 * c + d);
      return true;
    }
  }
  return false;
}

/// Table of an explicit Runge-Kutta method, its zeros included.
struct DenseTable {
  Eigen::MatrixXd a;  ///< [stages][stages], coefficients a_ij
  Eigen::VectorXd b;  ///< [stages], weights

  DenseTable() = default;
  /// Table from rows of a_ij, and a last row with the weights.
  explicit DenseTable(const std::vector<std::vector<double>>& rows) {
    const auto stages = static_cast<Eigen::Index>(rows.size()) - 1;
    a.resize(stages, stages);
    for (Eigen::Index i = 0; i < stages; ++i)
      a.row(i) = Eigen::Map<const Eigen::RowVectorXd>(rows[static_cast<std::size_t>(i)].data(), stages);
    b = Eigen::Map<const Eigen::VectorXd>(rows.back().data(), stages);
  }
};

/// End of an explicit step h from x. All stages are computed; a stage that is not finite spoils the end only if
/// coefficients other than 0 lead from it to the end.
template <class Number = double, class Rate>
Eigen::VectorX<Number> explicit_step(const DenseTable& table, const Rate& f, double h,
                                     const std::type_identity_t<Eigen::VectorX<Number>>& x) {
  using Vector = Eigen::VectorX<Number>;
  std::vector<Vector> k;
  const auto moved = [&](const Eigen::VectorXd& coefficients) -> Vector {
    Vector sum = Vector::Zero(x.size());
    for (std::size_t j = 0; j < k.size(); ++j) {
      const double coefficient = coefficients[static_cast<Eigen::Index>(j)];
      if (coefficient != 0) sum += coefficient * k[j];
    }
    return x + h * sum;
  };
  for (Eigen::Index i = 0; i < table.b.size(); ++i) k.push_back(f(moved(table.a.row(i))));
  return moved(table.b);
}

}  // namespace polhode

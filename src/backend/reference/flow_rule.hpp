// Rule of a method for x' = f(x): that of a Runge-Kutta method (runge_kutta_rules.hpp), by name or by its table, or one
// of collocation.
#pragma once

#include <optional>

#include "backend/reference/collocation_rule.hpp"
#include "backend/reference/runge_kutta_rules.hpp"

namespace polhode {

class FlowRule {
  using Vector = Eigen::VectorXd;

 public:
  /// Rule of a method; throws std::invalid_argument where the method has none. positions: the number of components of x
  /// before the momenta; some collocation methods treat momenta differently.
  FlowRule(const ReferenceMethod& method, Eigen::Index positions) {
    if (is_collocation(method))
      collocation_.emplace(method, positions);
    else if (!method.table.empty())
      table_.emplace(method.table);
    else
      rule_ = runge_kutta_rule(method);
  }

  /// Takes one step h from x to y; returns false if no solution is found, and y is then meaningless.
  template <class Rate>
  bool step(const Rate& f, double h, const Vector& x, Vector& y) const {
    if (table_) {
      y = explicit_step(*table_, f, h, x);
      return true;
    }
    return collocation_ ? collocation_->step(f, h, x, y) : runge_kutta_step(rule_, f, h, x, y);
  }

 private:
  RungeKuttaRule rule_{};  ///< used where the other two are empty
  std::optional<DenseTable> table_;
  std::optional<CollocationRule> collocation_;
};

}  // namespace polhode

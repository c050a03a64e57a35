// A Subject with constraints: states (q, p) on CM, or TN, in the canonical structure.
#pragma once

#include "numerics/hamiltonian.hpp"
#include "numerics/structures.hpp"
#include "numerics/subject_of.hpp"
#include "system/initial_point.hpp"

namespace polhode::test {

template <class Model, class Vector>
auto schur(const Model& model, const Vector& q, const Vector& p) {
  if constexpr (requires { model.schur(q, q, q, p); })
    return model.schur(q, q, q, p);
  else
    return model.schur(q, q);
}

template <class System>
class ConstrainedSubject final : public SubjectOf<System> {
  using Base = SubjectOf<System>;
  using Base::from, Base::to, Base::take, Base::model_, Base::along_;
  template <class T>
  using Point = typename Base::template Point<T>;
  static constexpr int n = System::N, d = System::D;
  static constexpr bool is_mechanical =
      requires(const typename System::template Model<double>& model, Vec<double, n> q) {
    model.to_tangent(q, q);
  };

 public:
  explicit ConstrainedSubject(const std::vector<double>& parameters) : Base(parameters) {
    this->parts = {n, n};
    this->has_constraints = true;
    this->has_tangent_space = is_mechanical;
    this->invariants.pop_back();  // the last is the constraints themselves
    this->is_casimir.pop_back();
    Point<double> x;
    System::example_state(parameters.data(), x.v);
    const Vec<double, n> gradient = position_gradient(model_, System::position(x), System::momentum(x));
    this->is_free = dot(gradient, gradient) == 0;
  }

  /// G H_p = 0 differentiated along q' = H_p, p' = -H_q - G^T s: G H_pp G^T s is its rate along (H_p, -H_q).
  State flow(const State& x) const override {
    const Point<double> point = from(x);
    const Vec<double, n> q = System::position(point), p = System::momentum(point), v = velocity(model_, q, p);
    const Vec<double, n> force = -1.0 * position_gradient(model_, q, p);
    const Point<Along> along = from(x, to(System::state(v, force)));
    const Vec<Along, n> position = System::position(along);
    const Vec<Along, d> moving = along_.push(position, velocity(along_, position, System::momentum(along)));
    Vec<double, d> rate;
    for (int i = 0; i < d; ++i) rate[i] = moving[i].tangent[0];
    const Vec<double, d> s = LU<double, d>(schur(model_, q, p)).solve(rate);
    return to(System::state(v, force - model_.pull(q, s)));
  }

  double structure_defect(Momentum momentum, const State& x, const TangentMap& map) const override {
    return form_defect(conditions_jacobian(x, momentum), x, map);
  }

  Distances distances(const State& x, Momentum momentum) const override {
    const Point<double> point = from(x);
    const Vec<double, n> q = System::position(point), p = System::momentum(point);
    const Vec<double, n> lift = model_.to_hidden_constraint(q, p);
    const auto over = [](const auto& difference, const auto& size) {
      return std::sqrt(dot(difference, difference) / dot(size, size));
    };
    Distances d;
    d.position = over(model_.displacement(q, q), q);
    d.hidden_constraint = over(p - lift, p);
    d.hidden_at_lift = over(lift - model_.to_hidden_constraint(q, lift), p);
    if (momentum == Momentum::hidden_constraint) d.momentum = d.hidden_constraint;
    if constexpr (is_mechanical)
      if (momentum == Momentum::tangent) d.momentum = over(p - model_.to_tangent(q, p), p);
    return d;
  }

  State lifted(const State& x) const override {
    const Point<double> point = from(x);
    const Vec<double, n> q = System::position(point);
    return to(System::state(q, model_.to_hidden_constraint(q, System::momentum(point))));
  }
  State projected(const State& x) const override {
    State y = x;
    InitialPoint<System> point(this->parameters.data());
    EXPECT_EQ(point.prepare(Momentum::hidden_constraint, y.data()).problem, nullptr);
    return y;
  }
  TangentMap tangent_psi() const override {
    if constexpr (is_mechanical) {
      return [this](State& x, State& tangent) {
        const Point<Along> point = from(x, tangent);
        const Vec<Along, n> q = System::position(point);
        take(System::state(q, along_.to_tangent(q, System::momentum(point))), x, tangent);
        return true;
      };
    } else {
      return {};
    }
  }

 protected:
  /// Positions by less than may be put right.
  std::vector<double> spread() const override { return {1e-3, 0.2}; }

 private:
  /// Of what vanishes on the space of such momenta: g, and G H_p (CM) or G p (TN) or nothing.
  Eigen::MatrixXd conditions_jacobian(const State& x, Momentum momentum) const {
    Eigen::MatrixXd jacobian(momentum == Momentum::unprojected ? d : 2 * d, 2 * n);
    for (int k = 0; k < 2 * n; ++k) {
      const Point<Along> point = from(x, State::Unit(2 * n, k));
      const Vec<Along, n> q = System::position(point), p = System::momentum(point);
      const Vec<Along, d> g = along_.constraints(q);
      const Vec<Along, d> rate = along_.push(q, momentum == Momentum::tangent ? p : velocity(along_, q, p));
      for (int i = 0; i < d; ++i) jacobian(i, k) = g[i].tangent[0];
      for (int i = d; i < jacobian.rows(); ++i) jacobian(i, k) = rate[i - d].tangent[0];
    }
    return jacobian;
  }
};

}  // namespace polhode::test

// One trajectory of x' = f(x) by a Runge-Kutta method; for a canonical system, f comes from values of its functions
// alone.
#pragma once

#include <Eigen/Dense>
#include <functional>
#include <utility>

#include "backend/reference/complex_step.hpp"
#include "backend/reference/flow_rule.hpp"
#include "backend/reference/motion.hpp"
#include "backend/reference/system_values.hpp"

namespace polhode {

class FlowMotion final : public CloneableMotion<FlowMotion> {
  using Vector = Eigen::VectorXd;

 public:
  using Rate = std::function<Vector(const Vector& x)>;

  FlowMotion(int size, Rate rate, const ReferenceMethod& method)
      : size_(size), rule_(method, size), rate_(std::move(rate)) {}
  FlowMotion(MechanicalValues values, const ReferenceMethod& method)
      : size_(2 * values.N), rule_(method, values.N), rate_([values = std::move(values)](const Vector& x) {
          const int n = values.N;
          const Vector p = x.tail(n);
          Vector y(2 * n);
          values.velocity(p.data(), y.data());
          y.tail(n) = -slope([&](const auto& z) { return values.potential(z.data()); }, x.head(n));
          return y;
        }) {}
  FlowMotion(HamiltonianValues values, const ReferenceMethod& method)
      : size_(2 * values.N), rule_(method, values.N), rate_([values = std::move(values)](const Vector& x) {
          const int n = values.N;
          const Vector all = slope([&](const auto& z) { return values.hamiltonian(z.data(), z.data() + n); }, x);
          Vector y(2 * n);
          y << all.tail(n), -all.head(n);
          return y;
        }) {}

  void set_state(const double* x) override { state_ = Eigen::Map<const Vector>(x, size_); }
  const double* state() const override { return state_.data(); }

  Status advance(double h, KickFractions) override {
    Vector y;
    const bool solved = rule_.step(rate_, h, state_, y);
    if (!y.allFinite()) return Status::not_finite;
    if (!solved) return Status::not_converged;
    state_ = y;
    return Status::ok;
  }

 private:
  template <class Function>
  static Vector slope(const Function& f, const Vector& x) {
    return complex_step_jacobian<1>([&](const auto& z) { return Eigen::Vector<Complex, 1>(f(z)); }, x).transpose();
  }

  int size_;
  FlowRule rule_;
  Rate rate_;
  Vector state_;  ///< x; for a canonical system q, p
};

}  // namespace polhode

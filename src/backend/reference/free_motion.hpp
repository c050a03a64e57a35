// One trajectory of a canonical mechanical system: kicks by the potential around the free motion,
//
//   p' = p - a h V_q(q),   q1 = q + h W p',   p1 = p' - b h V_q(q1)
//
// (Pierce 1994, eq. (10) for a = 1, b = 0). Uses only values of W p and V of the system; the gradient is computed by
// the complex step.
#pragma once

#include <Eigen/Dense>

#include "backend/reference/complex_step.hpp"
#include "backend/reference/motion.hpp"
#include "backend/reference/system_values.hpp"

namespace polhode {

class FreeMotion final : public CloneableMotion<FreeMotion> {
 public:
  explicit FreeMotion(MechanicalValues values) : values_(std::move(values)) {}

  void set_state(const double* x) override { state_ = Eigen::Map<const Vector>(x, 2 * values_.N); }
  const double* state() const override { return state_.data(); }

  Status advance(double h, KickFractions kicks) override {
    Vector q = state_.head(values_.N), p = state_.tail(values_.N), v(values_.N);
    if (kicks.before != 0) p -= kicks.before * h * gradient(q);
    values_.velocity(p.data(), v.data());
    q += h * v;
    if (kicks.after != 0) p -= kicks.after * h * gradient(q);
    if (!q.allFinite() || !p.allFinite()) return Status::not_finite;
    state_ << q, p;
    return Status::ok;
  }

 private:
  using Vector = Eigen::VectorXd;

  Vector gradient(const Vector& q) const {
    const auto potential = [&](const auto& z) { return Eigen::Vector<Complex, 1>(values_.potential(z.data())); };
    return complex_step_jacobian<1>(potential, q).transpose();
  }

  MechanicalValues values_;
  Vector state_;  ///< q, p
};

}  // namespace polhode

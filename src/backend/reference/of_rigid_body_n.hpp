#pragma once

#include "backend/reference/kick_fractions.hpp"
#include "backend/reference/moser_veselov_n.hpp"
#include "backend/reference/unit.hpp"

namespace polhode {

template <int n>
struct ReferenceOf<RigidBodyN<n>> {
  /// Without kicks all methods are the same.
  static std::unique_ptr<Motion> motion(const Plan& plan) {
    require_kicks_only(plan.method.method());
    using Body = MoserVeselovN<double, n>;
    return std::make_unique<MotionOf<Body>>(Body(plan.parameters, plan.step));
  }
};

}  // namespace polhode

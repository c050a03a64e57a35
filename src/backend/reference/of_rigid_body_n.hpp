#pragma once

#include "backend/reference/generated_body.hpp"
#include "backend/reference/kick_fractions.hpp"
#include "backend/reference/moser_veselov_n.hpp"
#include "backend/reference/unit.hpp"

namespace polhode {

template <int n>
struct ReferenceOf<RigidBodyN<n>> {
  /// Motion of the body. Without a potential all methods made of kicks and rotations are the same.
  static std::unique_ptr<Motion> motion(const Plan& plan) {
    const Coefficients& method = plan.method.method();
    if constexpr (n == 3)
      if (method.rule == Rule::lie_poisson)
        return std::make_unique<MotionOf<GeneratedBody>>(
            GeneratedBody(plan.parameters, plan.step, method.order, method.scale));
    require_kicks_only(method);
    using Body = MoserVeselovN<double, n>;
    return std::make_unique<MotionOf<Body>>(Body(plan.parameters, plan.step));
  }
};

}  // namespace polhode

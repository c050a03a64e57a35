#pragma once

#include "backend/reference/generated_body.hpp"
#include "backend/reference/moser_veselov_n.hpp"
#include "backend/reference/unit.hpp"

namespace polhode {

template <int n>
struct ReferenceOf<RigidBodyN<n>> {
  /// Motion of the body by a method. Without a potential there is nothing to kick, so that rattle and moser-veselov are
  /// one motion; n = 3 has generating functions besides. Throws std::invalid_argument for every other method.
  static std::unique_ptr<Motion> motion(const Plan& plan, const ReferenceMethod& method) {
    if constexpr (n == 3)
      if (method.is_one_of({"ge-marsden", "channell-scovel"}))
        return std::make_unique<MotionOf<GeneratedBody>>(
            GeneratedBody(plan.parameters, plan.step, method.name == "ge-marsden" ? 1 : method.integer("order"),
                          method.real("kappa")));
    require_one_of(method, {"rattle", "moser-veselov"});
    using Body = MoserVeselovN<double, n>;
    return std::make_unique<MotionOf<Body>>(Body(plan.parameters, plan.step));
  }
};

}  // namespace polhode

// Reference of a body with a fixed point, through an Embedding of its system's state; by Gauss collocation in that
// state.
#pragma once

#include "backend/reference/body_matrices.hpp"
#include "backend/reference/body_rates.hpp"
#include "backend/reference/flow_motion.hpp"
#include "backend/reference/moser_veselov_body.hpp"
#include "backend/reference/reference_body.hpp"
#include "backend/reference/split_body.hpp"
#include "backend/reference/unit.hpp"

namespace polhode {

template <template <class> class Embedding>
struct ReferenceOfBody {
  static std::unique_ptr<Motion> motion(const Plan& plan) {
    using System = typename Embedding<double>::System;
    const Coefficients& method = plan.method.method();
    if (method.rule == Rule::gauss)
      return std::make_unique<FlowMotion>(System::dim, body_rate<System>(plan.parameters), method);
    require_kicks_only(method);
    const KickFractions kicks = kicks_of(method);
    if (method.rule == Rule::splitting)
      return of(ReferenceBody<double, Embedding, SplitMoserVeselov>(plan.parameters, plan.step, method.order));
    if (method.rule != Rule::kicks)
      return of(ReferenceBody<double, Embedding, SplitTurned>(plan.parameters, plan.step, method.rule));
    if (kicks.before + kicks.after == 0)
      return of(ReferenceBody<double, Embedding, MoserVeselovBody>(plan.parameters, plan.step, method.order));
    return of(ReferenceBody<double, Embedding, ConstrainedBody>(plan.parameters, plan.step, kicks));
  }

 private:
  template <class Body>
  static std::unique_ptr<Motion> of(const Body& body) {
    return std::make_unique<MotionOf<Body>>(body);
  }
};

}  // namespace polhode

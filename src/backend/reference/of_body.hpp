// Reference of a body with a fixed point: unreduced, through an Embedding of the states of its system, or by a
// Runge-Kutta method in these states, of Gauss or explicit.
#pragma once

#include "backend/reference/body_matrices.hpp"
#include "backend/reference/body_rates.hpp"
#include "backend/reference/flow_motion.hpp"
#include "backend/reference/moser_veselov_body.hpp"
#include "backend/reference/reference_body.hpp"
#include "backend/reference/split_body.hpp"
#include "backend/reference/unit.hpp"

namespace polhode {

/// Motions of a body in uniform gravity, each a Motion of ReferenceBody (reference_body.hpp).
struct TopMotions {
  template <class Real>
  using Constrained = ConstrainedBody<Real>;
  template <class Real>
  using Free = MoserVeselovBody<Real>;
  template <class Real>
  using Split = SplitMoserVeselov<Real>;
  template <class Real>
  using Turned = SplitTurned<Real>;
};

template <template <class> class Embedding, class Motions = TopMotions>
struct ReferenceOfBody {
  static std::unique_ptr<Motion> motion(const Plan& plan, const ReferenceMethod& method) {
    using System = typename Embedding<double>::System;
    if (method.is_one_of({"gauss", "runge-kutta"}))
      return std::make_unique<FlowMotion>(System::dim, body_rate<System>(plan.parameters), method);
    if (method.name == "splitting")
      return motion_of(ReferenceBody<double, Embedding, Motions::template Split>(plan.parameters, plan.step,
                                                                                 method.integer("drift_order")));
    if (method.is_one_of({"mclachlan-reich", "touma-wisdom"}))
      return motion_of(ReferenceBody<double, Embedding, Motions::template Turned>(plan.parameters, plan.step,
                                                                                  method.name == "touma-wisdom"));
    if (method.name == "moser-veselov")
      return motion_of(ReferenceBody<double, Embedding, Motions::template Free>(plan.parameters, plan.step,
                                                                                method.integer("order")));
    require_one_of(method, {"rattle", "constraint-euler", "constraint-euler-adjoint"});
    const auto [before, after] = plan.step_plan.kicks[plan.step_plan.stages[0].kicks];
    return motion_of(ReferenceBody<double, Embedding, Motions::template Constrained>(plan.parameters, plan.step,
                                                                                     KickFractions{before, after}));
  }

 private:
  template <class Body>
  static std::unique_ptr<Motion> motion_of(const Body& body) {
    return std::make_unique<MotionOf<Body>>(body);
  }
};

}  // namespace polhode

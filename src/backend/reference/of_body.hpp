// Reference of a body with a fixed point, through an Embedding of its system's state.
#pragma once

#include "backend/reference/body_matrices.hpp"
#include "backend/reference/moser_veselov_body.hpp"
#include "backend/reference/reference_body.hpp"
#include "backend/reference/unit.hpp"

namespace polhode {

template <template <class> class Embedding>
struct ReferenceOfBody {
  static std::unique_ptr<Motion> motion(const Plan& plan) {
    const KickFractions kicks = only_kicks_of(plan.method.base);
    if (kicks.before + kicks.after == 0)
      return of(ReferenceBody<double, Embedding, MoserVeselovBody>(plan.parameters, plan.step, plan.method.base.order));
    return of(ReferenceBody<double, Embedding, ConstrainedBody>(plan.parameters, plan.step, kicks));
  }

 private:
  template <class Body>
  static std::unique_ptr<Motion> of(const Body& body) {
    return std::make_unique<MotionOf<Body>>(body);
  }
};

}  // namespace polhode

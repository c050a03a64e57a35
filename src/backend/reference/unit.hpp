// Body of a generated reference unit: the methods of one system.
//
// Bodies with a fixed point are advanced unreduced and seen through an embedding; constrained systems as they are.
#pragma once

#include "backend/reference/constrained_motions.hpp"
#include "backend/reference/reference_backend.hpp"
#include "backend/reference/reference_run.hpp"
#include "polhode/system/constrained_system.hpp"
#include "polhode/system/hamiltonian_system.hpp"

namespace polhode {

inline constexpr KickFractions kick_halves{0.5, 0.5}, kick_before{1, 0}, kick_after{0, 1};

/// The methods of a system; specialised for those that are not constrained mechanical systems.
template <class System>
struct ReferenceOf {
  template <KickFractions kicks, MomentumAt momentum>
  static std::unique_ptr<Backend> make(const Plan& plan) {
    return make_reference_run(plan, observables_of<System>(plan.parameters),
                              make_kicked_motion(mechanical_values<System>(plan.parameters), kicks, momentum));
  }
  template <FlowRule rule>
  static std::unique_ptr<Backend> make_flow(const Plan& plan) {
    return make_reference_run(plan, observables_of<System>(plan.parameters),
                              make_substituted_flow(mechanical_values<System>(plan.parameters), rule));
  }

  static MakeReference find(std::string_view method) {
    if (method == "rattle") return make<kick_halves, MomentumAt::hidden_constraint>;
    if (method == "rattle-tn") return make<kick_halves, MomentumAt::tangent>;
    if (method == "shake") return make<kick_halves, MomentumAt::unprojected>;
    if (method == "constraint-euler") return make<kick_before, MomentumAt::hidden_constraint>;
    if (method == "constraint-euler-adjoint") return make<kick_after, MomentumAt::hidden_constraint>;
    if (method == "implicit-midpoint") return make_flow<FlowRule::implicit_midpoint>;
    if (method == "rk4") return make_flow<FlowRule::rk4>;
    if (method == "rk4-projected") return make_flow<FlowRule::rk4_projected>;
    return nullptr;
  }
};

template <class Physics>
struct ReferenceOf<HamiltonianSystem<Physics>> {
  using System = HamiltonianSystem<Physics>;

  template <KickFractions kicks>
  static std::unique_ptr<Backend> make(const Plan& plan) {
    return make_reference_run(plan, observables_of<System>(plan.parameters),
                              make_hamiltonian_motion(hamiltonian_values<System>(plan.parameters), kicks));
  }

  static MakeReference find(std::string_view method) {
    if (method == "rattle") return make<kick_halves>;
    if (method == "constraint-euler") return make<kick_before>;
    if (method == "constraint-euler-adjoint") return make<kick_after>;
    return nullptr;
  }
};

/// Body<double>: a ReferenceBody or the like, made of parameters.
template <class Body>
std::unique_ptr<Backend> make_body_run(const Plan& plan) {
  return make_reference_run(plan, observables_of<typename Body::System>(plan.parameters),
                            std::make_unique<MotionOf<Body>>(Body(plan.parameters, plan.step)));
}

template <class System>
MakeReference find_reference(std::string_view method) {
  return ReferenceOf<System>::find(method);
}

}  // namespace polhode

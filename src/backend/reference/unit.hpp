// Body of a generated reference unit: the methods of one system.
//
// Bodies with a fixed point are advanced unreduced and seen through an embedding; constrained systems as they are.
#pragma once

#include "backend/reference/body_matrices.hpp"
#include "backend/reference/heavy_top_embedding.hpp"
#include "backend/reference/moser_veselov_body.hpp"
#include "backend/reference/moser_veselov_n.hpp"
#include "backend/reference/reference_backend.hpp"
#include "backend/reference/reference_body.hpp"
#include "backend/reference/reference_motion.hpp"
#include "backend/reference/reference_run.hpp"
#include "backend/reference/rigid_body_embedding.hpp"
#include "backend/reference/substituted_flow.hpp"

namespace polhode {

template <class Body>
std::unique_ptr<Backend> make_reference_run(const Plan& plan) {
  return std::make_unique<ReferenceRun<Body>>(plan);
}

/// The methods of a system; specialised for those that are not constrained systems.
template <class System>
struct ReferenceOf {
  template <KickFractions kicks, MomentumAt momentum>
  static constexpr MakeReference make = make_reference_run<ReferenceMotion<double, System, kicks, momentum>>;

  template <FlowRule rule>
  static constexpr MakeReference make_flow = make_reference_run<ReferenceFlow<double, System, rule>>;

  static MakeReference find(std::string_view method) {
    constexpr KickFractions halves{0.5, 0.5}, before{1, 0}, after{0, 1};
    if (method == "rattle") return make<halves, MomentumAt::hidden_constraint>;
    if (method == "rattle-tn") return make<halves, MomentumAt::tangent>;
    if (method == "shake") return make<halves, MomentumAt::unprojected>;
    if (method == "constraint-euler") return make<before, MomentumAt::hidden_constraint>;
    if (method == "constraint-euler-adjoint") return make<after, MomentumAt::hidden_constraint>;
    if (method == "implicit-midpoint") return make_flow<FlowRule::implicit_midpoint>;
    if (method == "rk4") return make_flow<FlowRule::rk4>;
    if (method == "rk4-projected") return make_flow<FlowRule::rk4_projected>;
    return nullptr;
  }
};

template <template <class> class Embedding>
struct ReferenceOfBody {
  template <template <class> class Motion>
  static constexpr MakeReference make = make_reference_run<ReferenceBody<double, Embedding, Motion>>;

  static MakeReference find(std::string_view method) {
    if (method == "rattle") return make<RattleBody>;
    if (method == "constraint-euler") return make<ConstraintEulerBody>;
    if (method == "constraint-euler-adjoint") return make<ConstraintEulerAdjointBody>;
    if (method == "moser-veselov") return make<MoserVeselovBody>;
    return nullptr;
  }
};
template <>
struct ReferenceOf<HeavyTop> : ReferenceOfBody<HeavyTopEmbedding> {};
template <>
struct ReferenceOf<RigidBody> : ReferenceOfBody<RigidBodyEmbedding> {};

template <int n>
struct ReferenceOf<RigidBodyN<n>> {
  static MakeReference find(std::string_view method) {
    return method == "rattle" || method == "moser-veselov" ? make_reference_run<MoserVeselovN<double, n>> : nullptr;
  }
};

template <class System>
MakeReference find_reference(std::string_view method) {
  return ReferenceOf<System>::find(method);
}

}  // namespace polhode

// The reference of a body with a fixed point, through an Embedding of its system's state.
#pragma once

#include "backend/reference/body_matrices.hpp"
#include "backend/reference/moser_veselov_body.hpp"
#include "backend/reference/reference_body.hpp"
#include "backend/reference/unit.hpp"

namespace polhode {

template <template <class> class Embedding>
struct ReferenceOfBody {
  template <template <class> class Motion>
  static constexpr MakeReference make = make_body_run<ReferenceBody<double, Embedding, Motion>>;

  static MakeReference find(std::string_view method) {
    if (method == "rattle") return make<RattleBody>;
    if (method == "constraint-euler") return make<ConstraintEulerBody>;
    if (method == "constraint-euler-adjoint") return make<ConstraintEulerAdjointBody>;
    if (method == "moser-veselov") return make<MoserVeselovBody>;
    return nullptr;
  }
};

}  // namespace polhode

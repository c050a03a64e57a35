#pragma once

#include "backend/reference/moser_veselov_n.hpp"
#include "backend/reference/unit.hpp"

namespace polhode {

template <int n>
struct ReferenceOf<RigidBodyN<n>> {
  static MakeReference find(std::string_view method) {
    return method == "rattle" || method == "moser-veselov" ? make_body_run<MoserVeselovN<double, n>> : nullptr;
  }
};

}  // namespace polhode

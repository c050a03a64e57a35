// The discrete Moser-Veselov map of the free rigid body (McLachlan & Scovel 1995, sect. 6.1): the discrete free body
// alone. Order 2, symmetric, symplectic; keeps the energy, |Pi|^2 and the spatial momentum to round-off.
#pragma once

#include "polhode/method/kicked_rotation.hpp"

namespace polhode::inline POLHODE_ISA {

template <class System, class Solver>
struct MoserVeselov : KickedRotation<System, Solver, Kicks::none> {
  static constexpr Properties properties{
      .order = 2, .symmetric = true, .poisson = true, .casimirs = true, .energy = true};
};

struct MoserVeselovFamily {
  static constexpr const char* name = "moser-veselov";
  static constexpr const char* meaning =
      "discrete Moser-Veselov, the free body only, order 2, symplectic (MS sect. 6.1)";
  template <class System>
  using VariantsOn = Variants<MoserVeselov<System, CayleySolver>, MoserVeselov<System, HadamardSolver>>;

  /// p[7] as Top::parameters.
  static const char* problem_with_parameters(const double* p) {
    return Top::is_free(p) ? nullptr : "it is for the free body: c must be 0";
  }
};

}  // namespace polhode::inline POLHODE_ISA

// The discrete Moser-Veselov map of the free rigid body (McLachlan & Scovel 1995, sect. 6.1): the discrete free body
// alone. Order 2, symmetric, symplectic; keeps the energy, |Pi|^2 and the spatial momentum to round-off.
#pragma once

#include "polhode/method/coefficients.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/system/top.hpp"

namespace polhode::inline POLHODE_ISA {

struct MoserVeselovFamily {
  static constexpr const char* name = "moser-veselov";
  static constexpr const char* meaning =
      "discrete Moser-Veselov, the free body only, order 2, symplectic (MS sect. 6.1)";
  static constexpr Coefficients coefficients{};
  static constexpr Properties properties{
      .order = 2, .symmetric = true, .poisson = true, .casimirs = true, .energy = true};

  /// p[7] as Top::parameters.
  static const char* problem_with_parameters(const double* p) {
    return Top::is_free(p) ? nullptr : "it is for the free body: c must be 0";
  }
};

}  // namespace polhode::inline POLHODE_ISA

// Why steps are not valid, lane by lane; where it is neither of these, the implicit equation did not converge.
#pragma once

#include "polhode/method/status.hpp"
#include "polhode/scalar/scalar.hpp"

namespace polhode::inline POLHODE_ISA {

template <class T>
struct Failures {
  Mask<T> not_finite = Mask<T>(false), singular = Mask<T>(false);

  POLHODE_HD Status status(int lane) const {
    if (mask_bits(not_finite) >> lane & 1u) return Status::not_finite;
    return mask_bits(singular) >> lane & 1u ? Status::singular : Status::not_converged;
  }
};

}  // namespace polhode::inline POLHODE_ISA

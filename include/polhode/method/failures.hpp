// Causes of invalid steps, lane by lane; without any, the implicit equation did not converge.
#pragma once

#include "polhode/method/status.hpp"
#include "polhode/scalar/scalar.hpp"

namespace polhode::inline POLHODE_ISA {

template <class T>
struct Failures {
  Mask<T> not_finite = Mask<T>(false), singular = Mask<T>(false), left_domain = Mask<T>(false),
          no_moments = Mask<T>(false), no_generating_function = Mask<T>(false);

  POLHODE_HD Status status(int lane) const {
    const auto holds = [&](const Mask<T>& mask) POLHODE_LAMBDA { return (mask_bits(mask) >> lane & 1u) != 0; };
    if (holds(left_domain)) return Status::left_domain;
    if (holds(not_finite)) return Status::not_finite;
    if (holds(singular)) return Status::singular;
    if (holds(no_moments)) return Status::no_moments;
    return holds(no_generating_function) ? Status::no_generating_function : Status::not_converged;
  }
  /// Adds the causes of other lanes.
  POLHODE_HD void add(const Failures& others, const Mask<T>& lanes) {
    not_finite = not_finite | (others.not_finite & lanes);
    singular = singular | (others.singular & lanes);
    left_domain = left_domain | (others.left_domain & lanes);
    no_moments = no_moments | (others.no_moments & lanes);
    no_generating_function = no_generating_function | (others.no_generating_function & lanes);
  }
};

}  // namespace polhode::inline POLHODE_ISA

// Lists of types for which a unit is compiled.
#pragma once

#include <type_traits>

namespace polhode {

/// Variants of a step map on a system, one for each solver, the default first.
template <class... Variant>
struct Variants {
  static constexpr int count = sizeof...(Variant);
};

/// float, double or both.
template <class... Real>
struct Precisions {
  template <class R>
  static constexpr bool contain = (std::is_same_v<R, Real> || ...);
};

}  // namespace polhode

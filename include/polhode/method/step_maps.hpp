// Lists of types that kernels are compiled for.
#pragma once

#include <tuple>
#include <type_traits>

namespace polhode {

/// Step maps of a method on a system, one for each solver, the default first.
template <class... Map>
struct StepMaps {
  static constexpr int count = sizeof...(Map);
};

template <int index, class List>
struct TypeAt;
template <int index, class... Map>
struct TypeAt<index, StepMaps<Map...>> : std::tuple_element<index, std::tuple<std::type_identity<Map>...>>::type {};

/// Step map of a list with the solver of that index.
template <int index, class List>
using StepMapAt = typename TypeAt<index, List>::type;

/// Precisions: float, double or both.
template <class... Real>
struct Precisions {
  template <class R>
  static constexpr bool contain = (std::is_same_v<R, Real> || ...);
};

}  // namespace polhode

// Lists of types for which a unit is compiled.
#pragma once

#include <tuple>
#include <type_traits>

namespace polhode {

/// Variants of a step map on a system, one for each solver, the default first.
template <class... Variant>
struct Variants {
  static constexpr int count = sizeof...(Variant);
};

template <int index, class List>
struct TypeAt;
template <int index, class... Variant>
struct TypeAt<index, Variants<Variant...>>
    : std::tuple_element<index, std::tuple<std::type_identity<Variant>...>>::type {};

/// One of a list of variants.
template <int index, class List>
using VariantAt = typename TypeAt<index, List>::type;

/// float, double or both.
template <class... Real>
struct Precisions {
  template <class R>
  static constexpr bool contain = (std::is_same_v<R, Real> || ...);
};

}  // namespace polhode

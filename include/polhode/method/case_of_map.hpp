// A method as a case of a step map: kicks and options that it declares for the map.
#pragma once

#include <concepts>

#include "polhode/method/kicks.hpp"
#include "polhode/method/map_options.hpp"

namespace polhode::inline POLHODE_ISA {

/// Kicks of a method's single stage; none where it declares none.
template <class Method>
constexpr Kicks kicks_of() {
  if constexpr (requires { Method::kicks; }) return Method::kicks;
  return {};
}

/// Whether what a method declares as map_options is for maps with these options.
template <class Method, class Options>
inline constexpr bool has_map_options = false;
template <class Method, class Options>
requires requires { Method::map_options; }
inline constexpr bool has_map_options<Method, Options> = std::same_as<decltype(Method::map_options), const Options>;

/// Options of a method for a map with options of this type; the defaults where it declares none.
template <class Method, class Options>
constexpr Options map_options_of() {
  static_assert(
      !requires { Method::map_options; } || has_map_options<Method, Options> || std::same_as<Options, NoOptions>,
      "map_options are of another map");
  if constexpr (has_map_options<Method, Options>) return Method::map_options;
  return {};
}

}  // namespace polhode::inline POLHODE_ISA

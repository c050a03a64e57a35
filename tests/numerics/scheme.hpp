// A case of a step map without the type of the map's options, as the catalog has it.
#pragma once

#include <type_traits>

#include "polhode/method/case_of_map.hpp"
#include "polhode/method/constrained_motion.hpp"

namespace polhode::test {

template <class T>
inline constexpr bool is_options_of_a_map = fits_into_map_options<T> && !std::is_same_v<T, Kicks>;

struct Scheme {
  MapOptions options;
  Kicks kicks;
  Momentum momentum = Momentum::hidden_constraint;

  Scheme() = default;
  Scheme(const Kicks& kicks) : kicks(kicks) {}
  template <class Options>
  requires is_options_of_a_map<Options> Scheme(const Options& of_map, const Kicks& kicks = {})
      : options(to_bytes(of_map)), kicks(kicks) {
    if constexpr (std::is_same_v<Options, ConstrainedMotionOptions>) momentum = of_map.momentum;
  }
};

/// Scheme of a method, for those of its maps that have the options that it declares, or none.
template <class Method>
Scheme scheme_of() {
  if constexpr (requires { Method::map_options; })
    return {Method::map_options, kicks_of<Method>()};
  else
    return kicks_of<Method>();
}

template <class Map>
const OptionsOf<Map>& options_of(const Scheme& scheme) {
  return options_from<OptionsOf<Map>>(scheme.options);
}

}  // namespace polhode::test

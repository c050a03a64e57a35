// Common part of the stages of a step, whatever their lengths: a step map may declare Common<T>(model, options),
// computed once for many steps, which its steps are then given beside their constants.
#pragma once

#include "polhode/method/kicks.hpp"
#include "polhode/method/map_options.hpp"
#include "polhode/scalar/config.hpp"

namespace polhode::inline POLHODE_ISA {

template <class Map>
inline constexpr bool has_common = requires {
  typename Map::template Common<float>;
};

/// Common part of a map that declares none.
struct NothingInCommon {
  NothingInCommon() = default;
  template <class Model, class Options>
  POLHODE_HD NothingInCommon(const Model&, const Options&) {}
};

template <class Map, class T, bool = has_common<Map>>
struct CommonTypeOf {
  using Type = NothingInCommon;
};
template <class Map, class T>
struct CommonTypeOf<Map, T, true> {
  using Type = typename Map::template Common<T>;
};
template <class Map, class T>
using CommonOf = typename CommonTypeOf<Map, T>::Type;

/// The step of a map. All but `sweeps` must outlive it; S and C: scalars of the constants and of what is common.
template <class Map, class T, class S, class C>
POLHODE_HD auto make_step(const typename Map::System::template Model<T>& model, const OptionsOf<Map>& options,
                          const Kicks& kicks, [[maybe_unused]] const CommonOf<Map, C>& common,
                          const typename Map::template Constants<S>& constants, int sweeps) {
  if constexpr (has_common<Map>)
    return typename Map::template Step<T, S, C>(model, options, kicks, common, constants, sweeps);
  else
    return typename Map::template Step<T, S>(model, options, kicks, constants, sweeps);
}

}  // namespace polhode::inline POLHODE_ISA

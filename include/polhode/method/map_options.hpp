// Options of a step map: a plain struct that its own header defines. In the plan of a run they are bytes, which the map
// reads as its own type, so that a new option touches no header of other maps.
#pragma once

#include <cstring>
#include <type_traits>

#include "polhode/scalar/config.hpp"

namespace polhode {

/// Options of a step map in bytes.
struct MapOptions {
  alignas(8) unsigned char bytes[64] = {};
};

/// Options of a step map that has none.
struct NoOptions {};

inline namespace POLHODE_ISA {

template <class Options>
inline constexpr bool fits_into_map_options =
    std::is_trivially_copyable_v<Options>&& std::is_standard_layout_v<Options> &&
    sizeof(Options) <= sizeof(MapOptions) && alignof(Options) <= alignof(MapOptions);

/// Options in bytes, of that type.
template <class Options>
MapOptions to_bytes(const Options& options) {
  static_assert(fits_into_map_options<Options>);
  MapOptions all;
  std::memcpy(all.bytes, &options, sizeof options);
  return all;
}
/// Options as the type that to_bytes() took.
template <class Options>
POLHODE_HD const Options& options_from(const MapOptions& all) {
  static_assert(fits_into_map_options<Options>);
  return *reinterpret_cast<const Options*>(all.bytes);
}

/// Options of a step map, which may declare a type Options.
template <class Map>
struct OptionsTypeOf {
  using Type = NoOptions;
};
template <class Map>
requires requires { typename Map::Options; }
struct OptionsTypeOf<Map> {
  using Type = typename Map::Options;
};
template <class Map>
using OptionsOf = typename OptionsTypeOf<Map>::Type;

}  // namespace POLHODE_ISA
}  // namespace polhode

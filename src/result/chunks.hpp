// Chunks in which arrays are written.
#pragma once

#include <algorithm>
#include <cstddef>

#include "polhode/core/array.hpp"

namespace polhode {

/// Shape of the chunks in which a file stores an array: up to a mebibyte of doubles, the size of HDF5's chunk cache,
/// with as many whole rows as fit, or a part of one.
inline Shape chunk_of(const Shape& shape) {
  Shape chunk(shape.size());
  std::uint64_t room = 1 << 17;
  for (std::size_t i = shape.size(); i-- > 0;) {
    chunk[i] = std::clamp<std::uint64_t>(shape[i], 1, room);
    room = std::max<std::uint64_t>(room / chunk[i], 1);
  }
  return chunk;
}

}  // namespace polhode

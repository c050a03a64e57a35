// Some of a batch's trajectories, with all that they carry.
#pragma once

#include <algorithm>
#include <cstdint>

#include "backend/batch.hpp"

namespace polhode::test {

/// Trajectories first, ..., last - 1 of a batch, as a batch of their own.
inline Batch part_of(const Batch& batch, std::int64_t first, std::int64_t last) {
  BatchShape shape = batch.shape();
  shape.n = last - first;
  Batch part(shape);
  for_carried(
      [&](const CarriedColumn& column, auto& to, const auto& from) {
        for (std::int64_t i = 0; i < column.columns(shape); ++i)
          std::copy_n(from.begin() + i * batch.n + first, shape.n, to.begin() + i * shape.n);
      },
      part, batch);
  return part;
}

}  // namespace polhode::test

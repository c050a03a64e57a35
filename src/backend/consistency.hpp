// Conditions on the data that driver, backends and output exchange; for contracts (contract.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "backend/backend.hpp"
#include "backend/batch.hpp"
#include "polhode/method/status.hpp"

namespace polhode {

/// Whether a batch has trajectories and its columns have the sizes of its shape.
inline bool is_complete(const Batch& batch) {
  bool complete = batch.n > 0;
  for_carried(
      [&](const CarriedColumn& column, const auto& array) {
        complete = complete && static_cast<std::int64_t>(array.size()) == column.columns(batch) * batch.n;
      },
      batch);
  return complete;
}

/// Whether all trajectories of a batch that have not ended have completed `steps` steps.
inline bool has_completed(const Batch& batch, std::int64_t steps) {
  for (std::int64_t k = 0; k < batch.n; ++k)
    if (batch.code[k] == static_cast<std::uint8_t>(Status::ok) && batch.steps[k] != steps) return false;
  return true;
}

/// Whether the arrays of `points` are all for the same number of points, and every point belongs to one of the
/// trajectories first, ..., first + n - 1.
inline bool are_complete(const SectionPoints& points, std::int64_t first, std::int64_t n) {
  const std::size_t size = points.trajectory.size();
  return points.step.size() == size && points.theta.size() == size &&
         points.state.size() == size * static_cast<std::size_t>(points.dim) &&
         std::ranges::all_of(points.trajectory, [&](std::int64_t k) { return k >= first && k < first + n; });
}

}  // namespace polhode

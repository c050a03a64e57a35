// Conditions on the data that driver, backends and output exchange; for contracts (contract.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

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

/// Whether points are complete and belong to trajectories first, ..., first + n - 1, with those of each in the order of
/// their steps.
inline bool is_in_order(const SectionPoints& points, std::int64_t first, std::int64_t n) {
  const std::size_t size = points.trajectory.size();
  if (points.step.size() != size || points.theta.size() != size ||
      points.state.size() != size * static_cast<std::size_t>(points.dim))
    return false;
  std::vector<std::int64_t> last(static_cast<std::size_t>(n), -1);
  for (std::size_t i = 0; i < size; ++i) {
    const std::int64_t k = points.trajectory[i] - first;
    if (k < 0 || k >= n || points.step[i] < std::exchange(last[static_cast<std::size_t>(k)], points.step[i]))
      return false;
  }
  return true;
}

}  // namespace polhode

// Distances of two solutions of the same orbits.
#pragma once

#include <cstdint>
#include <limits>

#include "accuracy/distances.hpp"
#include "accuracy/orbits.hpp"

namespace polhode {

/// Median of the distances at the end, of trajectories that reach it in both; NaN where fewer than half do.
double compare_ends(const Solution& a, const Solution& b, const Distances& distances);

struct PointErrors {
  double median = std::numeric_limits<double>::quiet_NaN();
  std::int64_t other_counts = 0;  ///< trajectories with different numbers of points
};
/// Distances of section points, one by one in the order of time, of trajectories with equal numbers of them; NaN where
/// fewer than half of all have.
PointErrors compare_points(const Solution& a, const Solution& b, const Distances& distances);

}  // namespace polhode

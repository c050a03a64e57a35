// Distances of two solutions of the same orbits.
#pragma once

#include <cstdint>
#include <limits>

#include "accuracy/distances.hpp"
#include "accuracy/orbits.hpp"

namespace polhode {

/// Median of the distances of a from b at the end, over the trajectories that reach it in b; NaN where fewer than half
/// of all do, or where half of them do not in a.
double compare_ends(const Solution& a, const Solution& b, const Distances& distances);

struct PointErrors {
  double median = std::numeric_limits<double>::quiet_NaN();
  std::int64_t other_counts = 0;  ///< trajectories with different numbers of points
};
/// The same of section points, one by one in the order of time: of each trajectory with points their median. One with
/// another number of them cannot be compared, as one that fails.
PointErrors compare_points(const Solution& a, const Solution& b, const Distances& distances);

}  // namespace polhode

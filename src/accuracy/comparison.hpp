// Distances of two solutions of the same orbits.
#pragma once

#include <array>
#include <cstdint>

#include "accuracy/distances.hpp"
#include "accuracy/orbits.hpp"

namespace polhode {

/// Shares of the trajectories for which reports have quantiles of the errors: half, most, nearly all and all of them.
inline constexpr std::array shares{0.5, 0.9, 0.99, 1.0};
inline constexpr std::size_t half_of_them = 0, most_of_them = 1;  ///< indices into `shares`

/// Quantiles of the errors for each of `shares`, the median first; NaN where a quantile is not known.
struct Quantiles {
  std::array<double, shares.size()> of;

  Quantiles();
  double median() const { return of[half_of_them]; }
};

/// Quantiles of the distances of `a` from `b` at the end, over the trajectories that reach the end in `b`. A trajectory
/// that fails in `a` counts as infinitely far: a quantile that falls on such a trajectory is NaN. All are NaN where
/// fewer than half of all trajectories reach the end in `b`.
Quantiles compare_ends(const Solution& a, const Solution& b, const Distances& distances);

struct PointErrors {
  Quantiles quantiles;
  std::int64_t other_counts = 0;  ///< trajectories that reach the end in both, with different numbers of section points
};
/// Errors of the section points of `a` against those of `b`, paired in the order of time: quantiles, over the
/// trajectories that reach the end in `b`, of the median distance of a trajectory's points. A trajectory that fails in
/// `a`, or has another number of points in `a` than in `b`, counts as infinitely far; one without points in both is
/// left out.
PointErrors compare_points(const Solution& a, const Solution& b, const Distances& distances);

}  // namespace polhode

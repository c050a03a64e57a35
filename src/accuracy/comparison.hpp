// Distances of two solutions of the same orbits.
#pragma once

#include <array>
#include <cstdint>

#include "accuracy/distances.hpp"
#include "accuracy/orbits.hpp"

namespace polhode {

/// Shares of the trajectories whose errors are told: half, most, nearly all and all of them.
inline constexpr std::array shares{0.5, 0.9, 0.99, 1.0};
inline constexpr std::size_t half_of_them = 0, most_of_them = 1;  ///< in shares

/// Quantiles of the errors for these shares of the trajectories, the median first. NaN where it is not known.
struct Quantiles {
  std::array<double, shares.size()> of;

  Quantiles();
  double median() const { return of[half_of_them]; }
};

/// The distances of a from b at the end, over the trajectories that reach it in b. One that does not in a cannot be
/// compared: a quantile that it is beyond is unknown. All are where fewer than half of all trajectories reach it in b.
Quantiles compare_ends(const Solution& a, const Solution& b, const Distances& distances);

struct PointErrors {
  Quantiles quantiles;
  std::int64_t other_counts = 0;  ///< trajectories with different numbers of points
};
/// Errors of section points, one by one in the order of time: of each trajectory with points their median. One with
/// another number of them cannot be compared, as one that fails.
PointErrors compare_points(const Solution& a, const Solution& b, const Distances& distances);

}  // namespace polhode

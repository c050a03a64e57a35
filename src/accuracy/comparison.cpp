#include "accuracy/comparison.hpp"

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "quantiles.hpp"

namespace polhode {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();

/// Quantiles of `distances`, where infinity stands for a trajectory that cannot be compared: a quantile that falls on
/// infinity is NaN. All are NaN where there are no distances, or fewer of them than half of `trajectories`.
Quantiles quantiles_of_known(const std::vector<double>& distances, std::int64_t trajectories) {
  Quantiles all;
  const double middle = median(distances, trajectories);
  if (std::isnan(middle)) return all;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const double value = i == half_of_them ? middle : quantile(distances, shares[i]);
    if (!std::isinf(value)) all.of[i] = value;
  }
  return all;
}

/// Places `at` [trajectories + 1] of section points, which are ordered by trajectory: the points of trajectory k are
/// at[k], ..., at[k + 1] - 1.
std::vector<std::int64_t> places(const SectionPoints& points, std::int64_t trajectories) {
  std::vector<std::int64_t> at(trajectories + 1, 0);
  for (const std::int64_t k : points.trajectory) ++at[k + 1];
  for (std::int64_t k = 0; k < trajectories; ++k) at[k + 1] += at[k];
  return at;
}

}  // namespace

Quantiles::Quantiles() { of.fill(nan); }

Quantiles compare_ends(const Solution& a, const Solution& b, const Distances& distances) {
  std::vector<double> all;
  for (std::int64_t k = 0; k < a.end().n; ++k)
    if (b.reached_end(k)) all.push_back(a.reached_end(k) ? distances(a.end(), b.end(), k) : infinity);
  return quantiles_of_known(all, a.end().n);
}

PointErrors compare_points(const Solution& a, const Solution& b, const Distances& distances) {
  const SectionPoints &p = a.recording.section, &q = b.recording.section;
  const std::int64_t trajectories = a.end().n;
  const std::vector<std::int64_t> at_p = places(p, trajectories), at_q = places(q, trajectories);
  PointErrors errors;
  std::vector<double> all;
  for (std::int64_t k = 0; k < trajectories; ++k) {
    if (!b.reached_end(k)) continue;
    const std::int64_t count = at_p[k + 1] - at_p[k];
    if (!a.reached_end(k) || count != at_q[k + 1] - at_q[k]) {
      errors.other_counts += a.reached_end(k);
      all.push_back(infinity);
      continue;
    }
    std::vector<double> apart;
    for (std::int64_t i = 0; i < count; ++i)
      apart.push_back(distances(&p.state[(at_p[k] + i) * p.dim], &q.state[(at_q[k] + i) * q.dim], k));
    if (count > 0) all.push_back(median(std::move(apart), count));
  }
  errors.quantiles = quantiles_of_known(all, 0);
  return errors;
}

}  // namespace polhode

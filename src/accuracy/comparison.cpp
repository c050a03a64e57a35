#include "accuracy/comparison.hpp"

#include <utility>
#include <vector>

namespace polhode {
namespace {

/// The points of every trajectory, in a row: at[k], ..., at[k + 1] - 1 for trajectory k.
std::vector<std::int64_t> places(const SectionPoints& points, std::int64_t trajectories) {
  std::vector<std::int64_t> at(trajectories + 1, 0);
  for (const std::int64_t k : points.trajectory) ++at[k + 1];
  for (std::int64_t k = 0; k < trajectories; ++k) at[k + 1] += at[k];
  return at;
}

}  // namespace

double compare_ends(const Solution& a, const Solution& b, const Distances& distances) {
  std::vector<double> all;
  for (std::int64_t k = 0; k < a.end().n; ++k)
    if (a.reached_end(k) && b.reached_end(k)) all.push_back(distances(a.end(), b.end(), k));
  return median(std::move(all), a.end().n);
}

PointErrors compare_points(const Solution& a, const Solution& b, const Distances& distances) {
  const SectionPoints &p = a.recording.section, &q = b.recording.section;
  const std::int64_t trajectories = a.end().n;
  const std::vector<std::int64_t> at_p = places(p, trajectories), at_q = places(q, trajectories);
  PointErrors errors;
  std::vector<double> all;
  std::int64_t equal = 0;
  for (std::int64_t k = 0; k < trajectories; ++k) {
    if (!a.reached_end(k) || !b.reached_end(k)) continue;
    const std::int64_t count = at_p[k + 1] - at_p[k];
    if (count != at_q[k + 1] - at_q[k]) {
      ++errors.other_counts;
      continue;
    }
    ++equal;
    for (std::int64_t i = 0; i < count; ++i)
      all.push_back(distances(&p.state[(at_p[k] + i) * p.dim], &q.state[(at_q[k] + i) * q.dim], k));
  }
  if (2 * equal >= trajectories) errors.median = median(std::move(all), 0);
  return errors;
}

}  // namespace polhode

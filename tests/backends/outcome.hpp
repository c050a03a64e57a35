// What a run on a backend has left, and where two of them differ.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "backend/backend.hpp"
#include "backend/segments.hpp"
#include "support/batch_part.hpp"

namespace polhode::test {

struct Outcome {
  Batch batch;
  SectionPoints section;                      ///< in (trajectory, step, theta) order
  std::vector<double> snapshots;              ///< [t][dim + n_invariants][n]
  std::int64_t found = 0, unrefined = 0;      ///< points
  std::vector<std::int64_t> counts;           ///< of the density
  std::vector<SliceStatistics> statistics{};  ///< [t]
  std::int64_t repeated = 0;                  ///< segments whose crossings did not fit
};

inline SectionPoints sorted(const SectionPoints& points) {
  std::vector<std::int64_t> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) {
    return std::tuple(points.trajectory[a], points.step[a], points.theta[a]) <
           std::tuple(points.trajectory[b], points.step[b], points.theta[b]);
  });
  return points.reordered(order);
}

/// Advances a backend from step `from` to step `to` in segments of at most `length` steps, each of which is passed to
/// taken(segment, result). Returns the number of those that were too long.
template <class Taken>
std::int64_t advance_in_segments(Backend& backend, std::int64_t from, std::int64_t to, std::int64_t length,
                                 Taken&& taken) {
  std::int64_t too_long = 0;
  while (from < to) {
    const Segment asked{from, std::min(length, to - from)};
    const auto [segment, result] = advance_as_far_as_fits(backend, asked);
    if (segment.count < asked.count) {
      length = segment.count;
      ++too_long;
    }
    taken(segment, *result);
    from += segment.count;
  }
  return too_long;
}

/// Runs `steps` steps in segments of the given length at most.
inline Outcome run_all(Backend& backend, const Batch& batch, std::int64_t steps, std::int64_t segment) {
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  Outcome outcome;
  Batch counted = batch;
  counted.n_sections = 1;
  counted.section_count.assign(batch.n, 0);
  counted.round_off.assign(batch.n, 0);
  backend.load(counted);
  SectionPoints points;
  points.dim = batch.dim;
  outcome.repeated = advance_in_segments(backend, 0, steps, segment, [&](const Segment&, const SegmentResult& result) {
    for (const SectionPoints& list : result.section) points.append(list);
    outcome.found += result.found;
    outcome.unrefined += result.unrefined;
    append(outcome.snapshots, result.snapshots);
    append(outcome.statistics, result.statistics);
  });
  backend.store(outcome.batch);
  outcome.section = sorted(points);
  outcome.counts = backend.counts();
  return outcome;
}

/// Bit for bit, so that -0 differs from 0 and NaN equals itself.
template <class Vector>
bool same_bits(const Vector& a, const Vector& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0);
}

/// Which arrays of two outcomes differ in a bit.
inline std::vector<std::string> different_arrays(const Outcome& a, const Outcome& b) {
  std::vector<std::string> names;
  const auto compare = [&](const auto& first, const auto& second, const char* name) {
    if (!same_bits(first, second)) names.emplace_back(name);
  };
  for_carried(
      [&](const CarriedColumn& column, const auto& first, const auto& second) { compare(first, second, column.name); },
      a.batch, b.batch);
  compare(a.section.trajectory, b.section.trajectory, "section trajectories");
  compare(a.section.step, b.section.step, "section steps");
  compare(a.section.theta, b.section.theta, "section times");
  compare(a.section.state, b.section.state, "section points");
  compare(a.snapshots, b.snapshots, "snapshots");
  return names;
}

inline void expect_same_bits(const Outcome& a, const Outcome& b, const std::string& what) {
  for (const std::string& name : different_arrays(a, b)) ADD_FAILURE() << what << ": " << name << " differ";
}

/// Trajectories first, ..., last - 1 of an outcome, numbered from 0.
inline Outcome part_of(const Outcome& whole, std::int64_t first, std::int64_t last) {
  const Batch& batch = whole.batch;
  Outcome part;
  part.batch = part_of(batch, first, last);
  const SectionPoints& points = whole.section;
  part.section.dim = points.dim;
  for (std::int64_t k = 0; k < points.size(); ++k) {
    if (points.trajectory[k] < first || points.trajectory[k] >= last) continue;
    part.section.trajectory.push_back(points.trajectory[k] - first);
    part.section.step.push_back(points.step[k]);
    part.section.theta.push_back(points.theta[k]);
    part.section.state.insert(part.section.state.end(), points.state.begin() + k * points.dim,
                              points.state.begin() + (k + 1) * points.dim);
  }
  const std::int64_t rows = static_cast<std::int64_t>(whole.snapshots.size()) / batch.n;
  for (std::int64_t row = 0; row < rows; ++row)
    part.snapshots.insert(part.snapshots.end(), whole.snapshots.begin() + row * batch.n + first,
                          whole.snapshots.begin() + row * batch.n + last);
  return part;
}

}  // namespace polhode::test

// Data that a trajectory carries from segment to segment, declared once: batches, their copies on a device,
// checkpoints, final records and their checks iterate over this list.
//
// All arrays are structures of arrays, [columns][n] for n trajectories.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "polhode/run/plan.hpp"

namespace polhode {

/// Quantities that determine the sizes of columns.
struct BatchShape {
  std::int64_t n = 0;             ///< trajectories
  int dim = 0, n_invariants = 0;  ///< columns of a state; recorded invariants
  std::int64_t n_sections = 0;    ///< sections whose points are counted: 0 or 1

  bool operator==(const BatchShape&) const = default;
};

/// Shape for n trajectories of a run.
inline BatchShape shape_of(const Plan& plan, std::int64_t n, int dim) {
  return {.n = n,
          .dim = dim,
          .n_invariants = std::popcount(plan.invariants),
          .n_sections = plan.section.observable >= 0 ? 1 : 0};
}

/// Counts of each trajectory's crossings, which are made where these are judged (run/judge_point.hpp).
template <template <class> class Array>
struct CrossingCounts {
  Array<std::int64_t> section_count;  ///< [n_sections][n], section points selected so far
  Array<std::int64_t> round_off;      ///< [n_sections][n], changes of sign so far that are round-off, not crossings
};

/// Array<E>: an array of elements E, e.g. a pointer. A single precision run converts from and to double when it loads
/// and stores, which is exact.
template <template <class> class Array>
struct Carried : CrossingCounts<Array> {
  Array<double> state;        ///< [dim][n]
  Array<double> invariants;   ///< [n_invariants][n], at step 0; written by the segment that starts there
  Array<double> max_drift;    ///< [n_invariants][n], max |I - I_0| so far
  Array<std::int64_t> steps;  ///< [n], completed steps: those of the run, or those before the trajectory failed
  Array<std::uint8_t> code;   ///< [n], Status
};

struct CarriedColumn {
  const char* name;  ///< content, e.g. "states"
  std::int64_t (*columns)(const BatchShape&);
};

/// Calls f(column, array...) for every count of crossings, with its array in each of the given sets.
template <class F, class... Arrays>
void for_crossing_counts(F&& f, Arrays&&... arrays) {
  constexpr auto sections = [](const BatchShape& s) { return s.n_sections; };
  f(CarriedColumn{"counts of section points", sections}, arrays.section_count...);
  f(CarriedColumn{"counts of round-off about the section", sections}, arrays.round_off...);
}

/// Calls f(column, array...) for every column, with its array in each of the given sets.
template <class F, class... Arrays>
void for_carried(F&& f, Arrays&&... arrays) {
  using Shape = const BatchShape&;
  constexpr auto one = [](Shape) { return std::int64_t{1}; };
  constexpr auto dim = [](Shape s) { return std::int64_t{s.dim}; };
  constexpr auto kept = [](Shape s) { return std::int64_t{s.n_invariants}; };
  f(CarriedColumn{"states", dim}, arrays.state...);
  f(CarriedColumn{"initial invariants", kept}, arrays.invariants...);
  f(CarriedColumn{"drifts", kept}, arrays.max_drift...);
  f(CarriedColumn{"completed steps", one}, arrays.steps...);
  f(CarriedColumn{"statuses", one}, arrays.code...);
  for_crossing_counts(f, arrays...);
}

template <class Element>
using PointerTo = Element*;
template <class Element>
using Single = Element;

/// Count of crossings, as a member of the borrowed counts.
using CrossingCount = std::int64_t* CrossingCounts<PointerTo>::*;

/// Borrowed columns of a batch.
struct BatchView : Carried<PointerTo> {
  std::int64_t n;
};

/// Bytes of one trajectory.
inline std::size_t carried_bytes(const BatchShape& shape) {
  std::size_t bytes = 0;
  for_carried([&](const CarriedColumn& column,
                  const auto& element) { bytes += static_cast<std::size_t>(column.columns(shape)) * sizeof(element); },
              Carried<Single>{});
  return bytes;
}

}  // namespace polhode

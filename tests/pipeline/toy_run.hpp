// A run of the toy: slices, one after another. What it leaves is computed here step by step.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "pipeline/toy.hpp"

namespace polhode::test {

struct ToyRun {
  Toy toy;
  std::int64_t n, slice, steps;

  std::int64_t slices() const { return (n + slice - 1) / slice; }
  ToyBatch start_of(std::int64_t k) const {
    const std::int64_t size = std::min(slice, n - k * slice);
    ToyBatch batch{std::vector<std::uint64_t>(size), std::vector<std::int64_t>(size, 0)};
    for (std::int64_t i = 0; i < size; ++i) batch.state[i] = Toy::start_of(k * slice + i);
    return batch;
  }
};

/// What is taken from the crossings of a segment.
struct ToySelection {
  std::int64_t lost;
  std::vector<ToyPoint> points;  ///< with trajectories of the slice
};

/// What is stored of a boundary.
struct ToyBoundary {
  ToyBatch batch;
  ToyCounts counts;  ///< since the device was made
};

/// A boundary: of the first slice at step 0, say.
struct ToyPlace {
  std::int64_t slice = 0, step = 0;
};

/// What a run has left when it came to a place.
struct Record {
  std::vector<ToyPoint> points;  ///< in any order
  std::int64_t lost = 0;
  std::vector<ToyBatch> finals;  ///< of slices that are complete
  ToyCounts counts = ToyCounts(Toy::cells, 0);
  ToyBatch batch;  ///< of the slice, beyond its step 0

  void sort() { std::ranges::sort(points); }
  bool operator==(const Record&) const = default;
};

inline Record computed_serially(const ToyRun& run, const ToyPlace& end) {
  Record record;
  for (std::int64_t k = 0; k <= std::min(end.slice, run.slices() - 1); ++k) {
    ToyBatch batch = run.start_of(k);
    const std::int64_t steps = k < end.slice ? run.steps : end.step;
    for (std::size_t i = 0; i < batch.state.size(); ++i) {
      for (std::int64_t step = 0; step < steps; ++step) {
        batch.state[i] = Toy::step(batch.state[i]);
        if (!run.toy.crosses(batch.state[i])) continue;
        const std::uint64_t point = Toy::refined(batch.state[i]);
        record.lost += Toy::is_lost(point);
        if (Toy::is_lost(point) || !Toy::is_selected(point)) continue;
        ++batch.points[i];
        ++record.counts[Toy::cell(point)];
        record.points.push_back({k * run.slice + static_cast<std::int64_t>(i), step, point});
      }
    }
    if (k < end.slice) {
      record.finals.push_back(std::move(batch));
    } else if (end.step > 0) {
      record.batch = std::move(batch);
    }
  }
  record.sort();
  return record;
}

}  // namespace polhode::test

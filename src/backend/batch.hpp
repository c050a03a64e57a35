// Columns of an ensemble (polhode/run/carried.hpp) in host memory.
#pragma once

#include <cstdint>
#include <vector>

#include "polhode/run/carried.hpp"

namespace polhode {

template <class Element>
using HostArray = std::vector<Element>;

/// Shape of a batch, with dim = 0 unless its states are kept.
inline BatchShape without_states_unless(bool kept, BatchShape shape) {
  if (!kept) shape.dim = 0;
  return shape;
}

struct Batch : BatchShape, Carried<HostArray> {
  /// Drifts [n_invariants][n] without the comparison at the last step, if that step is no multiple of invariants_every:
  /// a longer run, which makes no comparison there, goes on from these drifts. Empty where they are those in
  /// max_drift, or are not kept. Backends do not use the array.
  HostArray<double> earlier_drift{};

  Batch() = default;
  explicit Batch(const BatchShape& shape) : BatchShape(shape) {
    for_carried([&](const CarriedColumn& column, auto& array) { array.resize(column.columns(shape) * shape.n); },
                *this);
  }
  /// A batch whose section points are not counted.
  Batch(std::int64_t n, int dim, int n_invariants) : Batch(BatchShape{n, dim, n_invariants}) {}

  const BatchShape& shape() const { return *this; }
  BatchView view() {
    BatchView view{{}, n};
    for_carried([](const CarriedColumn&, auto& pointer, auto& array) { pointer = array.data(); }, view, *this);
    return view;
  }
};

}  // namespace polhode

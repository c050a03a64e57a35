// Columns of an ensemble (polhode/run/carried.hpp) in host memory.
#pragma once

#include <cstdint>
#include <vector>

#include "polhode/run/carried.hpp"

namespace polhode {

template <class Element>
using HostArray = std::vector<Element>;

/// The shape, of a batch without states unless they are kept.
inline BatchShape without_states_unless(bool kept, BatchShape shape) {
  if (!kept) shape.dim = 0;
  return shape;
}

struct Batch : BatchShape, Carried<HostArray> {
  /// [n_invariants][n], the drifts without a comparison at the last step of the run, from which a longer run goes on;
  /// empty where they are not known apart. No backend has them.
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

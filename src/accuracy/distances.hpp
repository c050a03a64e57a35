// Distances of states from each other, relative to their length.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "backend/batch.hpp"
#include "catalog/catalog.hpp"

namespace polhode {

/// Distances of states relative to their lengths. The positions, the momenta and the angle of a state are each scaled
/// by their largest length along the trajectory, an angle by a radian at least; a state without positions is scaled as
/// a whole. Of states with a number that is NaN the distance is infinite.
class Distances {
 public:
  /// Distances scaled by the largest lengths in `states`: batches of the same trajectories at different times, at least
  /// one.
  Distances(const SystemEntry& system, std::span<const Batch> states);

  struct Part {
    int first, size;  ///< index of the first column, and number of columns
    double least;     ///< least scale: 1 for an angle, else 0
  };

  /// Distance of the states of trajectory k in two batches: the largest over the parts of a state.
  double operator()(const Batch& a, const Batch& b, std::int64_t k) const;
  /// Distance of two states x, y [dim] of trajectory k.
  double operator()(const double* x, const double* y, std::int64_t k) const;

  const std::vector<Part>& parts() const { return parts_; }
  /// Scale of parts()[part] on trajectory k, by which differences of this part are divided.
  double scale(std::int64_t k, std::size_t part) const { return scales_[k * parts_.size() + part]; }

 private:
  double of_part(const Batch& a, const Batch& b, std::int64_t k, std::size_t part) const;

  std::vector<Part> parts_;
  std::vector<double> scales_;  ///< [n][parts]
};

/// Length of columns first, ..., first + count - 1 of the state of trajectory k.
double length(const Batch& batch, std::int64_t k, int first, int count);
/// Length of columns first, ..., first + count - 1 of the difference of the states of trajectory k in two batches.
double length(const Batch& a, const Batch& b, std::int64_t k, int first, int count);

}  // namespace polhode

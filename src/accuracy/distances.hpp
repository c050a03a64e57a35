// Distances of states from each other, relative to their length.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "backend/batch.hpp"
#include "catalog/catalog.hpp"

namespace polhode {

/// Relative distances of states. For a system with positions and momenta, each half of the state is scaled by its
/// largest length along the trajectory; otherwise the whole state is.
class Distances {
 public:
  /// states: along the trajectories.
  Distances(const SystemEntry& system, std::span<const Batch> states);

  /// Distance of the states of trajectory k, or of two states [dim] of it: the larger of both halves.
  double operator()(const Batch& a, const Batch& b, std::int64_t k) const;
  double operator()(const double* x, const double* y, std::int64_t k) const;

  int parts() const { return parts_; }
  int part_size() const { return size_; }
  double scale(std::int64_t k, int part) const { return scales_[k * parts_ + part]; }

 private:
  double of_part(const Batch& a, const Batch& b, std::int64_t k, int part) const;

  int parts_, size_;
  std::vector<double> scales_;  ///< [n][parts]
};

/// Length of columns first, ..., first + count - 1 of the state of trajectory k, and of the difference of two.
double length(const Batch& batch, std::int64_t k, int first, int count);
double length(const Batch& a, const Batch& b, std::int64_t k, int first, int count);

}  // namespace polhode

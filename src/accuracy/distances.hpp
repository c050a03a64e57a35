// Distances of states from each other, relative to their length.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "backend/batch.hpp"
#include "catalog/catalog.hpp"

namespace polhode {

/// Relative distances of states. For a system with positions and momenta, each of these parts of the state is scaled by
/// its largest length along the trajectory, and an angle by a radian at least; otherwise the whole state is.
class Distances {
 public:
  /// states: along the trajectories.
  Distances(const SystemEntry& system, std::span<const Batch> states);

  struct Part {
    int first, size;  ///< columns
    double least;     ///< scale
  };

  /// Distance of the states of trajectory k, or of two states [dim] of it: the largest of the parts.
  double operator()(const Batch& a, const Batch& b, std::int64_t k) const;
  double operator()(const double* x, const double* y, std::int64_t k) const;

  const std::vector<Part>& parts() const { return parts_; }
  double scale(std::int64_t k, std::size_t part) const { return scales_[k * parts_.size() + part]; }

 private:
  double of_part(const Batch& a, const Batch& b, std::int64_t k, std::size_t part) const;

  std::vector<Part> parts_;
  std::vector<double> scales_;  ///< [n][parts]
};

/// Length of columns first, ..., first + count - 1 of the state of trajectory k, and of the difference of two.
double length(const Batch& batch, std::int64_t k, int first, int count);
double length(const Batch& a, const Batch& b, std::int64_t k, int first, int count);

}  // namespace polhode

#include "accuracy/distances.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace polhode {
namespace {

std::vector<Distances::Part> parts_of(const SystemEntry& system) {
  if (!system.has_positions()) return {{0, system.dim, 0}};
  std::vector<Distances::Part> parts;
  for (const Block& block : system.layout)
    parts.push_back({block.first, block.size, block.form == Block::Form::angle ? 1.0 : 0.0});
  return parts;
}

/// Distance `apart` in units of `scale`: 0 for equal parts, infinite where it is not a number.
double in_scale(double apart, double scale) {
  if (apart == 0) return 0;
  const double distance = apart / scale;
  return std::isnan(distance) ? std::numeric_limits<double>::infinity() : distance;
}

}  // namespace

Distances::Distances(const SystemEntry& system, std::span<const Batch> states) : parts_(parts_of(system)) {
  const std::int64_t n = states[0].n;
  for (std::int64_t k = 0; k < n; ++k)
    for (const Part& part : parts_) {
      double scale = part.least;
      for (const Batch& batch : states) scale = std::max(scale, length(batch, k, part.first, part.size));
      scales_.push_back(scale);
    }
}

double Distances::of_part(const Batch& a, const Batch& b, std::int64_t k, std::size_t part) const {
  return in_scale(length(a, b, k, parts_[part].first, parts_[part].size), scale(k, part));
}

double Distances::operator()(const Batch& a, const Batch& b, std::int64_t k) const {
  double largest = 0;
  for (std::size_t part = 0; part < parts_.size(); ++part) largest = std::max(largest, of_part(a, b, k, part));
  return largest;
}

double Distances::operator()(const double* x, const double* y, std::int64_t k) const {
  double largest = 0;
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    double squared = 0;
    for (int i = 0; i < parts_[part].size; ++i) {
      const double difference = x[parts_[part].first + i] - y[parts_[part].first + i];
      squared += difference * difference;
    }
    largest = std::max(largest, in_scale(std::sqrt(squared), scale(k, part)));
  }
  return largest;
}

double length(const Batch& batch, std::int64_t k, int first, int count) {
  double squared = 0;
  for (int i = first; i < first + count; ++i) squared += batch.state[i * batch.n + k] * batch.state[i * batch.n + k];
  return std::sqrt(squared);
}
double length(const Batch& a, const Batch& b, std::int64_t k, int first, int count) {
  double squared = 0;
  for (int i = first; i < first + count; ++i) {
    const double difference = a.state[i * a.n + k] - b.state[i * a.n + k];
    squared += difference * difference;
  }
  return std::sqrt(squared);
}

}  // namespace polhode

#include "accuracy/distances.hpp"

#include <algorithm>
#include <cmath>

namespace polhode {

Distances::Distances(const SystemEntry& system, std::span<const Batch> states)
    : parts_(system.has_positions() ? 2 : 1), size_(system.dim / parts_) {
  const std::int64_t n = states[0].n;
  scales_.resize(n * parts_);
  for (const Batch& batch : states)
    for (std::int64_t k = 0; k < n; ++k)
      for (int part = 0; part < parts_; ++part)
        scales_[k * parts_ + part] = std::max(scales_[k * parts_ + part], length(batch, k, part * size_, size_));
}

double Distances::of_part(const Batch& a, const Batch& b, std::int64_t k, int part) const {
  const double apart = length(a, b, k, part * size_, size_);
  return apart > 0 ? apart / scale(k, part) : 0;
}

double Distances::operator()(const Batch& a, const Batch& b, std::int64_t k) const {
  double largest = 0;
  for (int part = 0; part < parts_; ++part) largest = std::max(largest, of_part(a, b, k, part));
  return largest;
}

double Distances::operator()(const double* x, const double* y, std::int64_t k) const {
  double largest = 0;
  for (int part = 0; part < parts_; ++part) {
    double squared = 0;
    for (int i = part * size_; i < (part + 1) * size_; ++i) squared += (x[i] - y[i]) * (x[i] - y[i]);
    if (squared > 0) largest = std::max(largest, std::sqrt(squared) / scale(k, part));
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

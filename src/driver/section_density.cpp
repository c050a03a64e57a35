#include "driver/section_density.hpp"

#include <algorithm>

#include "driver/cells.hpp"

namespace polhode {

SectionDensity::SectionDensity(const RunSpec& spec)
    : spec_(spec), counts_(spec.density->bins[0] * spec.density->bins[1] + 1) {}

std::int64_t SectionDensity::cell_at(const double* state) const {
  const DensitySpec& density = *spec_.density;
  std::int64_t cell = 0;
  for (int i = 0; i < 2; ++i) {
    const double value = value_of(spec_, density.observables[i], state);
    if (!(value >= density.low[i] && value < density.high[i])) return static_cast<std::int64_t>(counts_.size()) - 1;
    cell = cell * density.bins[i] + cell_of(value, density.low[i], density.high[i], density.bins[i]);
  }
  return cell;
}

void SectionDensity::add(const SectionPoints& points) {
  // Counts are all over a memory larger than the near caches: those of a block of points are fetched together.
  constexpr std::int64_t block = 64;
  std::int64_t cells[block];
  for (std::int64_t first = 0; first < points.size(); first += block) {
    const std::int64_t n = std::min(block, points.size() - first);
    for (std::int64_t k = 0; k < n; ++k) {
      cells[k] = cell_at(points.state.data() + (first + k) * points.dim);
      __builtin_prefetch(&counts_[cells[k]], 1);
    }
    for (std::int64_t k = 0; k < n; ++k) ++counts_[cells[k]];
  }
}

}  // namespace polhode

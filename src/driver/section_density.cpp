#include "driver/section_density.hpp"

#include <limits>

#include "driver/cells.hpp"

namespace polhode {

SectionDensity::SectionDensity(const RunSpec& spec)
    : spec_(spec), counts_(spec.density->bins[0] * spec.density->bins[1] + 1) {}

std::uint32_t SectionDensity::cell_at(const double* state) const {
  static_assert(max_density_cells < std::numeric_limits<std::uint32_t>::max());
  const DensitySpec& density = *spec_.density;
  std::int64_t cell = 0;
  for (int i = 0; i < 2; ++i) {
    const double value = value_of(spec_, density.observables[i], state);
    if (!(value >= density.low[i] && value < density.high[i])) return static_cast<std::uint32_t>(counts_.size() - 1);
    cell = cell * density.bins[i] + cell_of(value, density.low[i], density.high[i], density.bins[i]);
  }
  return static_cast<std::uint32_t>(cell);
}

void SectionDensity::add(std::span<const std::uint32_t> cells) {
  // Counts may be all over the memory, but the next cells are known: a processor fetches them ahead by itself.
  for (const std::uint32_t cell : cells) ++counts_[cell];
}

}  // namespace polhode

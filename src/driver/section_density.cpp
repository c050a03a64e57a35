#include "driver/section_density.hpp"

#include "driver/cells.hpp"

namespace polhode {

SectionDensity::SectionDensity(const RunSpec& spec)
    : spec_(spec), counts_(spec.density->bins[0] * spec.density->bins[1] + 1) {}

void SectionDensity::add(const SectionPoints& points) {
  const DensitySpec& density = *spec_.density;
  for (std::int64_t k = 0; k < points.size(); ++k) {
    const double* const state = points.state.data() + k * points.dim;
    std::int64_t cell = 0;
    for (int i = 0; i < 2; ++i) {
      const double value = value_of(spec_, density.observables[i], state);
      if (!(value >= density.low[i] && value < density.high[i])) {
        cell = static_cast<std::int64_t>(counts_.size()) - 1;
        break;
      }
      cell = cell * density.bins[i] + cell_of(value, density.low[i], density.high[i], density.bins[i]);
    }
    ++counts_[cell];
  }
}

}  // namespace polhode

#include "driver/section_density.hpp"

#include <algorithm>

namespace polhode {

SectionDensity::SectionDensity(const RunSpec& spec)
    : spec_(spec), counts_(spec.density->bins[0] * spec.density->bins[1] + 1) {}

void SectionDensity::add(const SectionPoints& points) {
  const DensitySpec& density = *spec_.density;
  for (std::int64_t k = 0; k < points.size(); ++k) {
    const double* const state = points.state.data() + k * points.dim;
    std::int64_t cell = 0;
    for (int i = 0; i < 2; ++i) {
      const int observable = density.observables[i];
      const double value = observable < points.dim ? state[observable]
                                                   : spec_.system->observe(spec_.parameters.data(), observable, state);
      if (!(value >= density.low[i] && value < density.high[i])) {
        cell = static_cast<std::int64_t>(counts_.size()) - 1;
        break;
      }
      const double place = (value - density.low[i]) / (density.high[i] - density.low[i]);
      // Rounding may take what is just below the upper edge to it.
      const auto bin = static_cast<std::int64_t>(place * static_cast<double>(density.bins[i]));
      cell = cell * density.bins[i] + std::min(bin, density.bins[i] - 1);
    }
    ++counts_[cell];
  }
}

}  // namespace polhode

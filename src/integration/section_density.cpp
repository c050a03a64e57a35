#include "integration/section_density.hpp"

#include <limits>

#include "integration/cells.hpp"
#include "spec/schema.hpp"

namespace polhode {

SectionDensity::SectionDensity(const ResolvedRun& run) : run_(run), counts_(size_of(run.spec)) {}

void SectionDensity::append_cells(const double* states, std::int64_t count, std::vector<std::uint32_t>& cells) const {
  static_assert(max_density_cells < std::numeric_limits<std::uint32_t>::max());
  const DensitySpec& density = *run_.spec.density;
  const int dim = run_.system->dim;
  const auto outside = static_cast<std::uint32_t>(counts_.size() - 1);
  /// The cell along an axis; -1 outside.
  const auto place = [&](int axis, const double* state) -> std::int64_t {
    const double value = value_of(run_, run_.axes[axis], state);
    const auto [low, high] = density.range[axis];
    if (!(value >= low && value < high)) return -1;
    return cell_of(value, low, high, density.bins[axis]);
  };
  const std::size_t held = cells.size();
  cells.resize(held + count);
  for (std::int64_t k = 0; k < count; ++k) {
    const double* const state = states + k * dim;
    const std::int64_t row = place(0, state), column = place(1, state);
    cells[held + k] = row < 0 || column < 0 ? outside : static_cast<std::uint32_t>(row * density.bins[1] + column);
  }
}

void SectionDensity::add(std::span<const std::uint32_t> cells) {
  // Counts may be all over the memory, but the next cells are known: a processor fetches them ahead by itself.
  for (const std::uint32_t cell : cells) ++counts_[cell];
}

}  // namespace polhode

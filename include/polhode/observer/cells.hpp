// Cells of equal width in which values are counted.
#pragma once

#include <cstdint>

#include "polhode/scalar/scalar.hpp"

namespace polhode::inline POLHODE_ISA {

/// Index of the cell of a value with low <= value < high. A cell includes its lower edge but not its upper one.
POLHODE_HD std::int64_t cell_of(double value, double low, double high, std::int64_t cells) {
  const double place = (value - low) / (high - low);
  // Rounding may move a value just below the upper edge onto it.
  const auto cell = static_cast<std::int64_t>(place * static_cast<double>(cells));
  return cell < cells ? cell : cells - 1;
}

}  // namespace polhode::inline POLHODE_ISA

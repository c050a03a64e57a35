// Cells of equal width in which values are counted.
#pragma once

#include <cstdint>

#include "polhode/scalar/scalar.hpp"

namespace polhode {

/// Cells on the axis of an observable (index into System::observables).
struct CellAxis {
  int observable = 0;
  std::int64_t bins = 0;
  double low = 0, high = 0;
  bool is_unbounded = false;  ///< an angle without bound, counted in the turn from `low` on
};

inline namespace POLHODE_ISA {

/// Index of the cell of a value with low <= value < high. A cell includes its lower edge but not its upper one.
POLHODE_HD std::int64_t cell_of(double value, double low, double high, std::int64_t cells) {
  const double place = (value - low) / (high - low);
  // Rounding may move a value just below the upper edge onto it.
  const auto cell = static_cast<std::int64_t>(place * static_cast<double>(cells));
  return cell < cells ? cell : cells - 1;
}

}  // namespace POLHODE_ISA
}  // namespace polhode

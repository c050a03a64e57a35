// Access to columns for neighbouring trajectories or crossings that advance together.
#pragma once

#include <cstdint>
#include <type_traits>

#include "polhode/scalar/scalar.hpp"

namespace polhode::inline POLHODE_ISA {

/// Loads and stores the lanes of a column. Lanes past the end repeat the last entry and are not stored. A full pack
/// takes a few instructions; a partial one takes many, and is an outlined call.
template <class T>
struct LaneRange {
  static constexpr bool is_pack = (lanes_of<T>) > 1;
  std::int64_t first, n;

  POLHODE_HD int count() const { return first + lanes_of<T> <= n ? lanes_of<T> : static_cast<int>(n - first); }
  POLHODE_HD T load(const double* column) const {
    if constexpr (is_pack)
      if (count() == lanes_of<T>) return load_full(column + first);
    return load_some(column);
  }
  POLHODE_HD void store(double* column, const T& x) const {
    if constexpr (is_pack)
      if (count() == lanes_of<T>) return store_full(x, column + first);
    store_some(column, x);
  }

 private:
  // Doubles without a buffer: a register load would stall on the narrower stores of a copy (no store forwarding).
  static POLHODE_HD T load_full(const double* numbers) {
    if constexpr (std::is_same_v<Real<T>, double>) {
      return load_lanes<T>(numbers);
    } else {
      Real<T> memory[lanes_of<T>];
      for (int lane = 0; lane < lanes_of<T>; ++lane) memory[lane] = static_cast<Real<T>>(numbers[lane]);
      return load_lanes<T>(memory);
    }
  }
  static POLHODE_HD void store_full(const T& x, double* numbers) {
    if constexpr (std::is_same_v<Real<T>, double>) {
      store_lanes(x, numbers);
    } else {
      Real<T> memory[lanes_of<T>];
      store_lanes(x, memory);
      for (int lane = 0; lane < lanes_of<T>; ++lane) numbers[lane] = static_cast<double>(memory[lane]);
    }
  }
  POLHODE_OUTLINED T load_some(const double* column) const {
    Real<T> memory[lanes_of<T>] = {};  // GCC does not see that every lane is set
    for (int lane = 0; lane < count(); ++lane) memory[lane] = static_cast<Real<T>>(column[first + lane]);
    for (int lane = count(); lane < lanes_of<T>; ++lane) memory[lane] = static_cast<Real<T>>(column[n - 1]);
    return load_lanes<T>(memory);
  }
  POLHODE_OUTLINED void store_some(double* column, const T& x) const {
    Real<T> memory[lanes_of<T>];
    store_lanes(x, memory);
    for (int lane = 0; lane < count(); ++lane) column[first + lane] = static_cast<double>(memory[lane]);
  }
};

}  // namespace polhode::inline POLHODE_ISA

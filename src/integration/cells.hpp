// Values of columns and observables, and the cells of equal width that they are counted in.
#pragma once

#include <algorithm>
#include <cstdint>

#include "spec/resolved_run.hpp"

namespace polhode {

/// Of the state x[dim].
inline double value_of(const ResolvedRun& run, int observable, const double* x) {
  return observable < run.system->dim ? x[observable] : run.system->observe(run.parameters.data(), observable, x);
}

/// Of a value with low <= value < high: a cell holds its lower edge and not its upper one.
inline std::int64_t cell_of(double value, double low, double high, std::int64_t cells) {
  const double place = (value - low) / (high - low);
  // Rounding may take what is just below the upper edge to it.
  return std::min(static_cast<std::int64_t>(place * static_cast<double>(cells)), cells - 1);
}

}  // namespace polhode

// Owning structure of arrays of an ensemble, in host memory.
#pragma once

#include <cstdint>
#include <vector>

#include "polhode/run/plan.hpp"

namespace polhode {

struct BatchShape {
  std::int64_t n = 0;             ///< trajectories
  int dim = 0, n_invariants = 0;  ///< columns of a state; invariants that are kept
};

struct Batch : BatchShape {
  std::vector<double> state;        ///< [dim][n]
  std::vector<double> invariants;   ///< [n_invariants][n], at step 0
  std::vector<double> max_drift;    ///< [n_invariants][n]
  std::vector<std::int64_t> steps;  ///< [n], completed steps
  std::vector<std::uint8_t> code;   ///< [n], Status

  Batch() = default;
  Batch(std::int64_t n, int dim, int n_invariants)
      : BatchShape{n, dim, n_invariants},
        state(n * dim),
        invariants(n * n_invariants),
        max_drift(n * n_invariants),
        steps(n),
        code(n) {}

  BatchView view() { return {n, state.data(), invariants.data(), max_drift.data(), steps.data(), code.data()}; }
};

}  // namespace polhode

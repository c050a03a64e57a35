// Stages of a step: plain data from which the fast backends and the reference compose the same step.
#pragma once

#include <cstdint>

#include "polhode/method/coefficients.hpp"

namespace polhode {

inline constexpr int max_stages = 128;

/// The step map with some coefficients over a fraction of the step.
struct Stage {
  double fraction = 1;
  Coefficients coefficients = {};
  std::int16_t sweeps = 1;     ///< K, unconditional sweeps of an implicit stage; also in partial steps
  std::int16_t constants = 0;  ///< index of the stage's constants; equal stages share them
};

struct StepPlan {
  int n_stages = 1;  ///< in the order of application
  Stage stages[max_stages] = {};

  /// Coefficients of all stages but for their kicks.
  constexpr const Coefficients& method() const { return stages[0].coefficients; }
  constexpr int most_sweeps() const {
    int most = 0;
    for (int i = 0; i < n_stages; ++i)
      if (stages[i].sweeps > most) most = stages[i].sweeps;
    return most;
  }
};

}  // namespace polhode

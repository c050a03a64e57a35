// How a step is made of applications of a step map: plain data, by which backends and the reference make the same step.
#pragma once

#include <cstdint>

#include "polhode/method/coefficients.hpp"

namespace polhode {

inline constexpr int max_stages = 128;

/// The step map over a fraction of the step, or its adjoint.
struct Stage {
  double fraction = 1;
  std::int16_t sweeps = 1;     ///< K, unconditional sweeps of an implicit stage, of partial steps, too
  std::int16_t constants = 0;  ///< index of what the stage is computed with; like stages share it
  bool adjoint = false;
};

struct StepPlan {
  Coefficients base, adjoint;  ///< of the step map, and of its adjoint where there is one
  int n_stages = 1;            ///< in the order in which they are made
  Stage stages[max_stages] = {};

  constexpr const Coefficients& coefficients(const Stage& stage) const { return stage.adjoint ? adjoint : base; }
  constexpr int most_sweeps() const {
    int most = 0;
    for (int i = 0; i < n_stages; ++i)
      if (stages[i].sweeps > most) most = stages[i].sweeps;
    return most;
  }
};

}  // namespace polhode

// Stages of a step: plain data from which the fast backends and the reference compose the same step.
#pragma once

#include <cstdint>

#include "polhode/method/coefficients.hpp"

namespace polhode {

inline constexpr int max_stages = 128;

/// Largest number of stages of different lengths: a kernel takes all their constants as an argument.
template <class Map>
constexpr int most_constants() {
  if constexpr (requires { Map::most_constants; }) return Map::most_constants;
  return max_stages;
}

/// The step map over a fraction of the step, or its adjoint.
struct Stage {
  double fraction = 1;
  std::int16_t sweeps = 1;     ///< K, unconditional sweeps of an implicit stage; also in partial steps
  std::int16_t constants = 0;  ///< index of the stage's constants; equal stages share them
  bool adjoint = false;
};

struct StepPlan {
  Coefficients base, adjoint;  ///< coefficients of the step map, and of its adjoint if there is one
  int n_stages = 1;            ///< in the order of application
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

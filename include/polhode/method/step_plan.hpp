// Stages of a step: plain data from which the fast backends and the reference compose the same step.
#pragma once

#include <cstdint>

#include "polhode/method/kicks.hpp"
#include "polhode/method/map_options.hpp"

namespace polhode {

inline constexpr int max_stages = 128;
/// Largest number of different kicks among the stages of a step.
inline constexpr int max_kicks = 32;

static_assert(max_stages <= 256 && max_kicks <= 256, "indices of a byte");

/// The step map over a fraction of the step.
struct Stage {
  double fraction = 1;
  std::int16_t sweeps = 1;     ///< K, unconditional sweeps of an implicit stage; also in partial steps
  std::uint8_t kicks = 0;      ///< index of the stage's kicks
  std::uint8_t constants = 0;  ///< index of the stage's constants; equal stages share them
};

struct StepPlan {
  MapOptions options = {};        ///< of the step map, by to_bytes(): zeros are no map's defaults
  Kicks kicks[max_kicks] = {};    ///< by Stage::kicks
  Stage stages[max_stages] = {};  ///< in the order of application
  int n_stages = 1;

  constexpr int most_sweeps() const {
    int most = 0;
    for (int i = 0; i < n_stages; ++i)
      if (stages[i].sweeps > most) most = stages[i].sweeps;
    return most;
  }
};

}  // namespace polhode

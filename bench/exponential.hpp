// RATTLE on the heavy top with rotations as exponentials: its time for a step over that by the program's solvers.
#pragma once

#include <string>
#include <vector>

#include "backend/cpu/isa.hpp"
#include "exponential_step.hpp"

namespace polhode::bench {

/// Time for a step over that of each solver, where all took turns.
inline constexpr const char* this_over_hadamard = "this_over_hadamard";
inline constexpr const char* this_over_cayley = "this_over_cayley";

struct ExponentialMeasurement {
  ExponentialStep exponential;
  Isa isa;  ///< of the solvers, whose registers hold as many lanes

  std::string name() const;
};

std::vector<ExponentialMeasurement> all_exponential_measurements();

void register_exponential_benchmarks();

}  // namespace polhode::bench

// What an integrator costs where all are equally accurate: methods of different orders need steps of different length.
#pragma once

#include <string>
#include <vector>

#include "integrators.hpp"

namespace polhode::bench {

inline constexpr const char* ns_per_time = "ns_per_time";  ///< ns for one unit of time of one trajectory on one core
inline constexpr const char* step_length = "step_length";  ///< the longest step that is accurate enough
inline constexpr const char* error_reached = "error";      ///< with that step

/// An error that must not exceed a tolerance after some time, in any of 64 trajectories.
struct Goal {
  enum class Quantity {
    state,   ///< any component, against a converged solution
    energy,  ///< against the start
  };
  Quantity quantity;
  double tolerance, time;

  std::string name(const Integrator& integrator) const;
};

std::vector<Goal> all_goals();

void register_equal_error_benchmarks();

}  // namespace polhode::bench

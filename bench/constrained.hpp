// Constrained systems: RATTLE by each solver on the example of the system, and the double spherical pendulum against
// odeint's Runge-Kutta method on the same equations.
#pragma once

#include <string>
#include <vector>

#include "backend/cpu/isa.hpp"

namespace polhode::bench {

/// How many times the rival's time for a step is this one's, where both took turns.
inline constexpr const char* rival_over_this = "odeint_over_this";

struct ConstrainedMeasurement {
  const char* system;
  Isa isa;
  int solver;

  std::string name() const;
  bool has_rival() const;
};

std::vector<ConstrainedMeasurement> all_constrained_measurements();
/// The rival's row, of double-spherical-pendulum.
std::string constrained_rival_name();

void register_constrained_benchmarks();

}  // namespace polhode::bench

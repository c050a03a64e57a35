// Constrained systems: RATTLE by each solver on the example of the system, and the double spherical pendulum against
// odeint's Runge-Kutta method on the same equations.
#pragma once

#include <string>
#include <vector>

#include "backend/cpu/isa.hpp"

namespace polhode::bench {

struct ConstrainedMeasurement {
  const char* system;
  Isa isa;
  int solver;

  std::string name() const;
};

std::vector<ConstrainedMeasurement> all_constrained_measurements();
/// The rival's row, of double-spherical-pendulum.
std::string constrained_rival_name();

void register_constrained_benchmarks();

}  // namespace polhode::bench

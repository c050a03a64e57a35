// The double spherical pendulum reduced by rotations about the vertical, on all of its cylindrical coordinates, and in
// space with constraints, by methods of order 4.
#pragma once

#include <string>
#include <vector>

#include "backend/cpu/isa.hpp"

namespace polhode::bench {

/// The time for a step over that of the reduced system, where both took turns.
inline constexpr const char* this_over_reduced = "this_over_reduced";

struct DescriptionMeasurement {
  const char* system;
  const char* method;
  Isa isa;

  std::string name() const;
};

/// Of each method, the reduced system first.
std::vector<DescriptionMeasurement> all_description_measurements();

void register_description_benchmarks();

}  // namespace polhode::bench

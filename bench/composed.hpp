// Composed steps of the heavy top: what one of higher order costs, in single steps.
#pragma once

#include <string>
#include <vector>

#include "backend/cpu/isa.hpp"

namespace polhode::bench {

/// How many single steps take the time of a composed one, where both took turns.
inline constexpr const char* single_steps = "single_steps";

struct ComposedMeasurement {
  Isa isa;
  const char* composition;
  int stages;

  std::string name() const;
};

/// RATTLE by its default solver over every table, on the instruction sets of this machine.
std::vector<ComposedMeasurement> all_composed_measurements();

void register_composed_benchmarks();

}  // namespace polhode::bench

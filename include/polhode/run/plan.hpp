// Input of the fast backends: plain data without functions, the same for every instruction set and device.
#pragma once

#include <cstdint>

#include "polhode/method/step_plan.hpp"
#include "polhode/observer/section.hpp"

namespace polhode {

inline constexpr int max_parameters = 32;

/// Constants of a run.
struct Plan {
  double parameters[max_parameters];  ///< in the order of System::parameters
  StepPlan step_plan;
  double step;  ///< h
  SectionPlan section;
  std::uint32_t invariants;       ///< bit i: record System::invariants[i]; only recorded invariants have columns
  std::uint32_t energy;           ///< the bit of the energy, if energy_limit holds; 0: there is no limit
  double energy_limit;            ///< a larger change of the energy, where invariants are compared, ends a trajectory
  std::int64_t last_step;         ///< invariants are compared there too; no segment goes beyond it
  std::int64_t invariants_every;  ///< compare invariants at global steps divisible by this; at least 1
  std::int64_t snapshots_every;   ///< hand out state and invariants at global steps divisible by this; 0: never
  /// Store states and invariants for statistics at global steps divisible by this, 0 included; 0: never.
  std::int64_t statistics_every;
};

static_assert(sizeof(Plan) <= 4 << 10, "a kernel takes it beside the constants of all stages, 32 KiB together");

/// Steps first, ..., first + count - 1, counted from the start of the run: a segment of any length gives the same bits.
struct Segment {
  std::int64_t first;
  std::int64_t count;
};

inline namespace POLHODE_ISA {

/// Whether states and invariants are stored after n steps of the run.
POLHODE_HD bool stores_after(const Plan& plan, std::int64_t n) {
  return (plan.snapshots_every > 0 && n % plan.snapshots_every == 0) ||
         (plan.statistics_every > 0 && n % plan.statistics_every == 0);
}

}  // namespace POLHODE_ISA
}  // namespace polhode

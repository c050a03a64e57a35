// Floating-point operations of a step, counted by running its source on a number that counts.
#pragma once

#include <optional>
#include <span>

#include "catalog/catalog.hpp"
#include "polhode/run/plan.hpp"

namespace polhode {

struct Operations {
  double fused = 0, others = 0;  ///< fma; multiply, add and subtract. Signs are free
  double divisions = 0;          ///< on a unit of their own

  /// Issue slots of a vector unit: one each.
  double issued() const { return fused + others; }
  double flops() const { return 2 * fused + others + divisions; }
};

/// Mean over some steps of a few of the states [n][dim], without sweeps that a trajectory repeats for its neighbours in
/// a pack. Nothing where every one of these fails, or where the source of the step is not compiled for it: known are
/// kicked rotations of the heavy top.
std::optional<Operations> operations_per_step(const MethodEntry& method, int solver, Precision precision,
                                              const Plan& plan, std::span<const double> states);

}  // namespace polhode

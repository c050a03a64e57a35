// Floating-point operations of a step, counted by running its source on a number that counts.
#pragma once

#include <optional>
#include <span>

#include "catalog/catalog.hpp"
#include "polhode/run/plan.hpp"

namespace polhode {

struct Operations {
  double fused = 0, others = 0;  ///< fmas; multiplications, additions and subtractions, but no changes of sign
  double divisions = 0;          ///< divisions and square roots, for which a core has a unit of their own

  /// Issue slots of a vector unit: one for each operation but divisions.
  double issued() const { return fused + others; }
  double flops() const { return 2 * fused + others + divisions; }
};

/// Operations of a step: the mean over 256 steps from each of the `states` [n][dim], or from 64 of them if there are
/// more. States from which a step fails are left out. Sweeps that a trajectory repeats only because other lanes of its
/// pack have not converged are not counted. Nothing where no state is left, or for a step other than kicked rotations
/// of the heavy top. solver: index into method.solvers.
std::optional<Operations> operations_per_step(const MethodEntry& method, int solver, Precision precision,
                                              const Plan& plan, std::span<const double> states);

}  // namespace polhode

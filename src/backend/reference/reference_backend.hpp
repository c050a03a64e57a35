// The independent reference: slow, on one core. It shares no step, loop or section finder with the fast backends.
#pragma once

#include <memory>

#include "backend/backend.hpp"
#include "backend/reference/reference_method.hpp"

namespace polhode {

/// Function that makes the reference backend of a system, in double, for a method and the stages of the plan. Throws
/// std::invalid_argument where the reference has no such method, or the method cannot be used with the parameters of a
/// body: rattle, constraint-euler and its adjoint with an alpha_i of 0, for which the mass matrix is singular;
/// moser-veselov unless the body is free.
///
/// The internal state, e.g. (Q, P), is retained between segments, so that their length affects no bit. load() resets
/// it: a run resumed from a checkpoint agrees with the uninterrupted one to round-off, whereas the fast backends agree
/// bitwise. The plan's sweeps are not used. No segment overflows.
using MakeReference = std::unique_ptr<Backend> (*)(const RunPlan& plan, const ReferenceMethod& method);

/// Function that makes the reference of a system; instantiated in a generated unit for each system.
template <class System>
MakeReference reference_of();

}  // namespace polhode

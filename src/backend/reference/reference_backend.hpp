// The independent reference: slow, one core, and sharing no step, loop or section finder with the fast backends.
#pragma once

#include <memory>

#include "backend/backend.hpp"

namespace polhode {

/// Makes the reference backend of a system in double, with the equations that the plan's coefficients say. Throws
/// std::invalid_argument where they cannot be used with the parameters: for a body with an alpha_i of 0, whose mass
/// matrix is singular (without kicks none is needed); for a body without kicks whose c is not 0.
///
/// What is advanced, e.g. (Q, P), is kept between segments, so their length does not alter a bit. load() chooses it
/// anew: going on from a checkpoint agrees with the uninterrupted run to round-off, unlike the fast backends, whose
/// bits agree. Sweeps are not used. The section never overflows.
using MakeReference = std::unique_ptr<Backend> (*)(const Plan& plan);

/// The reference of a system; null where it was built without one. Instantiated in a generated unit for each system.
template <class System>
MakeReference reference_of();

}  // namespace polhode

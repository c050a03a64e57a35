// The independent reference: slow, one core, and sharing no step, loop or section finder with the fast backends.
#pragma once

#include <memory>
#include <string_view>

#include "backend/backend.hpp"

namespace polhode {

/// Makes the reference backend of one method on one system, in double. Throws std::invalid_argument where it cannot be
/// used with the parameters: for a body with an alpha_i of 0, whose mass matrix is singular (moser-veselov does without
/// one); for moser-veselov with a c that is not 0.
///
/// What is advanced, e.g. (Q, P), is kept between segments, so their length does not alter a bit. load() chooses it
/// anew: going on from a checkpoint agrees with the uninterrupted run to round-off, unlike the fast backends, whose
/// bits agree. Plan::sweeps is not used. The section never overflows.
using MakeReference = std::unique_ptr<Backend> (*)(const Plan& plan);

/// The reference of a method on a system, by the method's name in the catalog: the reference knows no method's header.
/// Null where there is none. Instantiated in a generated unit for each system.
template <class System>
MakeReference find_reference(std::string_view method);

}  // namespace polhode

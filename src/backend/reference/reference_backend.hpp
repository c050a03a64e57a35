// The independent reference: slow, one core, and sharing no step, loop or section finder with the fast backends.
#pragma once

#include <memory>
#include <string_view>

#include "backend/backend.hpp"

namespace polhode {

/// Heavy tops by RATTLE on 3x3 matrices in double (reference_heavy_top.hpp). Throws std::invalid_argument for a body
/// with an alpha_i of 0, whose mass matrix is singular.
///
/// (Q, P) is kept between segments, so their length does not alter a bit. load() chooses a new rotation about the
/// vertical: going on from a checkpoint agrees with the uninterrupted run to round-off, unlike the fast backends, whose
/// bits agree. Plan::sweeps is not used. The section never overflows.
std::unique_ptr<Backend> make_reference_backend(const Plan& plan);

using MakeReference = std::unique_ptr<Backend> (*)(const Plan& plan);

/// What makes the reference of a method on a system, by their names in the catalog: the reference knows no method's
/// header. Null where there is none.
MakeReference find_reference(std::string_view system, std::string_view method);

}  // namespace polhode

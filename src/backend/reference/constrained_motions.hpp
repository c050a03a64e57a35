// Motions of the reference, selected by the name of a method.
#pragma once

#include <memory>

#include "backend/reference/cyclic_values.hpp"
#include "backend/reference/motion.hpp"
#include "backend/reference/reference_method.hpp"
#include "backend/reference/system_values.hpp"

namespace polhode {

// Each make_motion() throws std::invalid_argument where the reference has no such method on the system.

std::unique_ptr<Motion> make_motion(const MechanicalValues& system, const ReferenceMethod& method);
std::unique_ptr<Motion> make_motion(const HamiltonianValues& system, const ReferenceMethod& method);
/// Motion of a system with a cyclic coordinate theta, unreduced: in all coordinates q = (x, theta).
std::unique_ptr<Motion> make_motion(const CyclicValues& system, const ReferenceMethod& method);
/// Motion of a system that is reduced by its cyclic coordinate; mu is the momentum of that coordinate.
std::unique_ptr<Motion> make_motion(const CyclicValues& system, double mu, const ReferenceMethod& method);

}  // namespace polhode

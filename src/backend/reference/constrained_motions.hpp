// Motions of the reference, selected by the name of a method.
#pragma once

#include <memory>

#include "backend/reference/cyclic_values.hpp"
#include "backend/reference/motion.hpp"
#include "backend/reference/reference_method.hpp"
#include "backend/reference/system_values.hpp"

namespace polhode {

std::unique_ptr<Motion> make_motion(const MechanicalValues& system, const ReferenceMethod& method);
std::unique_ptr<Motion> make_motion(const HamiltonianValues& system, const ReferenceMethod& method);
/// Motion of a system with a cyclic coordinate on all its coordinates, q = (x, theta).
std::unique_ptr<Motion> make_motion(const CyclicValues& system, const ReferenceMethod& method);
/// Motion of a system with a cyclic coordinate that is reduced to the momentum mu.
std::unique_ptr<Motion> make_motion(const CyclicValues& system, double mu, const ReferenceMethod& method);

}  // namespace polhode

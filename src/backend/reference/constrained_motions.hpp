// Motions of the reference, selected by the coefficients of a method (polhode/method/coefficients.hpp).
#pragma once

#include <memory>

#include "backend/reference/cyclic_values.hpp"
#include "backend/reference/motion.hpp"
#include "backend/reference/system_values.hpp"
#include "polhode/method/coefficients.hpp"

namespace polhode {

std::unique_ptr<Motion> make_motion(const MechanicalValues& system, const Coefficients& method);
std::unique_ptr<Motion> make_motion(const HamiltonianValues& system, const Coefficients& method);
/// Motion of a system on all coordinates, q = (x, theta).
std::unique_ptr<Motion> make_motion(const CyclicValues& system, const Coefficients& method);
/// Motion of the system that is reduced to the momentum mu.
std::unique_ptr<Motion> make_motion(const CyclicValues& system, double mu, const Coefficients& method);

}  // namespace polhode

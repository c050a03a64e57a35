// The motions of constrained systems that the reference knows.
#pragma once

#include <memory>

#include "backend/reference/kick_fractions.hpp"
#include "backend/reference/motion.hpp"
#include "backend/reference/system_values.hpp"

namespace polhode {

/// What is known of the momentum at the end of a step.
enum class MomentumAt { hidden_constraint, tangent, unprojected };

/// How a system with substituted multipliers is advanced: the cases of Rule in polhode/method/
/// coefficients.hpp.
enum class FlowRule { implicit_midpoint, rk4, rk4_projected };

std::unique_ptr<Motion> make_kicked_motion(const MechanicalValues& system, KickFractions kicks, MomentumAt momentum);
std::unique_ptr<Motion> make_substituted_flow(const MechanicalValues& system, FlowRule rule);
std::unique_ptr<Motion> make_hamiltonian_motion(const HamiltonianValues& system, KickFractions kicks);

}  // namespace polhode

#include "backend/reference/constrained_motions.hpp"

#include "backend/reference/hamiltonian_motion.hpp"
#include "backend/reference/kicked_motion.hpp"
#include "backend/reference/mechanical_problem.hpp"
#include "backend/reference/substituted_flow.hpp"

namespace polhode {

std::unique_ptr<Motion> make_kicked_motion(const MechanicalValues& system, KickFractions kicks, MomentumAt momentum) {
  return std::make_unique<KickedMotion>(mechanical_problem(system), kicks, momentum);
}

std::unique_ptr<Motion> make_substituted_flow(const MechanicalValues& system, FlowRule rule) {
  return std::make_unique<SubstitutedFlow>(mechanical_problem(system), rule);
}

std::unique_ptr<Motion> make_hamiltonian_motion(const HamiltonianValues& system, KickFractions kicks) {
  return std::make_unique<HamiltonianMotion>(system, kicks);
}

}  // namespace polhode

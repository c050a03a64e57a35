#include "backend/reference/constrained_motions.hpp"

#include "backend/reference/flow_motion.hpp"
#include "backend/reference/free_motion.hpp"
#include "backend/reference/generated_motion.hpp"
#include "backend/reference/hamiltonian_motion.hpp"
#include "backend/reference/kicked_motion.hpp"
#include "backend/reference/lobatto_motion.hpp"
#include "backend/reference/mechanical_problem.hpp"
#include "backend/reference/substituted_flow.hpp"

namespace polhode {

std::unique_ptr<Motion> make_motion(const MechanicalValues& system, const Coefficients& method) {
  if (system.D == 0) {
    if (method.rule == Rule::generating_function) return std::make_unique<GeneratedMotion>(system, method);
    if (!has_kicks(method)) return std::make_unique<FlowMotion>(system, method);
    require_kicks_only(method);
    return std::make_unique<FreeMotion>(system);
  }
  if (method.rule == Rule::lobatto) return std::make_unique<LobattoMotion>(hamiltonian_values(system), method.stages);
  if (method.rule != Rule::kicks) return std::make_unique<SubstitutedFlow>(mechanical_problem(system), method);
  return std::make_unique<KickedMotion>(mechanical_problem(system), method.momentum);
}

std::unique_ptr<Motion> make_motion(const HamiltonianValues& system, const Coefficients& method) {
  if (system.D == 0) return std::make_unique<FlowMotion>(system, method);
  if (method.rule == Rule::lobatto) return std::make_unique<LobattoMotion>(system, method.stages);
  require_kicks_only(method);
  return std::make_unique<HamiltonianMotion>(system);
}

}  // namespace polhode

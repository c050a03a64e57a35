// Body of a generated reference unit: the motions of one system.
//
// Bodies with a fixed point are advanced unreduced, through an embedding; constrained systems directly.
#pragma once

#include "backend/reference/constrained_motions.hpp"
#include "backend/reference/reference_backend.hpp"
#include "backend/reference/reference_run.hpp"
#include "polhode/system/canonical_system.hpp"
#include "polhode/system/constrained_system.hpp"
#include "polhode/system/cyclic_system.hpp"
#include "polhode/system/hamiltonian_system.hpp"
#include "polhode/system/routh_reduced.hpp"

namespace polhode {

/// Reference of a system: motion() makes its Motion for a method. This template is for ConstrainedSystem and
/// MechanicalSystem; all other systems have a specialisation, below or in of_*.hpp.
template <class System>
struct ReferenceOf {
  static std::unique_ptr<Motion> motion(const Plan& plan, const ReferenceMethod& method) {
    return make_motion(mechanical_values<System>(plan.parameters), method);
  }
};

template <class Physics>
struct ReferenceOf<HamiltonianSystem<Physics>> {
  static std::unique_ptr<Motion> motion(const Plan& plan, const ReferenceMethod& method) {
    return make_motion(hamiltonian_values<HamiltonianSystem<Physics>>(plan.parameters), method);
  }
};
template <class Physics>
struct ReferenceOf<CanonicalSystem<Physics>> {
  static std::unique_ptr<Motion> motion(const Plan& plan, const ReferenceMethod& method) {
    return make_motion(hamiltonian_values<CanonicalSystem<Physics>>(plan.parameters), method);
  }
};
template <class Physics>
struct ReferenceOf<PhaseSpace<CyclicPhysics<Physics>, CyclicSystemCalculus>> {
  static std::unique_ptr<Motion> motion(const Plan& plan, const ReferenceMethod& method) {
    return make_motion(cyclic_values<Physics>(plan.parameters), method);
  }
};
template <class Physics>
struct ReferenceOf<RouthReduced<Physics>> {
  static std::unique_ptr<Motion> motion(const Plan& plan, const ReferenceMethod& method) {
    const double mu = plan.parameters[std::size(Physics::example_parameters)];
    return make_motion(cyclic_values<Physics>(plan.parameters), mu, method);
  }
};

template <class System>
MakeReference reference_of() {
  return [](const RunPlan& plan, const ReferenceMethod& method) -> std::unique_ptr<Backend> {
    return make_reference_run(plan, observables_of<System>(plan.parameters), ReferenceOf<System>::motion(plan, method));
  };
}

}  // namespace polhode

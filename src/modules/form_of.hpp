// Form of a user's system (polhode/system/form.hpp), by its type.
#pragma once

#include "polhode/system/canonical_system.hpp"
#include "polhode/system/constrained_system.hpp"
#include "polhode/system/cyclic_system.hpp"
#include "polhode/system/form.hpp"
#include "polhode/system/hamiltonian_system.hpp"
#include "polhode/system/mechanical_system.hpp"
#include "polhode/system/routh_reduced.hpp"

namespace polhode::inline POLHODE_ISA {

template <class System>
struct FormOf {
  static_assert(sizeof(System) == 0,
                "POLHODE_SYSTEM names no ConstrainedSystem, HamiltonianSystem, MechanicalSystem, CanonicalSystem, "
                "CyclicSystem or RouthReduced");
};
template <SystemForm form_>
struct IsForm {
  static constexpr SystemForm form = form_;
};
template <class Physics>
struct FormOf<ConstrainedSystem<Physics>> : IsForm<SystemForm::constrained> {};
template <class Physics>
struct FormOf<HamiltonianSystem<Physics>> : IsForm<SystemForm::hamiltonian> {};
template <class Physics>
struct FormOf<MechanicalSystem<Physics>> : IsForm<SystemForm::mechanical> {};
template <class Physics>
struct FormOf<CanonicalSystem<Physics>> : IsForm<SystemForm::canonical> {};
template <class Physics>
struct FormOf<CyclicSystem<Physics>> : IsForm<SystemForm::cyclic> {};
template <class Physics>
struct FormOf<RouthReduced<Physics>> : IsForm<SystemForm::reduced> {};

}  // namespace polhode::inline POLHODE_ISA

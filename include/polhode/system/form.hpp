// Forms in which a user's header may give a system, each with the templates that make a system of it.
#pragma once

namespace polhode {

enum class SystemForm {
  constrained,  ///< ConstrainedSystem: kinetic energy of constant mass, potential, constraints
  hamiltonian,  ///< HamiltonianSystem: H(q, p), constraints
  mechanical,   ///< MechanicalSystem: kinetic energy of constant mass and potential
  canonical,    ///< CanonicalSystem: H(q, p)
  cyclic,       ///< CyclicSystem: a metric and a potential that do not depend on the last coordinate
  reduced,      ///< RouthReduced: the same, reduced to a momentum
};
inline constexpr int n_system_forms = 6;

/// Templates of the forms.
inline constexpr const char* form_templates[n_system_forms] = {
    "ConstrainedSystem", "HamiltonianSystem", "MechanicalSystem", "CanonicalSystem", "CyclicSystem", "RouthReduced"};

/// Set of forms.
using SystemForms = unsigned;
constexpr SystemForms set_of(auto... form) { return (0u | ... | (1u << static_cast<int>(form))); }
constexpr bool contains(SystemForms forms, SystemForm form) { return (forms & set_of(form)) != 0; }

}  // namespace polhode

// Projection of a state near the constraints, q onto g = 0 along W G^T and then p onto G W p = 0, by Newton's method
// with one factorisation (McLachlan & Scovel 1995, sect. 6.3).
#pragma once

#include "polhode/method/multiplier_solvers.hpp"

namespace polhode::inline POLHODE_ISA {

/// Projects x in place. Returns the lanes in which the iteration has converged to the constraints; lanes outside
/// `active` cost no iteration and count as converged.
template <class System, class T>
POLHODE_HD Mask<T> project_onto_constraints(const typename System::template Model<T>& model, const TimeStep<T>& step,
                                            int sweeps, typename System::template State<T>& x, const Mask<T>& active) {
  Vec<T, System::N> rest;
  unroll<System::N>([&](int i) POLHODE_LAMBDA { rest[i] = T(Real<T>(0)); });
  const NewtonSecantSolver::Equation<System, T> equation(model, System::position(x), rest, step);
  auto unknown = equation.start();
  const Mask<T> converged =
      iterate<T>(unknown, sweeps, active, [equation](const auto& last) POLHODE_LAMBDA { return equation.sweep(last); });
  x = System::state(unknown.q, model.to_hidden_constraint(unknown.q, System::momentum(x)));
  return converged & (is_negligible(model.displacement(unknown.q, unknown.q), unknown.q) | !active);
}

/// Unconditional sweeps of the projection: a step of order 4 ends close to the constraints.
inline constexpr int projection_sweeps = 2;

}  // namespace polhode::inline POLHODE_ISA

// Ways between two descriptions of one physical system (descriptions.hpp): plain data of the catalog.
#pragma once

namespace polhode {

/// A conserved momentum of a state: its value, and the largest value of states of the same shape and kinetic energy.
struct ConservedMomentum {
  double value, most;
};

/// Conversion from one description of a system, in whose list of transitions it is, to another one, and back. p: the
/// parameters of the description that has more of them, of which the first are those of the other.
struct Transition {
  /// Function that converts the state x of one description to y of the other; returns null, or why x has no
  /// counterpart.
  using Convert = const char* (*)(const double* p, const double* x, double* y);

  const char* other;  ///< the name of the other description
  Convert there, back;
  /// Function that returns the conserved momentum of a state x. The other description, if it is reduced, has it as its
  /// last parameter, which p may lack here. Null where the other description is not reduced.
  ConservedMomentum (*momentum)(const double* p, const double* x);
};

}  // namespace polhode

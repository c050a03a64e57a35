// Ways between two descriptions of one physical system (descriptions.hpp): plain data of the catalog.
#pragma once

namespace polhode {

/// A conserved momentum, and the largest that states of the same shape and kinetic energy have.
struct ConservedMomentum {
  double value, most;
};

/// Way from a description of a system, the one that has it in a list, to another, and back. p: the parameters of the
/// description that has more of them; those of the other are the first of these.
struct Transition {
  /// Function that converts the state x to y in another description; returns null, or why x has no counterpart.
  using Convert = const char* (*)(const double* p, const double* x, double* y);

  const char* other;  ///< the name of the other description
  Convert there, back;
  /// Conserved momentum of a state x, the last parameter of the other description, which need not be in p. Null where
  /// the other description is not reduced.
  ConservedMomentum (*momentum)(const double* p, const double* x);
};

}  // namespace polhode

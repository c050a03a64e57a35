// Ways between two descriptions of one physical system (descriptions.hpp): plain data of the catalog.
#pragma once

namespace polhode {

/// A conserved momentum, and the most that it is in states of the same shape and kinetic energy.
struct ConservedMomentum {
  double value, most;
};

/// p: the parameters of the system that has more of them; those of the other one are the first of these.
struct Transition {
  /// The state x in another description, y. Null, or why it has none there.
  using Convert = const char* (*)(const double* p, const double* x, double* y);

  const char* other;  ///< the name of the other description
  Convert there, back;
  /// Conserved momentum of a state x, the last parameter of the other description. Null where that is not reduced.
  ConservedMomentum (*momentum)(const double* p, const double* x);
};

}  // namespace polhode

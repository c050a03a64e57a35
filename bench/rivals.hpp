// The rivals: explicit Runge-Kutta methods of other libraries on the same systems, one trajectory at a time and with
// steps of fixed length. Knows nothing of polhode.
#pragma once

namespace polhode::bench {

struct Rival {
  const char* name;
  int order;
  /// Advances each of n trajectories by `steps` steps of length h.
  /// states: [n][dim], those of the system; parameters in the order of the system's.
  void (*advance)(double* states, long n, long steps, double h, const double* parameters);
};

#define POLHODE_RIVAL extern __attribute__((visibility("default"))) const Rival
POLHODE_RIVAL odeint_runge_kutta4;
POLHODE_RIVAL odeint_dormand_prince5;
POLHODE_RIVAL gsl_rk8pd;
POLHODE_RIVAL odeint_double_pendulum;
#undef POLHODE_RIVAL

}  // namespace polhode::bench

// Functions of a user's system from whose values the reference is made, as a module exports them: plain functions of
// the parameters p and of a state x[dim], or of positions and momenta.
#pragma once

#include "polhode/system/form.hpp"

namespace polhode {

/// Functions of a user's system; those that its form does not have are null. Complex numbers are pairs, real and
/// imaginary part.
struct ValueTable {
  SystemForm form;
  int dim, n_invariants;
  int n_parameters;  ///< length of p; for a reduced system the last parameter is the momentum
  /// Numbers of positions and of constraints; with a cyclic coordinate, N is the number of shape coordinates.
  int N, D;
  double (*observe)(const double* p, int i, const double* x);
  double (*invariant)(const double* p, int i, const double* x);
  double (*magnitude)(const double* p, int i, const double* x);  ///< size of the terms of observable i
  bool (*in_domain)(const double* p, const double* x);
  bool (*is_at_edge)(const double* p, const double* x, double h);
  void (*velocity)(const double* p, const double* momentum, double* v);                          ///< v[N] = W p
  void (*potential)(const double* p, const double* q, double* value);                            ///< complex
  void (*hamiltonian)(const double* p, const double* q, const double* momentum, double* value);  ///< complex
  void (*constraints)(const double* p, const double* q, double* g);                              ///< complex
  void (*layer)(const double* p, const double* curve, double* rates);  ///< complex, as LayerFunction
  void (*metric)(const double* p, const double* x, double* values);    ///< complex, as CyclicValues::metric
  void (*discrete_lagrangian)(const double* p, const double* x0, const double* x1, const double* turn, double h,
                              double* value);  ///< complex, but for h; as in CyclicValues, null if the system has none
};

}  // namespace polhode

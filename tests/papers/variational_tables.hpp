// Explicit Runge-Kutta methods, for the standard layers of variational integrators.
#pragma once

#include <string>
#include <vector>

namespace polhode::test {

/// Stages v_i = f(y + h sum_j a_ij v_j), in rows of a with zeros from the diagonal on; y + h sum_i b_i v_i.
struct ExplicitTable {
  std::string name;
  int order;
  std::vector<std::vector<double>> a;
  std::vector<double> b;
};

/// euler, heun, midpoint, kutta3, rk4, dopri5 (Dormand & Prince 1980), verner6 (Verner 1978) and dop853 (the 12 stages
/// of order 8 by Dormand and Prince in Hairer, Norsett & Wanner, Solving ordinary differential equations I, II.5 and
/// II.10).
const std::vector<ExplicitTable>& explicit_tables();
const ExplicitTable& explicit_table(const std::string& name);

}  // namespace polhode::test

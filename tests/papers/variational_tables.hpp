// Explicit Runge-Kutta methods, for the standard layers of variational integrators.
#pragma once

#include <string>
#include <vector>

namespace polhode::test {

/// Stages v_i = f(y + h sum_j a_ij v_j), in rows of a with zeros from the diagonal on; y + h sum_i b_i v_i.
struct LayerTable {
  std::string name;
  int order;
  std::vector<std::vector<double>> a;
  std::vector<double> b;
};

/// The tables of the program (polhode/method/explicit_tables.hpp) with their orders.
const std::vector<LayerTable>& layer_tables();
const LayerTable& layer_table(const std::string& name);

}  // namespace polhode::test

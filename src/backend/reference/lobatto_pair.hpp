// The tables of the Lobatto pairs from their definitions: weights b and positions' a by collocation at the nodes,
// sum_j a_ij c_j^(k-1) = c_i^k / k, and the momenta's a_hat from symplecticity, b_i a_hat_ij + b_j a_ji = b_i b_j.
#pragma once

#include <Eigen/Dense>
#include <cmath>

#include "backend/reference/dense_solve.hpp"

namespace polhode {

struct LobattoPair {
  Eigen::MatrixXd a, a_hat;
  Eigen::VectorXd b;

  /// stages: 2 to 4.
  explicit LobattoPair(int stages) {
    using Vector = Eigen::VectorX<long double>;
    using Matrix = Eigen::MatrixX<long double>;
    // The ends and the zeros of the derivative of the Legendre polynomial of degree stages - 1.
    Vector nodes = Vector::Zero(stages);
    nodes[stages - 1] = 1;
    if (stages == 3) nodes[1] = 0.5L;
    if (stages == 4) nodes[1] = (1 - 1 / std::sqrt(5.0L)) / 2, nodes[2] = 1 - nodes[1];

    Matrix powers(stages, stages), collocation(stages, stages), dual(stages, stages);
    const auto power = [](long double c, int k) { return k == 0 ? 1 : std::pow(c, k); };
    for (int k = 0; k < stages; ++k)
      for (int j = 0; j < stages; ++j) powers(k, j) = power(nodes[j], k);
    for (int i = 0; i < stages; ++i) {
      Vector moments(stages);
      for (int k = 0; k < stages; ++k) moments[k] = power(nodes[i], k + 1) / (k + 1);
      collocation.row(i) = solve_dense<long double>(powers, moments).transpose();
    }
    const Vector weights = collocation.row(stages - 1);
    for (int i = 0; i < stages; ++i)
      for (int j = 0; j < stages; ++j) dual(i, j) = weights[j] * (1 - collocation(j, i) / weights[i]);
    a = collocation.cast<double>();
    a_hat = dual.cast<double>();
    b = weights.cast<double>();
  }
};

}  // namespace polhode

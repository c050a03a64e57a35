// A constrained mechanical system as a problem for constrained_step.hpp, and as a Hamiltonian system, from values of W
// p, V and g alone.
#pragma once

#include <Eigen/Dense>

#include "backend/reference/constrained_step.hpp"
#include "backend/reference/system_values.hpp"

namespace polhode {

inline ConstrainedProblem<double> mechanical_problem(const MechanicalValues& values) {
  Eigen::MatrixXd W(values.N, values.N);
  for (int j = 0; j < values.N; ++j) {
    const Eigen::VectorXd e = Eigen::VectorXd::Unit(values.N, j);
    values.velocity(e.data(), W.col(j).data());
  }
  return {.inverse_mass = W,
          .potential = [=](const Eigen::VectorXcd& q) { return values.potential(q.data()); },
          .constraints =
              [=](const Eigen::VectorXcd& q) {
                Eigen::VectorXcd g(values.D);
                values.constraints(q.data(), g.data());
                return g;
              }};
}

inline HamiltonianValues hamiltonian_values(const MechanicalValues& values) {
  const Eigen::MatrixXd W = mechanical_problem(values).inverse_mass;
  const int N = values.N;
  LayerFunction layer;
  if (values.layer) {
    const Eigen::MatrixXd M = inverse_dense(W);
    layer = [=](const Complex* curve, Complex* rates) {
      Eigen::VectorXcd with_momenta = Eigen::Map<const Eigen::VectorXcd>(curve, 2 * N + 1);
      with_momenta.segment(N, N) = M * with_momenta.segment(N, N);
      Eigen::Map<Eigen::VectorXcd> all(rates, 2 * N + 1);
      values.layer(with_momenta.data(), rates);
      all.segment(N, N) = W * all.segment(N, N);
    };
  }
  return {values.N, values.D,
          [=](const Complex* q, const Complex* p) {
            const Eigen::Map<const Eigen::VectorXcd> momentum(p, W.rows());
            const Complex twice_kinetic = momentum.transpose() * W * momentum;
            return twice_kinetic / 2.0 + values.potential(q);
          },
          values.constraints, layer};
}

}  // namespace polhode

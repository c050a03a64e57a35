// The Hamiltonian of the body in an ideal fluid (polhode/system/underwater_vehicle.hpp) as the Legendre transform of
// the Lagrangian of variational_problems.cpp, at points off the constraints: H = p.v - L, H_p = v, H_q = -L_q with p =
// M v.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <complex>
#include <iterator>
#include <random>
#include <vector>

#include "papers/variational_problems.hpp"
#include "polhode/system/underwater_vehicle.hpp"

namespace polhode::test {
namespace {

/// -L_q at (q, v), by the complex step.
Eigen::VectorXd minus_position_gradient(const ConstrainedLagrangian& problem, const Eigen::VectorXd& q,
                                        const Eigen::VectorXd& v) {
  constexpr double tiny = 1e-30;
  Eigen::VectorXd gradient(q.size());
  const Eigen::VectorXcd zero = Eigen::VectorXcd::Zero(q.size()), no_forces = Eigen::VectorXcd::Zero(problem.d);
  for (int k = 0; k < q.size(); ++k) {
    Eigen::VectorXcd moved = q.cast<std::complex<double>>();
    moved[k] += std::complex<double>(0, tiny);
    gradient[k] = -problem.residual(moved, v.cast<std::complex<double>>(), zero, no_forces).tail<1>()[0].imag() / tiny;
  }
  return gradient;
}
Vec<double, 12> twelve(const Eigen::VectorXd& x) {
  Vec<double, 12> all;
  for (int i = 0; i < 12; ++i) all[i] = x[i];
  return all;
}

TEST(UnderwaterVehicle, HasTheHamiltonianOfItsLagrangian) {
  std::mt19937_64 random(31);
  std::normal_distribution<double> normal;
  for (const Centres centres : {Centres::coincide, Centres::apart}) {
    const VariationalCase of = underwater_vehicle(centres);
    std::vector<double> p(std::begin(UnderwaterVehicle::example_parameters),
                          std::end(UnderwaterVehicle::example_parameters));
    if (centres == Centres::coincide) std::fill_n(p.begin() + Vehicle::coupling_at, 10, 0);
    const UnderwaterVehicle::Model<double> model(p.data());
    for (int trial = 0; trial < 20; ++trial) {
      Eigen::VectorXd q = of.q, v(12);
      for (double& x : q) x += 0.1 * normal(random);
      for (double& x : v) x = normal(random);
      const LagrangianTerms terms = of.problem->terms(q, v);
      const Eigen::VectorXd momentum = terms.mass * v;
      const auto at = twelve(q), of_v = twelve(momentum);
      // Terms of some 10, and the mass matrix has eigenvalues down to a tenth.
      EXPECT_NEAR(model.hamiltonian(at, of_v), momentum.dot(v) - terms.lagrangian, 1e-12);
      const auto velocity = model.velocity(at, of_v), gradient = model.position_gradient(at, of_v);
      const Eigen::VectorXd expected = minus_position_gradient(*of.problem, q, v);
      for (int i = 0; i < 12; ++i) {
        EXPECT_NEAR(velocity[i], v[i], 1e-12) << i;
        EXPECT_NEAR(gradient[i], expected[i], 1e-12) << i;
      }
    }
  }
}

}  // namespace
}  // namespace polhode::test

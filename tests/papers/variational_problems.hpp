// The systems that the claims about variational integrators are shown on, with their starts (q0, v0).
#pragma once

#include <Eigen/Dense>
#include <memory>
#include <string>
#include <vector>

#include "papers/variational_problem.hpp"

namespace polhode::test {

/// A system with a start on g = 0, G v = 0.
struct VariationalCase {
  std::string name;
  std::shared_ptr<const ConstrainedLagrangian> problem;
  Eigen::VectorXd q, v;
};

/// Pendulum in the plane: |q| = 1, mass and gravity 1; at angle 0.6435, angular velocity 0.5.
VariationalCase planar_pendulum();
/// Spherical pendulum: |q| = 1, mass 1.
VariationalCase spherical_pendulum(double gravity = 1);
/// Spherical pendulum with M = 1 + 0.3 q_z and a = 0.4 (-y, x, 0).
VariationalCase magnetic_pendulum();
/// Double spherical pendulum in relative vectors: masses 1, 2, lengths 1, 0.8.
VariationalCase double_pendulum_by_links();
/// Body with a fixed point as a 3 x 3 matrix q, by rows: L = 1/2 tr(q' diag(moments) q'^T) - q_33, q^T q = 1.
VariationalCase top_by_matrices(const Eigen::Vector3d& moments = {0.44, 0.5, 1});
/// Three atoms with rigid bonds in free space, masses 16, 1, 1.
VariationalCase free_water();
/// Body in an ideal fluid (Kirchhoff), q = (R by rows, x), on R^T R = 1:
///
///     L = 1/2 tr(R' d R'^T) + 1/2 <R', R hat(D R^T x')> + 1/2 x'.R M R^T x' - c e3.R chi
///
/// with d = diag(.237, .098, .12), M = diag(1.234, 1.341, 2.253). With coinciding centres D = 0, c = 0; otherwise
/// D = hat(0, 0, -.03), c = .3, chi = -e3.
enum class Centres { coincide, apart };
VariationalCase underwater_vehicle(Centres centres);

/// All but the planar pendulum, the water and the vehicle.
std::vector<VariationalCase> pendula_and_top();

}  // namespace polhode::test

// Systems in space without a fixed point: a vehicle under water (Kirchhoff) and a free molecule. In R^12 with
// constraints the vehicle has the reduced equations of Omega, v in the body, with Pi = J Omega + D v, P = D^T Omega + M
// v:
//
//     Pi' = Pi x Omega + P x v + c Gamma x chi,   P' = P x Omega,   R' = R hat(Omega),   x' = R v,   Gamma = R^T e3
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "numerics/dense.hpp"
#include "papers/variational_momenta.hpp"
#include "papers/variational_subject.hpp"
#include "papers/variational_vehicle_numbers.hpp"
#include "support/vehicle.hpp"

namespace polhode::test {
namespace {

using Three = Eigen::Vector3d;

Three axial_part(const Eigen::Matrix3d& a) { return {a(2, 1), a(0, 2), a(1, 0)}; }
Eigen::Matrix3d matrix_by_rows(const Eigen::VectorXd& q) {
  return Eigen::Map<const Eigen::Matrix3d>(q.data()).transpose();
}

/// Omega, v, Pi, P of a point (q, q').
struct VehicleMotion {
  VehicleMotion(Centres centres, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
    const Eigen::Matrix3d R = matrix_by_rows(q);
    if (centres == Centres::apart) D << 0, .03, 0, -.03, 0, 0, 0, 0, 0;
    omega = axial_part(R.transpose() * matrix_by_rows(v));
    speed = R.transpose() * Three(v.tail<3>());
    Pi = inertia.cwiseProduct(omega) + D * speed;
    P = D.transpose() * omega + mass.cwiseProduct(speed);
  }
  const Three inertia{.218, .357, .335}, mass{1.234, 1.341, 2.253};
  Eigen::Matrix3d D = Eigen::Matrix3d::Zero();
  Three omega, speed, Pi, P;
};

TEST(UnderwaterVehicle, HasTheReducedEquationsOfKirchhoff) {
  std::mt19937_64 random(58);
  std::normal_distribution<double> normal;
  for (const Centres centres : {Centres::coincide, Centres::apart})
    for (int trial = 0; trial < 20; ++trial) {
      const VariationalCase of = underwater_vehicle(centres);
      const auto three = [&] { return Three(normal(random), normal(random), normal(random)); };
      const Eigen::Matrix3d R = Eigen::AngleAxisd(3 * normal(random), three().normalized()).toRotationMatrix();
      const Three omega = three(), speed = three();
      const auto hat = [](const Three& w) {
        Eigen::Matrix3d a;
        a << 0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0;
        return a;
      };
      const auto by_rows = [](const Eigen::Matrix3d& a, const Three& x) {
        Eigen::VectorXd q(12);
        for (int i = 0; i < 3; ++i) q.segment<3>(3 * i) = a.row(i).transpose();
        q.tail<3>() = x;
        return q;
      };
      const Eigen::VectorXd q = by_rows(R, three()), v = by_rows(R * hat(omega), R * speed);
      const Eigen::VectorXd A = layer_rates(*of.problem, point_jet(q, v)).acceleration;
      // R'' = R (hat(Omega)^2 + hat(Omega')) and x'' = R (Omega x v + v').
      const Eigen::Matrix3d second = R.transpose() * matrix_by_rows(A) - hat(omega) * hat(omega);
      const Three omega_rate = axial_part(second), speed_rate = R.transpose() * Three(A.tail<3>()) - omega.cross(speed);
      const VehicleMotion at(centres, q, v);
      const Three Pi_rate = at.inertia.cwiseProduct(omega_rate) + at.D * speed_rate;
      const Three P_rate = at.D.transpose() * omega_rate + at.mass.cwiseProduct(speed_rate);
      const double c = centres == Centres::apart ? .3 : 0;
      const Three torque = c * Three(R.row(2)).cross(Three(0, 0, -1));
      // Rounding of squares of velocities of at most 4.
      EXPECT_LT((Pi_rate - at.Pi.cross(omega) - at.P.cross(speed) - torque).norm(), 1e-12);
      EXPECT_LT((P_rate - at.P.cross(omega)).norm(), 1e-12);
      EXPECT_LT((second + second.transpose()).norm(), 1e-12);
    }
}

TEST(UnderwaterVehicle, MovesAsItsReducedEquationsSay) {
  for (const Centres centres : {Centres::coincide, Centres::apart}) {
    const VariationalCase of = underwater_vehicle(centres);
    const LayerJet end = exact_motion(of, 1);
    const VehicleMotion at(centres, end.q, end.v);
    Eigen::VectorXd motion(18);
    motion << end.q, at.Pi, at.P;
    const std::vector<double>& expected = centres == Centres::coincide ? vehicle_at_1 : weighted_vehicle_at_1;
    for (int k = 0; k < 18; ++k) EXPECT_NEAR(motion[k], expected[k], 5e-13) << k;  // 40 steps of order 8
  }
}

/// The largest changes of linear and angular momentum over a run, and of the latter about the vertical.
struct SpatialChanges {
  double linear = 0, angular = 0, vertical = 0;
};
SpatialChanges spatial_changes(const VariationalCase& of, double bias, int count) {
  const auto momenta = [&](const CovectorPoint& x) {
    Eigen::VectorXd both(6);
    if (of.problem->N == 9) {  // three atoms
      both << x.p.head<3>() + x.p.segment<3>(3) + x.p.tail<3>(), momentum_of_blocks(x, 3);
    } else {
      both << x.p.tail<3>(), momentum_of_columns(x) + Three(x.q.tail<3>()).cross(Three(x.p.tail<3>()));
    }
    return both;
  };
  const TableIntegrator integrator(of, "heun", bias, 0.1);
  CovectorPoint x = covector_start(of);
  const Eigen::VectorXd start = momenta(x);
  SpatialChanges most;
  for (int n = 0; n < count; ++n) {
    x = integrator->step(x);
    const Eigen::VectorXd change = (momenta(x) - start).cwiseAbs();
    most.linear = std::max(most.linear, change.head<3>().maxCoeff());
    most.angular = std::max(most.angular, change.tail<3>().maxCoeff());
    most.vertical = std::max(most.vertical, change[5]);
  }
  return most;
}

TEST(NoetherMomenta, OfMotionsOfSpaceAreKept) {
  for (const VariationalCase& of : {free_water(), underwater_vehicle(Centres::coincide)}) {
    const SpatialChanges free = spatial_changes(of, -0.3, 50);
    EXPECT_LT(free.linear, 2e-13) << of.name;  // momenta up to 6, 50 steps
    EXPECT_LT(free.angular, 2e-13) << of.name;
  }
  // The weight leaves translations and rotations about the vertical.
  const SpatialChanges weighted = spatial_changes(underwater_vehicle(Centres::apart), 0, 50);
  EXPECT_LT(weighted.linear, 2e-13);
  EXPECT_LT(weighted.vertical, 2e-13);
  EXPECT_GT(weighted.angular, 0.05);
}

}  // namespace
}  // namespace polhode::test

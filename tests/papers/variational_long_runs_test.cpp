// Long runs of variational integrators: momenta are kept to rounding and energies do not drift, where those of the
// layer alone, with its constraints projected, do.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>

#include "papers/variational_momenta.hpp"
#include "papers/variational_subject.hpp"

namespace polhode::test {
namespace {

using MomentaOfPoint = std::function<Eigen::VectorXd(const CovectorPoint&)>;

/// Changes since the start over a run.
struct LongRun {
  std::array<double, 4> means{};    ///< of the energy, over the quarters of the run
  double energy = 0, momentum = 0;  ///< largest
};

template <class Step>
LongRun long_run(const VariationalCase& of, const Step& step, int count, const MomentaOfPoint& momentum) {
  const CovectorPoint start = covector_start(of);
  const double energy = energy_of(*of.problem, start);
  const Eigen::VectorXd spin = momentum(start);
  CovectorPoint x = start;
  LongRun run;
  for (int n = 0; n < count; ++n) {
    x = step(x);
    const double change = energy_of(*of.problem, x) - energy;
    run.means[4 * n / count] += 4 * change / count;
    run.energy = std::max(run.energy, std::abs(change));
    run.momentum = std::max(run.momentum, (momentum(x) - spin).cwiseAbs().maxCoeff());
  }
  return run;
}

LongRun variational_run(const VariationalCase& of, const std::string& layer, double bias, double h, int count,
                        const MomentaOfPoint& momentum) {
  const TableIntegrator integrator(of, layer, bias, h);
  return long_run(
      of, [&](const CovectorPoint& x) { return integrator->step(x); }, count, momentum);
}
LongRun projected_run(const VariationalCase& of, double h, int count, const MomentaOfPoint& momentum) {
  const ExplicitLayer layer(layer_table("rk4"));
  const auto step = [&](const CovectorPoint& x) {
    return covector_of(*of.problem, projected_layer_step(*of.problem, layer, h, velocity_of(*of.problem, x)));
  };
  return long_run(of, step, count, momentum);
}

const MomentaOfPoint about_the_vertical = [](const CovectorPoint& x) {
  return Eigen::VectorXd(momentum_of_blocks(x, static_cast<int>(x.q.size()) / 3).tail(1));
};
const MomentaOfPoint of_space_about_the_vertical = [](const CovectorPoint& x) {
  return Eigen::VectorXd(momentum_of_columns(x).tail(1));
};

/// Means of the quarters near given ones.
void expect_means(const LongRun& run, const std::array<double, 4>& expected, double tolerance) {
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(run.means[k], expected[k], tolerance) << k;
}

TEST(LongVariationalRuns, OfTheSphericalPendulumHaveNoDriftWhereTheLayerHas) {
  const VariationalCase of = spherical_pendulum();
  const LongRun rk4 = variational_run(of, "rk4", 0, 0.1, 10000, about_the_vertical);
  expect_means(rk4, {1.75e-8, 1.52e-8, 1.74e-8, 1.54e-8}, 1e-10);  // known to these digits
  EXPECT_NEAR(rk4.energy, 3.7e-7, 1e-8);
  EXPECT_LT(rk4.momentum, 4e-12);  // random rounding of 3e-16 in 10^4 steps, with a factor 1 / h
  const LongRun layer = projected_run(of, 0.1, 10000, about_the_vertical);
  expect_means(layer, {-1.8e-5, -5.3e-5, -8.8e-5, -12.4e-5}, 1e-6);
  EXPECT_GT(layer.momentum, 1e-6);
}

TEST(LongVariationalRuns, OfLowerOrderHaveNoDriftEither) {
  const VariationalCase of = spherical_pendulum();
  const LongRun euler = variational_run(of, "euler", 0, 0.1, 2000, about_the_vertical);
  expect_means(euler, {-6.6e-3, -6.6e-3, -6.6e-3, -6.6e-3}, 1e-4);
  EXPECT_NEAR(euler.energy, 1.35e-2, 1e-4);
  EXPECT_LT(euler.momentum, 2e-12);
  const LongRun heun = variational_run(of, "heun", 0, 0.1, 2000, about_the_vertical);
  EXPECT_NEAR(heun.energy, 6.5e-4, 1e-5);
  EXPECT_LT(std::abs(heun.means[3] - heun.means[0]), 0.03 * heun.energy);
  EXPECT_LT(heun.momentum, 2e-12);
}

/// The double pendulum from a start without the large oscillations of its energy error.
VariationalCase gentle_double_pendulum() {
  VariationalCase of = double_pendulum_by_links();
  of.q << .3, 0, -std::sqrt(.91), .12, .144, -std::sqrt(.64 - .12 * .12 - .144 * .144);
  of.v = tangential_part(*of.problem, of.q, of.v) / 2;
  return of;
}

TEST(LongVariationalRuns, OfTheDoublePendulumAndTheTopHaveNoDrift) {
  const struct {
    VariationalCase of;
    MomentaOfPoint momentum;
    int count;
  } rows[] = {{gentle_double_pendulum(), about_the_vertical, 1000},
              {top_by_matrices(), of_space_about_the_vertical, 600}};
  for (const auto& [of, momentum, count] : rows) {
    const LongRun run = variational_run(of, "rk4", 0, 0.05, count, momentum);
    const LongRun layer = projected_run(of, 0.05, count, momentum);
    const auto change = [](const LongRun& a) { return std::abs(a.means[3] - a.means[0]); };
    EXPECT_LT(change(run), 0.1 * run.energy) << of.name;
    EXPECT_GT(change(layer), 1e-6) << of.name;
    EXPECT_GT(change(layer), 50 * change(run)) << of.name;
    EXPECT_LT(run.momentum, 2e-12) << of.name;
  }
}

/// Projected steps of the vehicle under water, whose variational runs are the program's
/// (tests/cli/variational_test.py): projections move its attitude alone.
TEST(LongVariationalRuns, OfAProjectedVehicleLoseEnergyAndMomenta) {
  const MomentaOfPoint angular = [](const CovectorPoint& x) {
    const Eigen::Vector3d place = x.q.tail<3>(), push = x.p.tail<3>();
    return Eigen::VectorXd(momentum_of_columns(x) + place.cross(push));
  };
  const LongRun layer = projected_run(underwater_vehicle(Centres::coincide), 0.1, 2000, angular);
  // Known to these digits: round-off grows along the orbit.
  expect_means(layer, {1.0058e-5, 2.5536e-5, 3.6848e-5, 5.38e-5}, 5e-8);
  EXPECT_NEAR(layer.energy, 6.21e-5, 5e-8);
  EXPECT_NEAR(layer.momentum, 0.0185, 5e-4);
}

TEST(NoetherMomenta, OfAllRotationsAreKeptOnAFreeSphere) {
  const MomentaOfPoint all = [](const CovectorPoint& x) { return Eigen::VectorXd(momentum_of_blocks(x, 1)); };
  for (const char* layer : {"euler", "kutta3"}) {
    EXPECT_LT(variational_run(spherical_pendulum(0), layer, -0.3, 0.2, 200, all).momentum, 1e-13) << layer;
    EXPECT_GT(variational_run(spherical_pendulum(1), layer, -0.3, 0.2, 200, all).momentum, 0.1) << layer;
  }
}

TEST(NoetherMomenta, OfTheTopAboutItsAxisAreKeptWhereItIsOneOfSymmetry) {
  const MomentaOfPoint about_its_axis = about_the_vertical;  // of the right factor
  EXPECT_LT(variational_run(top_by_matrices({0.5, 0.5, 1}), "heun", 0, 0.1, 100, about_its_axis).momentum, 1e-13);
  EXPECT_GT(variational_run(top_by_matrices({0.44, 0.5, 1}), "heun", 0, 0.1, 100, about_its_axis).momentum, 0.02);
}

}  // namespace
}  // namespace polhode::test

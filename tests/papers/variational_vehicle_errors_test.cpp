// The program's variational integrators on the vehicle under water: errors that were computed elsewhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "papers/variational_vehicles.hpp"

namespace polhode::test {
namespace {

/// Largest errors of positions and tangential momenta at t = 1 by steps of 0.1, 0.05 and 0.025.
struct VehicleErrors {
  std::string layer;
  double bias;
  std::array<double, 3> free, weighted;
};
const std::vector<VehicleErrors> errors{
    {"euler",
     0,
     {0.0156378571265821, 0.00526511383069872, 0.00250852138088486},
     {0.0156039424192237, 0.00809178879692996, 0.00411228666487218}},
    {"heun",
     0,
     {0.0194173345506695, 0.00507440522100772, 0.00128941497385504},
     {0.0142935363873214, 0.00370808816394075, 0.000938292796159979}},
    {"midpoint",
     0,
     {0.00459101898449604, 0.00112542407965061, 0.000278695299341269},
     {0.00607378210943954, 0.00153389178467717, 0.000384664646997657}},
    {"rk4",
     0,
     {1.0869723118534e-05, 5.23195901991347e-07, 2.90716731798923e-08},
     {5.31808417575386e-06, 3.72758207078938e-07, 2.44069734978147e-08}},
    {"dopri5",
     0,
     {1.39230614856767e-07, 1.78175434129013e-09, 1.97299954152186e-11},
     {8.07916341050152e-08, 7.37105265713467e-10, 1.024058615684e-11}},
    {"euler",
     -0.5,
     {0.00495907460622851, 0.00125194346410279, 0.000313758933259176},
     {0.00212715428830423, 0.000534730913722137, 0.000133868100171686}},
    {"heun",
     -0.5,
     {0.00516151102628681, 0.00130096080131459, 0.000325910391803075},
     {0.00374526895187866, 0.000943039917117749, 0.000236185042442494}},
    {"midpoint",
     -0.5,
     {0.00110561795657571, 0.000276217476995799, 6.90424223274144e-05},
     {0.00153774443069465, 0.000385116312615064, 9.63217228900359e-05}},
    {"rk4",
     -0.5,
     {4.26313869872352e-07, 2.65304018753909e-08, 1.65639135740747e-09},
     {4.03375120250349e-07, 2.53639352854051e-08, 1.58763002744422e-09}},
    {"dopri5",
     -0.5,
     {4.47840282913337e-09, 6.99321017760823e-11, 1.08694997447145e-12},
     {1.57374924203424e-09, 2.4497293082959e-11, 3.77142761465166e-13}},
};

template <std::size_t table>
std::array<double, 3> errors_of(const VariationalSubject<UnderwaterVehicle>& vehicle, double bias) {
  const LayerJet end = exact_motion(vehicle.of, 1);
  const CovectorPoint exact = covector_of(*vehicle.of.problem, {end.q, end.v});
  std::array<double, 3> found;
  for (int k = 0; k < 3; ++k) {
    const int steps = 10 << k;
    CovectorPoint last;
    visit_steps<UnderwaterVehicle, table>(vehicle, bias, 1. / steps, steps, [&](const CovectorPoint& x) { last = x; });
    found[k] = distance_of(last, exact);
  }
  return found;
}

TEST(VariationalVehicle, HasTheKnownErrors) {
  int compared = 0;
  for (const VehicleErrors& row : errors)
    for_tables(std::make_index_sequence<std::size(polhode::explicit_tables)>(),
               [&]<std::size_t index>(const char* name) {
                 if (row.layer != name) return;
                 SCOPED_TRACE(row.layer + " with bias " + std::to_string(row.bias));
                 const std::array<double, 3> of_free = errors_of<index>(free_vehicle, row.bias),
                                             of_weighted = errors_of<index>(weighted_vehicle, row.bias);
                 for (int k = 0; k < 3; ++k) {
                   // Solvers differ by 2e-14 in five steps, and the exact motion is known to 5e-13.
                   EXPECT_NEAR(of_free[k], row.free[k], 1e-12) << k;
                   EXPECT_NEAR(of_weighted[k], row.weighted[k], 1e-12) << k;
                 }
                 ++compared;
               });
  EXPECT_EQ(compared, errors.size());
}

/// A run of 1000 steps; one by another layer is in tests/cli/variational_test.py.
TEST(VariationalVehicle, HasNoDriftByTheSimplestLayer) {
  const ConstrainedLagrangian& problem = *free_vehicle.of.problem;
  const double energy = energy_of(problem, covector_start(free_vehicle.of));
  std::array<double, 4> means{};
  double most = 0;
  int n = 0;
  visit_steps<UnderwaterVehicle, 0>(free_vehicle, -0.5, 0.1, 1000, [&](const CovectorPoint& x) {
    const double change = energy_of(problem, x) - energy;
    means[n++ / 250] += change / 250;
    most = std::max(most, std::abs(change));
  });
  const double known[] = {2.80823313e-4, 3.32625213e-4, 1.95878083e-4, 2.44321353e-4};
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(means[k], known[k], 1e-10) << k;
  EXPECT_NEAR(most, 1.1396760e-3, 1e-9);
}

}  // namespace
}  // namespace polhode::test

// Steps of methods on constraints against the flow of their truncated modified Hamiltonian (Hairer 2003, Theorem 2.4):
// a step of h is off the flow of H_1 + h H_2 + ... + h^(N-1) H_N by O(h^(N+1)). The flow is that of the equations
// without multipliers (4.4), which stays on the constraints.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "papers/modified_hamiltonian.hpp"

namespace polhode::test {
namespace {

using PhaseOfRod = Eigen::Vector<double, 6>;  // q, p

PhaseOfRod phase_of(const PointOfRod& point) {
  PhaseOfRod x;
  for (int k = 0; k < 3; ++k) x[k] = point.q[k], x[3 + k] = point.p[k];
  return x;
}
PointOfRod point_of(const PhaseOfRod& x) { return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}}; }

/// Errors of one step for steps of 0.2, 0.1 and 0.05, computed elsewhere to 6 digits with the terms of H~ in closed
/// form, and the flow of H~ with multipliers; also those against the flow of H alone.
struct StepAndFlow {
  std::string name;
  RodPendulum rod;
  PartitionedTable table;
  PointOfRod start;
  int terms;     ///< N
  double order;  ///< N + 1, and one more for RATTLE, whose H_4 is 0
  std::vector<double> errors;
  double order_of_H;
  std::vector<double> errors_of_H;

  friend void PrintTo(const StepAndFlow& row, std::ostream* to) { *to << row.name; }
};
class ModifiedFlow : public ::testing::TestWithParam<StepAndFlow> {
 protected:
  PhaseOfRod rate(double h, int terms, const PhaseOfRod& x) const {
    const ModifiedHamiltonian modified = modified_hamiltonian(GetParam().rod, GetParam().table, point_of(x));
    PhaseOfRod rate = PhaseOfRod::Zero();
    double factor = 1;
    for (int k = 1; k <= terms; ++k, factor *= h)
      for (int i = 0; i < 3; ++i) {
        rate[i] += factor * modified.H[k].slope(index_of_p + i);
        rate[3 + i] -= factor * modified.H[k].slope(index_of_q + i);
      }
    return rate;
  }
  /// The flow over h, by one and two steps of the classical Runge-Kutta method, extrapolated.
  PhaseOfRod flow(double h, int terms, const PhaseOfRod& start) const {
    const auto by = [&](int steps) {
      const double t = h / steps;
      PhaseOfRod x = start;
      for (int n = 0; n < steps; ++n) {
        const PhaseOfRod k1 = rate(h, terms, x), k2 = rate(h, terms, x + t / 2 * k1),
                         k3 = rate(h, terms, x + t / 2 * k2), k4 = rate(h, terms, x + t * k3);
        x += t / 6 * (k1 + 2 * (k2 + k3) + k4);
      }
      return x;
    };
    const PhaseOfRod fine = by(2);
    return fine + (fine - by(1)) / 15;
  }
  PhaseOfRod step(double h) const {
    const StepAndFlow& row = GetParam();
    constexpr int passes = 60;  // until nothing changes
    const auto x = extended_step<double>(row.rod, row.table, NumberStep{h}, h, KnownMomentum::start, row.start.p,
                                         row.start.q, passes, row.start.q);
    return phase_of({x.q1, x.p1});
  }
  /// Whether a step is off the flow with so many terms by the order that the next one has, and by what is known.
  void expect_errors(int terms, double order, const std::vector<double>& known) const {
    double h = 0.2, coarser = 0;
    for (const double known_error : known) {
      const PhaseOfRod end = flow(h, terms, phase_of(GetParam().start));
      const double error = (step(h) - end).cwiseAbs().maxCoeff();
      EXPECT_NEAR(error, known_error, 4e-3 * known_error) << h;  // 2.3e-3 by the extrapolation for h = 0.2
      EXPECT_LT(std::abs(GetParam().rod.constraint(point_of(end).q)), error / 10) << h;
      if (coarser > 0) {
        EXPECT_NEAR(std::log2(coarser / error), order, 0.1) << h;
      }
      coarser = error;
      h /= 2;
    }
  }
};
const PointOfRod on_spherical{{.6, 0, -.8}, {.2, .7, .15}}, on_magnetic{{.6, 0, -.8}, {.152, .772, .114}};
INSTANTIATE_TEST_SUITE_P(Hairer, ModifiedFlow,
                         ::testing::Values(StepAndFlow{"euler_spherical",
                                                       spherical_rod,
                                                       table_of_euler,
                                                       on_spherical,
                                                       2,
                                                       3,
                                                       {.00119631, .000153523, 1.94535e-5},
                                                       2,
                                                       {.0108619, .0027781, .000698605}},
                                           StepAndFlow{"euler_magnetic",
                                                       magnetic_rod,
                                                       table_of_euler,
                                                       on_magnetic,
                                                       2,
                                                       3,
                                                       {.00176719, .000224704, 2.84004e-5},
                                                       2,
                                                       {.0137161, .00360331, .000915773}},
                                           StepAndFlow{"rattle_spherical",
                                                       spherical_rod,
                                                       table_of_rattle,
                                                       on_spherical,
                                                       3,
                                                       5,
                                                       {1.91909e-5, 6.24367e-7, 1.99034e-8},
                                                       3,
                                                       {.0012162, .000155027, 1.95554e-5}},
                                           StepAndFlow{"rattle_magnetic",
                                                       magnetic_rod,
                                                       table_of_rattle,
                                                       on_magnetic,
                                                       3,
                                                       5,
                                                       {5.34036e-5, 1.75143e-6, 5.60352e-8},
                                                       3,
                                                       {.00230441, .000298255, 3.78989e-5}}),
                         [](const auto& info) { return info.param.name; });

TEST_P(ModifiedFlow, IsOffAStepByTheOrderOfTheFirstTermLeftOut) {
  expect_errors(GetParam().terms, GetParam().order, GetParam().errors);
}

TEST_P(ModifiedFlow, WithoutItsLastTermIsOffByALowerOrder) {
  expect_errors(1, GetParam().order_of_H, GetParam().errors_of_H);
}

}  // namespace
}  // namespace polhode::test

// The scaled error of the energy of RATTLE on the heavy top of Hairer 2003, Figure 1. The modified Hamiltonian
// H + h^2 H_3 + O(h^4) is constant along the motion, so that
//
//   (H_n - H_0)/h^2 = -(H_3(n) - H_3(0)) + O(h^2)
//
// where the paper has "behaves like H_3", without the sign and the constant. With d_i = (I_1 + I_2 + I_3)/2 - I_i,
//
//   H_3 = 1/24 (2 T |Omega|^2 + sum I_i Omega_i'^2 - 2 sum d_i Omega_i (Omega' x Omega)_i) + 1/12 V''
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "numerics/support.hpp"

namespace polhode::test {
namespace {

constexpr TopParameters body_of_hairer{0.5, 0.9, 1.0, 0, 0, 1, 1};
const HeavyTop::Model<double> top_of_hairer(body_of_hairer.data());
using StateOfTop = HeavyTop::State<double>;

StateOfTop start_of_hairer() {
  return to_state<HeavyTop, double>({0.5 * 0.2, 0.9 * 1.0, 1.0 * 0.4}, {0.4, 0.2, 0.4, 0.8});
}

/// H_3 of RATTLE.
double third_hamiltonian(const StateOfTop& x) {
  const double* inertia = body_of_hairer.data();
  const Vec<double, 3> pi{x[0], x[1], x[2]}, gamma{x[3], x[4], x[5]}, chi{0, 0, 1};
  const Vec<double, 3> omega{pi[0] / inertia[0], pi[1] / inertia[1], pi[2] / inertia[2]};
  const Vec<double, 3> torque = cross(pi, omega) + cross(gamma, chi);
  const Vec<double, 3> acceleration{torque[0] / inertia[0], torque[1] / inertia[1], torque[2] / inertia[2]};
  const Vec<double, 3> turned = cross(acceleration, omega);
  double sum = dot(pi, omega) * dot(omega, omega) + dot(torque, acceleration);
  for (int i = 0; i < 3; ++i)
    sum -= 2 * ((inertia[0] + inertia[1] + inertia[2]) / 2 - inertia[i]) * omega[i] * turned[i];
  return sum / 24 + dot(chi, cross(cross(gamma, omega), omega) + cross(gamma, acceleration)) / 12;
}

/// (H_n - H_0)/h^2 and H_3(n) - H_3(0) after each step.
struct Curves {
  std::vector<double> error{0}, third{0};
};
template <class Method>
Curves curves(double h, int steps) {
  StateOfTop x = start_of_hairer();
  const double energy = top_of_hairer.energy(x), third = third_hamiltonian(x);
  Curves of;
  for (int n = 0; n < steps; ++n) {
    EXPECT_TRUE((advance<Method, double>(body_of_hairer, h, 1, x)));
    of.error.push_back((top_of_hairer.energy(x) - energy) / (h * h));
    of.third.push_back(third_hamiltonian(x) - third);
  }
  return of;
}
/// The largest |error + sign H_3| for t up to 20.
double largest_sum(const Curves& curves, double sign) {
  double largest = 0;
  for (std::size_t n = 0; n < curves.error.size(); ++n)
    largest = std::max(largest, std::abs(curves.error[n] + sign * curves.third[n]));
  return largest;
}

template <class Method>
class ScaledEnergyError : public ::testing::Test {};
using MethodsOfTheFigure = ::testing::Types<Rattle<HeavyTop, CayleySolver>, Rattle<HeavyTop, HadamardSolver>>;
TYPED_TEST_SUITE(ScaledEnergyError, MethodsOfTheFigure);

TYPED_TEST(ScaledEnergyError, IsTheThirdHamiltonianWithTheOtherSign) {
  // The known sums were computed elsewhere with 33 digits, to the digits given.
  const struct {
    int steps;
    double sum, digit;
  } rows[] = {{100, .2040533, 1e-7}, {200, .04949887, 1e-8}, {400, .01234696, 1e-8}, {800, .003088349, 1e-9}};
  double coarser = 0;
  for (const auto& row : rows) {
    const Curves curves = test::curves<TypeParam>(20.0 / row.steps, row.steps);
    const double sum = largest_sum(curves, 1);
    EXPECT_NEAR(sum, row.sum, row.digit) << row.steps;
    if (coarser > 0) {
      EXPECT_NEAR(std::log2(coarser / sum), 2, 0.05) << row.steps;  // O(h^2); 2.04, 2.003 and 1.999
    }
    coarser = sum;
    EXPECT_GT(largest_sum(curves, -1), 3.5) << row.steps;  // with the sign of the text, twice the curve itself
  }
}

TYPED_TEST(ScaledEnergyError, HasCurvesThatCoincideToSecondOrder) {
  // The largest differences at the times in common, for t up to 5 and up to 20; known as above. The steps are those of
  // a symmetric method, so that the next term is smaller by h^2: the slopes of the last pair are 2.03 and 2.06.
  const double known[2][3] = {{.08527603588, .01996946391, .00490821238}, {1.0702380642, .26533446247, .063697112016}};
  for (const int end : {5, 20}) {
    double coarser = 0;
    for (int k = 0; k < 3; ++k) {
      const int steps = 5 * end << k;
      const Curves coarse = curves<TypeParam>(0.2 / (1 << k), steps),
                   fine = curves<TypeParam>(0.1 / (1 << k), 2 * steps);
      double difference = 0;
      for (int n = 0; n <= steps; ++n) difference = std::max(difference, std::abs(coarse.error[n] - fine.error[2 * n]));
      EXPECT_NEAR(difference, known[end == 20][k], 1e-9) << end << ", " << k;
      if (k > 0) {
        EXPECT_NEAR(std::log2(coarser / difference), 2, 0.1) << end << ", " << k;
      }
      coarser = difference;
    }
  }
}

TEST(LongRunOfTheFigure, KeepsTheEnergyAndTheThirdHamiltonianInABand) {
  // t = 10^4. The bands were computed elsewhere, to the digits given; they are wider by 1 percent than those of t = 20.
  // The means of the quarters are equal to 1.1e-4 of the bands: no drift.
  constexpr int quarter = 25000;
  constexpr double h = 0.1;
  using Method = Rattle<HeavyTop, CayleySolver>;
  const Method::Step<double> step(top_of_hairer, h, Method::nominal_sweeps<double>(body_of_hairer.data(), h));
  StateOfTop x = start_of_hairer();
  const double energy = top_of_hairer.energy(x);
  double least = 0, most = 0, least_third = 1, most_third = 0, mean[4] = {}, mean_third[4] = {};
  for (int k = 0; k < 4; ++k)
    for (int n = 0; n < quarter; ++n) {
      ASSERT_TRUE(step(x, x, true));
      const double change = top_of_hairer.energy(x) - energy, third = third_hamiltonian(x);
      least = std::min(least, change), most = std::max(most, change), mean[k] += change / quarter;
      least_third = std::min(least_third, third), most_third = std::max(most_third, third);
      mean_third[k] += third / quarter;
    }
  EXPECT_NEAR(least, -0.01921901, 1e-7);
  EXPECT_NEAR(most, 2.917873e-7, 1e-11);
  EXPECT_NEAR(least_third, -0.01983111, 1e-7);
  EXPECT_NEAR(most_third, 1.851849, 1e-5);
  for (int k = 1; k < 4; ++k) {
    EXPECT_NEAR(mean[k], mean[0], 3e-4 * (most - least)) << k;
    EXPECT_NEAR(mean_third[k], mean_third[0], 3e-4 * (most_third - least_third)) << k;
  }
}

}  // namespace
}  // namespace polhode::test

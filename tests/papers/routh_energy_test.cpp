// Energies of the double spherical pendulum over long times and near the end of its chart (Jalnapurkar, Leok, Marsden &
// West 2006, figures of sect. 6, and sect. 7).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "numerics/routh.hpp"
#include "polhode/method/runge_kutta.hpp"

namespace polhode::test {
namespace {

using Pendulum = DoublePendulumShape;
using Vector = Eigen::VectorXd;

template <class System>
double energy_of(const Vector& state) {
  typename System::template State<double> x;
  std::copy_n(state.data(), System::dim, x.v);
  return typename System::template Model<double>(double_pendulum.parameters.data()).energy(x);
}

struct Errors {
  double largest = 0;
  std::array<double, 4> means{};  ///< over the quarters of the time
};
/// H - H(0) to T = 2000.
template <class System, class Steps>
Errors energy_errors(const Steps& step, Vector x) {
  const double start = energy_of<System>(x);
  const int steps = static_cast<int>(std::lround(2000 / step.step()));
  Errors errors;
  for (int n = 0; n < steps; ++n) {
    x = step(x);
    const double error = energy_of<System>(x) - start;
    errors.largest = std::max(errors.largest, std::abs(error));
    errors.means[4 * n / steps] += error / (steps / 4);
  }
  return errors;
}

TEST(RouthEnergy, HasNoDriftByGaussWhereRungeKutta4WithAQuarterOfTheStepDrifts) {
  const Errors reduced = energy_errors<RouthReduced<Pendulum>>(
      ReducedSteps<Pendulum>(gauss(2), 0.1, double_pendulum.parameters), double_pendulum_start());
  // Figures of states at other times than every step: 0.4% and 0.2%.
  EXPECT_NEAR(reduced.largest, 5.05e-7, 0.03e-7);
  constexpr std::array<double, 4> known{-2.533e-7, -2.535e-7, -2.536e-7, -2.535e-7};
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(reduced.means[k], known[k], 0.005e-7);

  using Cylindrical = CyclicSystem<Pendulum>;
  using Explicit = StepsOf<RungeKutta<Cylindrical>>;
  const Vector start = double_pendulum.unreduced(double_pendulum_start());
  const Errors coarse = energy_errors<Cylindrical>(
      Explicit(RungeKuttaOptions{.scheme = RungeKuttaScheme::rk4}, 0.1, double_pendulum.parameters), start);
  EXPECT_NEAR(coarse.largest, 2.77e-3, 0.01e-3);
  // Linear in time: the means of the quarters are at 1/8, 3/8, 5/8, 7/8 of the last.
  const Errors fine = energy_errors<Cylindrical>(
      Explicit(RungeKuttaOptions{.scheme = RungeKuttaScheme::rk4}, 0.025, double_pendulum.parameters), start);
  EXPECT_NEAR(fine.largest, 3.17e-6, 0.01e-6);
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(fine.means[k], -3.17e-6 * (2 * k + 1) / 8, 0.01e-6);
  EXPECT_GT(fine.largest, 6 * reduced.largest);
}

}  // namespace
}  // namespace polhode::test

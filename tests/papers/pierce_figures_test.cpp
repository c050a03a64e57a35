// Errors of the methods that Pierce 1994 compares on the system of Henon and Heiles, of energy 1/8 (Figures 1 and 2 and
// the text of sect. 2.3), and of the maps of generating functions, against figures of an independent implementation.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "numerics/canonical_step.hpp"

namespace polhode::test {
namespace {

const PhasePoint start{0, 0.1, 0.4479583313955291, 0.2};
constexpr double energy = 0.125;

double hamiltonian(const PhasePoint& x) {
  return (x.squaredNorm() - 2 * x[1] * x[1] * x[1] / 3) / 2 + x[0] * x[0] * x[1];
}

using Explicit = RungeKutta<HenonHeiles>;
using KickAndDrift = KickDrift<HenonHeiles>;
using Generated = GeneratedMap<HenonHeiles>;
const Scheme scheme_10 = Kicks{.before = 1};

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

struct Statistics {
  double mean, largest, mean_at_end;  ///< of H - H(0): over all steps, and over the last tenth
  double mean_error, largest_error;   ///< of (q, p), against rk4 with a quarter of the step
};

/// False where the orbit escapes.
template <class Step>
bool measure(const Step& step, double tau, int steps, Statistics& found) {
  const StepsOf<Explicit> fine(RungeKuttaOptions{.scheme = RungeKuttaScheme::rk4}, tau / 4);
  PhasePoint x = start, exact = start;
  found = {};
  for (int n = 1; n <= steps; ++n) {
    if (!step.try_from(x) || x.head<2>().norm() > 10) return false;
    for (int k = 0; k < 4; ++k) exact = fine(exact);
    const double off = hamiltonian(x) - energy, error = (x - exact).norm();
    found.mean += off / steps;
    found.largest = std::max(found.largest, std::abs(off));
    if (n > steps - steps / 10) found.mean_at_end += off / (steps / 10);
    found.mean_error += error / steps;
    found.largest_error = std::max(found.largest_error, error);
  }
  return true;
}

/// Scheme of a row; but for the first one by Runge and Kutta.
enum class Rule { kicks, heun, explicit_midpoint, rk4 };
RungeKuttaOptions runge_kutta(Rule rule) {
  if (rule == Rule::heun) return {.scheme = RungeKuttaScheme::heun};
  return {.scheme = rule == Rule::rk4 ? RungeKuttaScheme::rk4 : RungeKuttaScheme::explicit_midpoint};
}

struct Row {
  double tau;
  int time;
  Rule rule;
  Statistics expected;
};
/// Errors of states are unknown over a time in which neighbouring orbits part.
constexpr Row rows[] = {
    {0.05, 50, Rule::kicks, {-0.00034394, 0.003928, -0.00069532, 0.014137, 0.033005}},
    {0.05, 50, Rule::heun, {0.00012566, 0.00025119, 0.00023115, 0.004459, 0.014009}},
    {0.05, 50, Rule::rk4, {-2.7094e-08, 5.5373e-08, -5.0632e-08, 9.9766e-07, 3.0784e-06}},
    {0.05, 50, Rule::explicit_midpoint, {0.00010471, 0.00021487, 0.00020096, 0.0048375, 0.013903}},
    {0.05, 200, Rule::kicks, {-0.00036811, 0.0039421, -0.00050071, 0.026303, 0.075459}},
    {0.05, 200, Rule::heun, {0.000447, 0.00088919, 0.00083153, 0.017619, 0.065039}},
    {0.05, 200, Rule::rk4, {-1.0007e-07, 2.0225e-07, -1.8691e-07, 3.9034e-06, 1.3343e-05}},
    {0.05, 200, Rule::explicit_midpoint, {0.00042581, 0.00086885, 0.00081237, 0.019964, 0.068864}},
    {0.05, 2000, Rule::kicks, {-0.00036951, 0.003944, -0.00038155, unknown, unknown}},
    {0.05, 2000, Rule::heun, {0.0045013, 0.0093301, 0.0087958, unknown, unknown}},
    {0.05, 2000, Rule::rk4, {-9.7413e-07, 1.9494e-06, -1.8481e-06, unknown, unknown}},
    {0.05, 2000, Rule::explicit_midpoint, {0.0045767, 0.0098264, 0.0092325, unknown, unknown}},
    {0.1, 50, Rule::kicks, {-0.00053023, 0.0076543, -0.0012571, 0.027281, 0.062443}},
    {0.1, 50, Rule::heun, {0.00095707, 0.0018954, 0.0018003, 0.01699, 0.053314}},
    {0.1, 50, Rule::rk4, {-8.3949e-07, 1.6747e-06, -1.5789e-06, 1.4852e-05, 4.3454e-05}},
    {0.1, 50, Rule::explicit_midpoint, {0.00087455, 0.0017044, 0.0016713, 0.017461, 0.051246}},
    {0.1, 200, Rule::kicks, {-0.00057346, 0.0076729, -0.00081944, 0.051761, 0.14694}},
    {0.1, 200, Rule::heun, {0.0036606, 0.007452, 0.0069849, 0.055791, 0.15336}},
    {0.1, 200, Rule::rk4, {-3.1682e-06, 6.3616e-06, -5.9444e-06, 5.6718e-05, 0.00022885}},
    {0.1, 200, Rule::explicit_midpoint, {0.0035726, 0.0073238, 0.0068959, 0.065901, 0.21228}},
    {0.1, 2000, Rule::kicks, {-0.0005766, 0.0076733, -0.00057547, unknown, unknown}},
    {0.1, 2000, Rule::heun, {unknown, unknown, unknown, unknown, unknown}},
    {0.1, 2000, Rule::rk4, {-3.1056e-05, 6.2065e-05, -5.8929e-05, unknown, unknown}},
    {0.1, 2000, Rule::explicit_midpoint, {unknown, unknown, unknown, unknown, unknown}},
    {0.2, 50, Rule::kicks, {-0.00042957, 0.014513, -0.001971, 0.053241, 0.11623}},
    {0.2, 50, Rule::heun, {0.0078539, 0.016084, 0.015528, 0.068779, 0.15218}},
    {0.2, 50, Rule::rk4, {-2.6242e-05, 5.1579e-05, -4.9459e-05, 0.00023432, 0.00051521}},
    {0.2, 50, Rule::explicit_midpoint, {0.0075716, 0.015215, 0.014899, 0.076919, 0.26472}},
    {0.2, 200, Rule::kicks, {-0.00048706, 0.014565, -0.00083427, 0.11529, 0.32118}},
    {0.2, 200, Rule::heun, {0.039774, 0.10013, 0.091076, 0.47696, 1.9406}},
    {0.2, 200, Rule::rk4, {-9.9893e-05, 0.00019962, -0.00018766, 0.0011162, 0.0042797}},
    {0.2, 200, Rule::explicit_midpoint, {unknown, unknown, unknown, unknown, unknown}},
    {0.2, 2000, Rule::kicks, {-0.00050848, 0.014673, -0.00051871, unknown, unknown}},
    {0.2, 2000, Rule::heun, {unknown, unknown, unknown, unknown, unknown}},
    {0.2, 2000, Rule::rk4, {-0.00096822, 0.001918, -0.001825, unknown, unknown}},
    {0.2, 2000, Rule::explicit_midpoint, {unknown, unknown, unknown, unknown, unknown}},
};

TEST(PierceFigures, ErrorsOfSchemesOnHenonHeiles) {
  for (const Row& row : rows) {
    SCOPED_TRACE(::testing::Message() << "tau " << row.tau << ", T " << row.time << ", rule " << int(row.rule));
    const int steps = static_cast<int>(std::lround(row.time / row.tau));
    Statistics found;
    const bool stays = row.rule == Rule::kicks
                           ? measure(StepsOf<KickAndDrift>(scheme_10, row.tau), row.tau, steps, found)
                           : measure(StepsOf<Explicit>(runge_kutta(row.rule), row.tau), row.tau, steps, found);
    // Over a saddle, to infinity: explicit rules of order 2 gain energy.
    EXPECT_EQ(stays, !std::isnan(row.expected.mean));
    if (!stays) continue;
    // The figures have five digits, of which round-off, grown along the orbit, changes none; but for the explicit rules
    // of order 2 at T = 2000, when they have gained so much energy that the orbit is chaotic (the test below).
    const bool is_chaotic = row.time == 2000 && (row.rule == Rule::heun || row.rule == Rule::explicit_midpoint);
    const double digits = is_chaotic ? 0.04 : 1e-4;  // 0.024 was measured
    const auto near = [&](double a, double b) { return std::isnan(b) || std::abs(a - b) <= digits * std::abs(b); };
    EXPECT_PRED2(near, found.mean, row.expected.mean);
    EXPECT_PRED2(near, found.largest, row.expected.largest);
    EXPECT_PRED2(near, found.mean_at_end, row.expected.mean_at_end);
    EXPECT_PRED2(near, found.mean_error, row.expected.mean_error);
    EXPECT_PRED2(near, found.largest_error, row.expected.largest_error);
  }
}

/// Starts that differ by some roundings have other means: no more than two digits of them are determined.
TEST(PierceFigures, DigitsOfExplicitRulesAreLostInALongRun) {
  const StepsOf<Explicit> step(RungeKuttaOptions{.scheme = RungeKuttaScheme::heun}, 0.05);
  double least = HUGE_VAL, most = 0;
  for (int k = -4; k <= 4; ++k) {
    PhasePoint x = start;
    x[1] += k * 1e-15;
    double mean = 0;
    for (int n = 0; n < 40000; ++n) {
      x = step(x);
      mean += (hamiltonian(x) - energy) / 40000;
    }
    least = std::min(least, mean);
    most = std::max(most, mean);
  }
  EXPECT_GT(most - least, 1e-3 * most);  // 3e-3 was measured
  EXPECT_LT(most - least, 4e-2 * most);
}

/// (10) against the Runge-Kutta method of order 4 (the text's remark): with a step of 0.2 its mean error of the energy
/// is the smaller one at T = 2000, although it oscillates by more.
TEST(PierceFigures, InALongRunTheSymplecticSchemeKeepsTheMeanEnergyBetterThanRungeKutta4) {
  Statistics symplectic, rk4;
  ASSERT_TRUE(measure(StepsOf<KickAndDrift>(scheme_10, 0.2), 0.2, 10000, symplectic));
  ASSERT_TRUE(measure(StepsOf<Explicit>(RungeKuttaOptions{.scheme = RungeKuttaScheme::rk4}, 0.2), 0.2, 10000, rk4));
  EXPECT_GT(std::abs(rk4.mean_at_end), 3 * std::abs(symplectic.mean_at_end));  // 1.8e-3 and 5.2e-4
  EXPECT_GT(symplectic.largest, 5 * rk4.largest);                              // 1.5e-2 and 1.9e-3
}

struct GeneratedRow {
  KindAndOrder map;
  std::array<double, 3> errors;     ///< at t = 2, the largest of a component: tau = 0.1, 0.05, 0.025
  double largest;                   ///< of |H - H(0)| to T = 2000 with tau = 0.1
  double mean_of_first, of_second;  ///< of H - H(0) over the two halves of that time, at steps 1, 11, 21, ...
};
constexpr GeneratedRow generated_rows[] = {
    {{GeneratingKind::second, 1}, {0.0189344, 0.00938473, 0.00467122}, 0.0087278, 0.0012186, 0.0012303},
    {{GeneratingKind::second, 2}, {0.00384456, 0.000964672, 0.000241275}, 0.00032524, -0.00013027, -0.0001315},
    {{GeneratingKind::second, 3}, {0.000152652, 1.80742e-05, 2.19481e-06}, 6.383e-05, 1.2793e-05, 1.279e-05},
    {{GeneratingKind::second, 4}, {3.55522e-05, 2.22085e-06, 1.3868e-07}, 2.8035e-06, -6.8508e-07, -6.8579e-07},
    {{GeneratingKind::first, 2}, {0.000609482, 0.000152537, 3.81447e-05}, 0.00015865, 4.0438e-05, 4.042e-05},
    {{GeneratingKind::poincare, 2}, {0.000961107, 0.000240939, 6.02761e-05}, 7.903e-05, -2.9546e-05, -2.9559e-05},
    {{GeneratingKind::first, 4}, {1.27348e-06, 7.97713e-08, 4.98851e-09}, 2.994e-07, 5.3917e-08, 5.3899e-08},
    {{GeneratingKind::poincare, 4}, {2.03463e-06, 1.27463e-07, 7.97108e-09}, 1.6054e-07, -2.6512e-08, -2.6545e-08},
};

TEST(PierceFigures, GeneratingFunctionsOnHenonHeiles) {
  PhasePoint exact = start;
  const StepsOf<Explicit> fine(RungeKuttaOptions{.scheme = RungeKuttaScheme::rk4}, 0.1 / 128);
  for (int n = 0; n < 20 * 128; ++n) exact = fine(exact);
  for (const GeneratedRow& row : generated_rows) {
    SCOPED_TRACE(::testing::Message() << "kind " << int(row.map.kind) << ", order " << row.map.order);
    const Scheme c = generated(row.map.kind, row.map.order);
    std::array<double, 3> errors;
    for (int k = 0; k < 3; ++k) {
      const StepsOf<Generated> step(c, 0.1 / (1 << k));
      PhasePoint x = start;
      for (int n = 0; n < 20 << k; ++n) x = step(x);
      errors[k] = (x - exact).lpNorm<Eigen::Infinity>();
      // The smallest error, 5e-9, is that of rk4 to 1e-5; six digits are given.
      EXPECT_NEAR(errors[k], row.errors[k], 2e-5 * row.errors[k]);
    }
    EXPECT_NEAR(std::log2(errors[1] / errors[2]), row.map.order, 0.05);  // 0.04 was measured

    const StepsOf<Generated> step(c, 0.1);
    PhasePoint x = start;
    double largest = 0, first = 0, second = 0;
    for (int n = 1; n <= 20000; ++n) {
      x = step(x);
      const double off = hamiltonian(x) - energy;
      largest = std::max(largest, std::abs(off));
      if (n % 10 == 1) (n <= 10000 ? first : second) += off / 1000;
    }
    // Five digits are given. The largest is that of the same steps there, of all steps here: 3e-4.
    EXPECT_NEAR(largest, row.largest, 5e-4 * row.largest);
    EXPECT_NEAR(first, row.mean_of_first, 5e-5 * std::abs(row.mean_of_first));
    EXPECT_NEAR(second, row.of_second, 5e-5 * std::abs(row.of_second));
  }
}

}  // namespace
}  // namespace polhode::test

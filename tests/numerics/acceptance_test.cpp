// Values computed elsewhere in quadruple precision by extrapolation (A-D, G) and figures of the papers (H), with every
// method that is of the order, on both systems of a top and with both solvers.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "numerics/methods.hpp"

namespace polhode::test {
namespace {

/// Distance of unit quaternions up to sign.
template <class T>
double attitude_error(const Vec<T, 7>& x, const Quaternion& exact) {
  double plus = 0, minus = 0;
  for (int i = 0; i < 4; ++i) {
    const double a = static_cast<double>(x[3 + i]);
    plus += (a - exact[i]) * (a - exact[i]), minus += (a + exact[i]) * (a + exact[i]);
  }
  return std::sqrt(std::min(plus, minus));
}

/// Body axis i in space.
Vec<double, 3> body_axis(const Vec<double, 7>& x, int i) {
  Vec<double, 3> axis;
  for (int k = 0; k < 3; ++k) axis[k] = space_axis(RigidBody::attitude(x), k)[i];
  return axis;
}

constexpr Quaternion no_turn{1, 0, 0, 0};
constexpr std::array<double, 3> pi_at_0{1.8, 0.4, -0.9};
constexpr TopParameters water{0.345, 0.653, 1.0, 0, 0, 1, 0};

/// The body of acceptance A or B after t = 10.
template <class Method>
auto at_10(const TopParameters& body, int steps) {
  auto x = to_state<typename Method::System, double>(pi_at_0, no_turn);
  EXPECT_TRUE((advance<Method, double>(body, 10.0 / steps, steps, x)));
  return x;
}

// A: Hairer & Vilmart 2006, sect. 3. With c = 0 all methods are the discrete Moser-Veselov map (MS Theorem 6).

template <class Method>
class FreeBody : public ::testing::Test {};
TYPED_TEST_SUITE(FreeBody, AllMethods);

TYPED_TEST(FreeBody, HasThePublishedErrorsOfDiscreteMoserVeselov) {
  // Euclidean norm of the error in Pi at t = 10, order 2, to half a unit of the last digit published.
  const struct {
    int steps;
    double error, digit;
  } rows[] = {{100, 2.783e-1, 1e-4}, {200, 6.565e-2, 1e-5}, {400, 1.617e-2, 1e-5}};
  for (const auto& row : rows)
    EXPECT_NEAR(pi_error(at_10<TypeParam>(free_body, row.steps), free_body_pi_at_10), row.error, 0.5 * row.digit)
        << row.steps << " steps";
}

TYPED_TEST(FreeBody, WaterConvergesToTheExactMomentum) {
  // Its moments break the triangle inequality by 0.002, which the equations do not mind.
  const std::array<double, 3> exact{1.80574869415331694, -0.293159070052022352, 0.929155214810649423};
  expect_order_2([&](int steps) { return pi_error(at_10<TypeParam>(water, steps), exact); }, 800);
}

template <class Method>
class FreeAttitude : public ::testing::Test {};
TYPED_TEST_SUITE(FreeAttitude, AttitudeMethods);

TYPED_TEST(FreeAttitude, ConvergesToTheExactOne) {
  const Quaternion exact{0.736061364160793936, 0.570786951240350733, 0.299388571830790094, 0.206839086104673192};
  expect_order_2([&](int steps) { return attitude_error(at_10<TypeParam>(free_body, steps), exact); }, 400);
}

/// Time between the first two zeros from above of Pi2 along Dzhanibekov's rotation, where it is steep. The discrete
/// orbit lies on a smooth curve, which the polynomial through eight points follows to round-off.
template <class Method>
double tumbling_period(double h) {
  using System = typename Method::System;
  const TopParameters body{3, 5, 9, 0, 0, 1, 0};
  const typename System::template Model<double> model(body.data());
  const typename Method::template Step<double> step(model, h, Method::template nominal_sweeps<double>(body.data(), h));
  auto x = to_state<System, double>({0, 2, 0.01}, no_turn);
  std::vector<double> pi2{x[1]}, zeros;
  while (zeros.size() < 2) {
    const std::size_t n = pi2.size();
    if (!step(x, x, true) || n * h > 200) return 0;
    pi2.push_back(x[1]);
    if (n < 8 || !(pi2[n - 4] > 0 && pi2[n - 3] <= 0)) continue;
    // Newton's divided differences for the number of steps as a function of Pi2, at Pi2 = 0.
    const double* at = &pi2[n - 7];
    double count[8];
    for (int i = 0; i < 8; ++i) count[i] = i;
    for (int order = 1; order < 8; ++order)
      for (int i = 7; i >= order; --i) count[i] = (count[i] - count[i - 1]) / (at[i] - at[i - order]);
    double zero = count[7];
    for (int i = 6; i >= 0; --i) zero = count[i] - at[i] * zero;
    zeros.push_back((static_cast<double>(n - 7) + zero) * h);
  }
  return zeros[1] - zeros[0];
}

template <class Method>
class Dzhanibekov : public ::testing::Test {};
using FreeMethods = WithEverySolver<Rattle, MoserVeselov>;
TYPED_TEST_SUITE(Dzhanibekov, FreeMethods);

TYPED_TEST(Dzhanibekov, HasTheExactPeriod) {
  // G: I = (3, 5, 9), Pi = (0, 2, 0.01).
  constexpr double exact = 118.110887046385744;
  const double coarse = tumbling_period<TypeParam>(0.1), middle = tumbling_period<TypeParam>(0.05),
               fine = tumbling_period<TypeParam>(0.025);
  // The h^4 term is 0.04 h^2 of the leading one, which moves the slopes by 4.4e-4 and 1.1e-4 (measured).
  EXPECT_NEAR(std::log2((coarse - exact) / (middle - exact)), 2, 0.001);
  EXPECT_NEAR(std::log2((middle - exact) / (fine - exact)), 2, 0.001 / 4);
  // Without the terms h^2 and h^4. What is left is round-off, magnified by passing the unstable axis at a distance of
  // 0.005, which enters the period through its logarithm. Measured: 1.1e-9.
  const double once = (4 * middle - coarse) / 3, twice = (16 * (4 * fine - middle) / 3 - once) / 15;
  EXPECT_NEAR(twice, exact, 5e-9);
}

// B, C, D and H: heavy tops.

template <class Method>
class HeavyBody : public ::testing::Test {};
using SecondOrder = decltype(join(WithEverySolver<Rattle>{},
                                  ::testing::Types<Pair<HeavyTop, CayleySolver>, Pair<RigidBody, CayleySolver>>{}));
TYPED_TEST_SUITE(HeavyBody, SecondOrder);

TYPED_TEST(HeavyBody, ConvergesToTheExactState) {
  // B: body A hung at chi = e3, c = 1.
  expect_order_2([&](int steps) { return pi_error(at_10<TypeParam>(heavy_body, steps), heavy_body_pi_at_10); }, 800);
  if constexpr (std::is_same_v<typename TypeParam::System, RigidBody>) {
    const Quaternion exact{0.925739989093463492, -0.351490667972755312, 0.102183876018652496, -0.0949644059798461202};
    expect_order_2([&](int steps) { return attitude_error(at_10<TypeParam>(heavy_body, steps), exact); }, 800);
  }
}

TYPED_TEST(HeavyBody, FollowsTheFastTop) {
  using System = typename TypeParam::System;
  const auto start = to_state<System, double>(fast_top::pi, fast_top::attitude);
  const typename System::template Model<double> model(fast_top::body.data());
  EXPECT_NEAR(model.energy(start), fast_top::energy, 2e-12);  // two units in the last place
  const auto after = [&](double t, int steps) {
    auto x = start;
    EXPECT_TRUE((advance<TypeParam, double>(fast_top::body, t / steps, steps, x)));
    EXPECT_NEAR(x[1] / fast_top::body[1], 150, 1e-9);  // a Lagrange top about axis 2: 8000 roundings of 70
    return x;
  };
  if constexpr (std::is_same_v<System, RigidBody>) {
    expect_order_2([&](int steps) { return attitude_error(after(0.2, steps), fast_top::attitude_at_0_2); }, 400);
    expect_order_2([&](int steps) { return pi_error(body_axis(after(1, steps), 1), fast_top::centre_at_1); }, 2000);
  } else {
    // The height of the centre of mass is all that Gamma knows of it.
    expect_order_2([&](int steps) { return std::abs(after(1, steps)[4] - fast_top::centre_at_1[2]); }, 2000);
  }
}

TYPED_TEST(HeavyBody, PrecessesSteadily) {
  using System = typename TypeParam::System;
  const auto start = to_state<System, double>(steady_precession::pi, steady_precession::attitude);
  const double* const body = steady_precession::body.data();
  const typename System::template Model<double> model(body);
  // Largest distance of the centre of mass from the exact one over [0, 1], over l.
  const auto error = [&](int steps) {
    const typename TypeParam::template Step<double> step(model, 1.0 / steps,
                                                         TypeParam::template nominal_sweeps<double>(body, 1.0 / steps));
    auto x = start;
    double worst = 0;
    for (int n = 1; n <= steps; ++n) {
      EXPECT_TRUE(step(x, x, true));
      const auto centre = steady_precession::centre(double(n) / steps);
      if constexpr (std::is_same_v<System, RigidBody>) {
        worst = std::max(worst, pi_error(body_axis(x, 2), centre));
      } else {
        worst = std::max(worst, std::abs(x[5] - centre[2]));
      }
    }
    return worst;
  };
  expect_order_2(error, 1000);
}

template <class Method>
class HairersFigure1 : public ::testing::Test {};
using FigureMethods = WithEverySolver<Rattle>;
TYPED_TEST_SUITE(HairersFigure1, FigureMethods);

TYPED_TEST(HairersFigure1, HasTheEnergyError) {
  // H: Hairer 2003, Figure 1: V = q33, Euler parameters (0.4, 0.2, 0.4, 0.8), Omega = (0.2, 1, 0.4), H_0 = 1.14. Minima
  // of (H_n - H_0)/h^2 on [0, 20] from theory.md, printed to 4 decimals: half a unit of the last.
  using System = typename TypeParam::System;
  const TopParameters body{0.5, 0.9, 1.0, 0, 0, 1, 1};
  const typename System::template Model<double> model(body.data());
  const auto start = to_state<System, double>({0.5 * 0.2, 0.9 * 1.0, 1.0 * 0.4}, {0.4, 0.2, 0.4, 0.8});
  const double initial = model.energy(start);
  EXPECT_NEAR(initial, 1.14, 4e-15);  // four roundings of terms up to 1
  const struct {
    int steps;
    double minimum;
  } rows[] = {{100, -1.9385}, {200, -1.9029}, {400, -1.8998}, {800, -1.9006}};
  for (const auto& row : rows) {
    const double h = 20.0 / row.steps;
    auto x = start;
    double minimum = 0, maximum = 0;
    for (int n = 0; n < row.steps; ++n) {
      ASSERT_TRUE((advance<TypeParam, double>(body, h, 1, x)));
      const double error = (model.energy(x) - initial) / (h * h);
      minimum = std::min(minimum, error), maximum = std::max(maximum, error);
    }
    EXPECT_NEAR(minimum, row.minimum, 0.5e-4) << "h = " << h;
    EXPECT_EQ(maximum, 0) << "h = " << h;
  }
}

}  // namespace
}  // namespace polhode::test

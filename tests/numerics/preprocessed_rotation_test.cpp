// Preprocessed discrete Moser-Veselov (Hairer & Vilmart 2006): the published errors, orders in long double, and where a
// step is too long.
#include "polhode/method/preprocessed_rotation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "numerics/support.hpp"

namespace polhode::test {
namespace {

template <int order_>
struct OfOrder {
  static constexpr PreprocessedRotationOptions map_options{.order = order_};
  static constexpr Properties properties =
      PreprocessedRotationMap::properties_on<RigidBody>(MoserVeselovMethod::properties, map_options);
};
template <int order, class Solver = CayleySolver, class System = RigidBody>
using Map = BoundMethod<OfOrder<order>, PreprocessedRotation<System, Solver>>;

/// Acceptance A: the state at t = 10, computed in quadruple precision.
constexpr long double exact_pi[] = {1.76596250851820754L, -0.695464197033089119L, 0.779554981481871086L};
constexpr long double exact_attitude[] = {0.736061364160793936L, 0.570786951240350733L, 0.299388571830790094L,
                                          0.206839086104673192L};

struct Errors {
  long double pi, attitude;
};

template <class Method, class T>
Errors errors_at_10(int steps, const T& unit = T(1)) {
  double p[] = {0.6, 0.8, 1.0, 0, 0, 1, 0};
  for (int i = 0; i < 3; ++i) p[i] *= static_cast<double>(unit);
  const typename RigidBody::Model<T> model(p);
  const typename Method::template Step<T> step(model, T(10) / T(steps),
                                               Method::template nominal_sweeps<double>(p, 10.0 / steps));
  RigidBody::State<T> x{T(1.8L) * unit, T(0.4L) * unit, T(-0.9L) * unit, T(1), T(0), T(0), T(0)};
  for (int n = 0; n < steps; ++n) EXPECT_TRUE(step(x, x, true));
  long double pi = 0, plus = 0, minus = 0;
  for (int i = 0; i < 3; ++i) pi += std::pow(static_cast<long double>(x[i] / unit) - exact_pi[i], 2.0L);
  for (int i = 0; i < 4; ++i) {
    plus += std::pow(static_cast<long double>(x[3 + i]) - exact_attitude[i], 2.0L);
    minus += std::pow(static_cast<long double>(x[3 + i]) + exact_attitude[i], 2.0L);
  }
  return {std::sqrt(pi), std::sqrt(std::min(plus, minus))};
}

/// The errors that the paper publishes for 100, 200 and 400 steps, to half a unit of the last digit. Of order 8 those
/// of 400 steps are smaller than what the digits of the exact state and rounding leave.
template <class T, class Solver>
void expect_published_errors() {
  const auto expect = [](Errors errors, double published, double digit) {
    EXPECT_NEAR(static_cast<double>(errors.pi), published, 0.5 * digit);
  };
  expect(errors_at_10<Map<4, Solver>, T>(100), 2.147e-3, 1e-6);
  expect(errors_at_10<Map<4, Solver>, T>(200), 1.300e-4, 1e-7);
  expect(errors_at_10<Map<4, Solver>, T>(400), 8.064e-6, 1e-9);
  expect(errors_at_10<Map<6, Solver>, T>(100), 6.643e-6, 1e-9);
  expect(errors_at_10<Map<6, Solver>, T>(200), 1.008e-7, 1e-10);
  expect(errors_at_10<Map<6, Solver>, T>(400), 1.564e-9, 1e-12);
  expect(errors_at_10<Map<8, Solver>, T>(100), 1.094e-8, 1e-11);
  expect(errors_at_10<Map<8, Solver>, T>(200), 4.154e-11, 1e-14);
  // Order 10 is not published: computed with 75 digits.
  expect(errors_at_10<Map<10, Solver>, T>(100), 1.135e-11, 2e-13);  // rounding of 100 steps, 7e-14 with hadamard
}

TEST(PreprocessedRotation, HasThePublishedErrors) {
  expect_published_errors<double, CayleySolver>();
  expect_published_errors<double, HadamardSolver>();
  expect_published_errors<long double, CayleySolver>();
}

template <int order>
void expect_slopes(int steps) {
  // The next term of the error, h^2 smaller, moves the slope by 0.05 from h = 0.1 to 0.05 where it was measured with 75
  // digits, and by four times as much from 0.2 to 0.1.
  const Errors coarse = errors_at_10<Map<order>, long double>(steps);
  const Errors fine = errors_at_10<Map<order>, long double>(2 * steps);
  const double bound = 0.06 * (100.0 / steps) * (100.0 / steps);
  EXPECT_NEAR(static_cast<double>(std::log2(coarse.pi / fine.pi)), order, bound);
  EXPECT_NEAR(static_cast<double>(std::log2(coarse.attitude / fine.attitude)), order, bound);
}

TEST(PreprocessedRotation, HasItsOrderInTheMomentumAndInTheAttitude) {
  expect_slopes<4>(100);
  expect_slopes<6>(100);
  expect_slopes<8>(100);
  expect_slopes<10>(50);  // then errors of 18 digits of the exact state come into view
}

struct Defect {
  long double all, of_pi;  ///< largest entries of D B D^T - B', and of its block of Pi
};

/// Poisson matrix of (Pi, Gamma).
void fill_poisson_matrix(const HeavyTop::State<long double>& x, long double (&b)[6][6]) {
  for (auto& row : b) std::fill(std::begin(row), std::end(row), 0.0L);
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    b[i][j] = -x[k], b[j][i] = x[k];
    b[i][3 + j] = b[3 + i][j] = -x[3 + k], b[j][3 + i] = b[3 + j][i] = x[3 + k];
  }
}

template <int order>
Defect poisson_defect(double h) {
  using Method = Map<order, CayleySolver, HeavyTop>;
  const double p[] = {0.6, 0.8, 1.0, 0, 0, 1, 0};
  const HeavyTop::Model<long double> model(p);
  const typename Method::template Step<long double> step(model, h, Method::template nominal_sweeps<double>(p, h));
  const HeavyTop::State<long double> start{0.9L, 0.4L, -0.9L, 0.6L, 0.48L, 0.64L};
  const long double apart = 1e-4L;  // sixth-order differences: rounding 1e-15, the next term less
  const long double weights[] = {0.75L, -0.15L, 1 / 60.0L};
  long double jacobian[6][6] = {}, before[6][6], after[6][6];
  for (int j = 0; j < 6; ++j)
    for (int n = 1; n <= 3; ++n)
      for (const int sign : {1, -1}) {
        HeavyTop::State<long double> x = start;
        x[j] += sign * n * apart;
        EXPECT_TRUE(step(x, x, true));
        for (int i = 0; i < 6; ++i) jacobian[i][j] += sign * weights[n - 1] * x[i] / apart;
      }
  HeavyTop::State<long double> end;
  EXPECT_TRUE(step(start, end, true));
  fill_poisson_matrix(start, before);
  fill_poisson_matrix(end, after);
  Defect defect{0, 0};
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      long double sum = -after[i][j];
      for (int k = 0; k < 6; ++k)
        for (int l = 0; l < 6; ++l) sum += jacobian[i][k] * before[k][l] * jacobian[j][l];
      defect.all = std::max(defect.all, std::abs(sum));
      if (i < 3 && j < 3) defect.of_pi = std::max(defect.of_pi, std::abs(sum));
    }
  return defect;
}

template <int order>
void expect_defect() {
  const Defect coarse = poisson_defect<order>(0.4), fine = poisson_defect<order>(0.2);
  EXPECT_LT(coarse.of_pi, 1e-14L);
  EXPECT_GT(fine.all, 1e-12L);
  // h^(order + 1), and the next term: measured 5.3, 7.3, 9.3 and 11.3.
  EXPECT_NEAR(static_cast<double>(std::log2(coarse.all / fine.all)), order + 1, 0.5) << coarse.all << ", " << fine.all;
}

TEST(PreprocessedRotation, IsPoissonInPiAlone) {
  EXPECT_LT(poisson_defect<2>(0.4).all, 1e-14L);
  expect_defect<4>();
  expect_defect<6>();
  expect_defect<8>();
  expect_defect<10>();
}

/// The step -h undoes h, and a body at rest stays.
template <int order>
void expect_symmetric() {
  const double p[] = {0.6, 0.8, 1.0, 0, 0, 1, 0};
  const RigidBody::Model<double> model(p);
  const int sweeps = Map<order>::template nominal_sweeps<double>(p, 0.3);
  const typename Map<order>::template Step<double> there(model, 0.3, sweeps), back(model, -0.3, sweeps);
  const RigidBody::State<double> start{0.9, 0.4, -0.9, 0.8, 0.4, -0.4, 0.2}, rest{0, 0, 0, 0.8, 0.4, -0.4, 0.2};
  RigidBody::State<double> x;
  EXPECT_TRUE(there(start, x, true));
  EXPECT_GT(largest_difference(x, start), 0.1);
  EXPECT_TRUE(back(x, x, true));
  EXPECT_LT(largest_difference(x, start), 4e-15) << "order " << order;  // some units in the last place
  EXPECT_TRUE(there(rest, x, true));
  EXPECT_EQ(largest_difference(x, rest), 0) << "order " << order;
}

TEST(PreprocessedRotation, IsUndoneByAStepBack) {
  expect_symmetric<4>();
  expect_symmetric<6>();
  expect_symmetric<8>();
  expect_symmetric<10>();
}

/// A body in any units turns alike, also where products of its moments would underflow or overflow.
TEST(PreprocessedRotation, UnitsOfTheBodyDoNotMatterInSinglePrecision) {
  const Errors own = errors_at_10<Map<8>, float>(100);
  EXPECT_LT(own.pi, 1e-5L);  // 50 times the rounding unit, of 100 steps
  for (const float unit : {0x1p-43f, 0x1p43f}) {
    const Errors scaled = errors_at_10<Map<8>, float>(100, unit);
    EXPECT_NEAR(static_cast<double>(scaled.pi), static_cast<double>(own.pi), 1e-7) << unit;
  }
}

/// The exact flow, by Runge-Kutta steps of at most 0.005: errors below 1e-9.
RigidBody::State<double> exact(const RigidBody::Model<double>& model, RigidBody::State<double> x, double t) {
  const int steps = static_cast<int>(t / 0.005) + 1;
  const double h = t / steps;
  for (int n = 0; n < steps; ++n) {
    const auto at = [&](const RigidBody::State<double>& k, double part) {
      return flow<RigidBody, double>(model, x + part * h * k);
    };
    const auto k1 = flow<RigidBody, double>(model, x), k2 = at(k1, 0.5), k3 = at(k2, 0.5), k4 = at(k3, 1);
    x = x + (h / 6) * (k1 + 2.0 * (k2 + k3) + k4);
  }
  return x;
}

/// Longer and longer steps of a body of angular velocity 1 in 20 directions. What is valid is near the exact flow, up
/// to `most`, a part of the turn; the other root of the equation is off by all that the turn is above a quarter, or
/// more. Beyond a quarter turn there is no valid step.
template <int order, class Solver>
void expect_no_wrong_rotation(const std::array<double, 3>& inertia, double most) {
  using Method = Map<order, Solver>;
  const double p[] = {inertia[0], inertia[1], inertia[2], 0, 0, 1, 0};
  const RigidBody::Model<double> model(p);
  int valid = 0;
  double largest = 0;
  for (int direction = 0; direction < 20; ++direction) {
    const double z = 1 - (2 * direction + 1) / 20.0, angle = 2.399963229728653 * direction, r = std::sqrt(1 - z * z);
    const double omega[] = {r * std::cos(angle), r * std::sin(angle), z};
    for (double h = 0.5; h < 8; h *= 1.03) {
      const typename Method::template Step<double> step(model, h, Method::template nominal_sweeps<double>(p, h));
      const RigidBody::State<double> x{p[0] * omega[0], p[1] * omega[1], p[2] * omega[2], 0.8, 0.4, -0.4, 0.2};
      RigidBody::State<double> y;
      if (!step(x, y, true)) {
        const Status why = step.failures(x).status(0);
        EXPECT_TRUE(why == Status::no_moments || (why == Status::not_converged && h < std::numbers::pi / 2));
        continue;
      }
      ++valid;
      EXPECT_LT(h, std::numbers::pi / 2) << "direction " << direction;
      const RigidBody::State<double> there = exact(model, x, h);
      largest = std::max(largest, largest_difference(y, there));
    }
  }
  EXPECT_GT(valid, 20 * 15);
  EXPECT_LT(largest, most) << "order " << order;
  ::testing::Test::RecordProperty("largest", std::to_string(largest));
}

template <int order>
void expect_no_wrong_rotation(double most) {
  for (const std::array<double, 3>& inertia :
       {std::array{0.6, 0.8, 1.0}, std::array{0.345, 0.653, 1.0}, std::array{1., 1., 1.}}) {
    expect_no_wrong_rotation<order, CayleySolver>(inertia, most);
    expect_no_wrong_rotation<order, HadamardSolver>(inertia, most);
  }
}

TEST(PreprocessedRotation, AStepThatIsTooLongHasAStatusAndNoWrongRotation) {
  expect_no_wrong_rotation<4>(0.3);
  expect_no_wrong_rotation<6>(0.1);
  expect_no_wrong_rotation<8>(0.1);
  expect_no_wrong_rotation<10>(0.1);
}

}  // namespace
}  // namespace polhode::test

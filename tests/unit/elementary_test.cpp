// Elementary functions of exact operations: sin_cos against the C library in extended precision, special values, and
// derivatives. Their errors otherwise are in elementary_accuracy_test.cpp, their bits in elementary_bits_test.cpp.
#include "polhode/scalar/elementary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <random>
#include <utility>

namespace polhode::test {
namespace {

template <class T>
class Elementary : public testing::Test {};
using Reals = testing::Types<double, float>;
TYPED_TEST_SUITE(Elementary, Reals);

/// The largest error of both over some angles.
template <class T>
double worst(double span) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-span, span);
  long double most = 0;
  for (int k = 0; k < 200000; ++k) {
    const T x = static_cast<T>(uniform(random));
    const SinCos<T> found = sin_cos(x);
    most = std::max({most, std::abs(found.sin - std::sin(static_cast<long double>(x))),
                     std::abs(found.cos - std::cos(static_cast<long double>(x)))});
  }
  return static_cast<double>(most);
}

TYPED_TEST(Elementary, SinesAreOffByLessThanAUnitInTheLastPlaceOfOne) {
  constexpr double eps = std::numeric_limits<TypeParam>::epsilon();
  const double large = sizeof(TypeParam) == sizeof(double) ? 1e6 : 1e3;
  for (const double span : {0.01, 1.0, 10.0, large}) EXPECT_LT(worst<TypeParam>(span), 0.7 * eps) << span;  // 0.6 seen
}

TYPED_TEST(Elementary, SinesOfMultiplesOfTheQuarterTurn) {
  constexpr double eps = std::numeric_limits<TypeParam>::epsilon();
  EXPECT_EQ(sin_cos(TypeParam(0)).sin, 0);
  EXPECT_EQ(sin_cos(TypeParam(0)).cos, 1);
  for (int k = -9; k <= 9; ++k) {
    const auto x = static_cast<TypeParam>(k * 1.5707963267948966);
    EXPECT_NEAR(sin_cos(x).sin, std::sin(static_cast<double>(x)), 0.7 * eps) << k;
    EXPECT_NEAR(sin_cos(x).cos, std::cos(static_cast<double>(x)), 0.7 * eps) << k;
  }
  EXPECT_FALSE(is_finite(sin_cos(std::numeric_limits<TypeParam>::infinity()).sin));
}

/// A small angle keeps its digits.
TYPED_TEST(Elementary, SinesOfSmallAnglesAreRelativelyAccurate) {
  for (double x = 1; x > 1e-30; x /= 3) {
    const auto angle = static_cast<TypeParam>(x);
    const double sine = std::sin(static_cast<double>(angle));
    EXPECT_NEAR(sin_cos(angle).sin / sine, 1, std::numeric_limits<TypeParam>::epsilon()) << x;
  }
}

template <class T>
bool same(T a, T b) {
  return (a != a && b != b) || (a == b && std::signbit(a) == std::signbit(b));
}

TYPED_TEST(Elementary, SpecialValues) {
  using T = TypeParam;
  using Limits = std::numeric_limits<T>;
  constexpr T inf = Limits::infinity(), nan = Limits::quiet_NaN(), least = Limits::denorm_min();
  EXPECT_TRUE(same(exp(T(0)), T(1)));
  EXPECT_TRUE(same(exp(-T(0)), T(1)));
  EXPECT_TRUE(same(exp(inf), inf));
  EXPECT_TRUE(same(exp(-inf), T(0)));
  EXPECT_TRUE(same(exp(nan), nan));
  EXPECT_TRUE(same(exp(Limits::max()), inf));
  EXPECT_TRUE(same(exp(Limits::lowest()), T(0)));
  EXPECT_TRUE(same(exp(least), T(1)));

  EXPECT_TRUE(same(log(T(1)), T(0)));
  EXPECT_TRUE(same(log(T(0)), -inf));
  EXPECT_TRUE(same(log(-T(0)), -inf));
  EXPECT_TRUE(same(log(inf), inf));
  for (const T x : {nan, T(-1), -least, Limits::lowest(), -inf}) EXPECT_TRUE(same(log(x), nan)) << x;
  EXPECT_EQ(log(least), std::log(least));

  EXPECT_TRUE(same(sin(T(0)), T(0)));
  EXPECT_TRUE(same(sin(-T(0)), -T(0)));
  EXPECT_TRUE(same(sin(least), least));
  EXPECT_TRUE(same(cos(-T(0)), T(1)));
  constexpr T most = T(sizeof(T) == sizeof(double) ? 1 << 30 : 1 << 14);
  for (const T x : {most, -most}) EXPECT_TRUE(is_finite(sin(x)) && is_finite(cos(x)));
  for (const T x : {nan, inf, -inf, std::nextafter(most, inf), std::nextafter(-most, -inf), Limits::max()})
    EXPECT_TRUE(same(sin(x), nan) && same(cos(x), nan)) << x;
}

TYPED_TEST(Elementary, PowersHaveTheSpecialValuesOfC) {
  using T = TypeParam;
  using Limits = std::numeric_limits<T>;
  constexpr T inf = Limits::infinity(), nan = Limits::quiet_NaN(), least = Limits::denorm_min(), most = Limits::max();
  constexpr T numbers[] = {0, least, Limits::min(), T(0.25), 1, 2, 4, most, inf};
  for (const T size : numbers)
    for (const T y : {size, -size, nan}) {
      for (const T x : numbers) {
        const T found = pow(x, y), expected = std::pow(x, y);
        EXPECT_TRUE(same(found, expected) || std::abs(found / expected - 1) < Limits::epsilon())
            << x << "^" << y << ": " << found << " is not " << expected;
        EXPECT_TRUE(same(pow(-x, y), x == 0 ? pow(x, y) : y == 0 ? T(1) : nan)) << -x << "^" << y;
      }
      EXPECT_TRUE(same(pow(nan, y), std::pow(nan, y))) << y;
    }
  // Whole results are exact.
  for (int k = 1; k < 100; ++k) {
    EXPECT_EQ(pow(T(k), T(2)), k * k);
    EXPECT_EQ(pow(T(k * k), T(0.5)), k);
  }
}

/// Of everything; also as the reference evaluates it, in extended precision and in complex numbers.
template <class T>
T everything(const T& x, const T& y) {
  return exp(x) * cos(y) + log(y) / sine_and_cosine(x).sin + pow(x, y) + pow(y, Real<T>(1.5));
}

TYPED_TEST(Elementary, DerivativesAgreeWithTheReferences) {
  using T = TypeParam;
  using Complex = std::complex<double>;
  constexpr double step = 1e-30;
  for (const auto& [x, y] : {std::pair{0.5, 1.25}, {2.0, 0.375}, {0.0625, 3.0}}) {
    const Dual<T, 2> found =
        everything(Dual<T, 2>::variable(static_cast<T>(x), 0), Dual<T, 2>::variable(static_cast<T>(y), 1));
    const Complex by_x = everything(Complex(x, step), Complex(y)), by_y = everything(Complex(x), Complex(y, step));
    const double size = 8 * std::abs(by_x.real()) + 8, epsilon = std::numeric_limits<T>::epsilon();
    EXPECT_NEAR(found.value, by_x.real(), epsilon * size);
    EXPECT_NEAR(found.value, everything<long double>(x, y), epsilon * size);
    EXPECT_NEAR(found.tangent[0], by_x.imag() / step, 10 * epsilon * size);
    EXPECT_NEAR(found.tangent[1], by_y.imag() / step, 10 * epsilon * size);
  }
}

TEST(ElementaryDuals, SecondDerivatives) {
  using Once = Dual<double, 1>;
  using Twice = Dual<Once, 1>;
  const auto second = [](auto&& f, double at) {
    Twice x(Once::variable(at, 0));
    x.tangent[0] = Once(1.0);
    return f(x).tangent[0].tangent[0];
  };
  const double x = 0.7;
  EXPECT_NEAR(second([](const Twice& a) { return exp(a); }, x), std::exp(x), 1e-15);
  EXPECT_NEAR(second([](const Twice& a) { return log(a); }, x), -1 / (x * x), 1e-15);
  EXPECT_NEAR(second([](const Twice& a) { return sin(a); }, x), -std::sin(x), 1e-15);
  EXPECT_NEAR(second([](const Twice& a) { return cos(a); }, x), -std::cos(x), 1e-15);
  EXPECT_NEAR(second([](const Twice& a) { return pow(a, 1.5); }, x), 0.75 / std::sqrt(x), 1e-15);
  EXPECT_NEAR(second([](const Twice& a) { return pow(a, Twice(1.5)); }, x), 0.75 / std::sqrt(x), 1e-15);
  // (x^x)'' = x^x ((1 + log x)^2 + 1/x)
  EXPECT_NEAR(second([](const Twice& a) { return pow(a, a); }, x),
              std::pow(x, x) * (std::pow(1 + std::log(x), 2) + 1 / x), 1e-14);
}

TEST(ElementaryDuals, PowersOfZero) {
  using D = Dual<double, 2>;
  const D zero = D::variable(0, 0);
  for (const double y : {0.0, 1.0, 2.0}) {
    const D constant = pow(zero, y), variable = pow(zero, D::variable(y, 1));
    for (const D& a : {constant, variable}) {
      EXPECT_EQ(a.value, y == 0 ? 1 : 0);
      EXPECT_EQ(a.tangent[0], y == 1 ? 1 : 0);
      EXPECT_EQ(a.tangent[1], 0);
    }
  }
  EXPECT_EQ(pow(zero, 0.5).tangent[0], std::numeric_limits<double>::infinity());
  using Twice = Dual<Dual<double, 1>, 1>;
  Twice x(Dual<double, 1>::variable(0, 0));
  x.tangent[0].value = 1;
  EXPECT_EQ(pow(x, 2.0).tangent[0].tangent[0], 2);
  EXPECT_EQ(pow(x, Twice(2.0)).tangent[0].tangent[0], 2);
}

}  // namespace
}  // namespace polhode::test

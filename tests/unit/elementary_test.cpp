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
    EXPECT_TRUE(same(sin(x), nan) && same(cos(x), nan) && same(tan(x), nan)) << x;
}

/// The functions that are odd keep a small argument, and its sign.
TYPED_TEST(Elementary, OddFunctionsKeepWhatIsSmall) {
  using T = TypeParam;
  for (const T x : {T(0), -T(0), std::numeric_limits<T>::denorm_min(), -std::numeric_limits<T>::min(), T(1e-30)}) {
    EXPECT_TRUE(same(tan(x), x) && same(asin(x), x) && same(atan(x), x)) << x;
    EXPECT_TRUE(same(sinh(x), x) && same(tanh(x), x)) << x;
  }
}

TYPED_TEST(Elementary, ArcsHaveTheSpecialValuesOfC) {
  using T = TypeParam;
  using Limits = std::numeric_limits<T>;
  constexpr T inf = Limits::infinity(), nan = Limits::quiet_NaN();
  for (const T x : {T(1), T(-1), T(0.5), inf, -inf, nan, Limits::max(), Limits::lowest()})
    EXPECT_TRUE(same(atan(x), static_cast<T>(std::atan(static_cast<long double>(x))))) << x;
  for (const T x : {T(1), T(-1), T(0.5), T(0)}) {
    EXPECT_EQ(asin(x), static_cast<T>(std::asin(static_cast<long double>(x)))) << x;
    EXPECT_EQ(acos(x), static_cast<T>(std::acos(static_cast<long double>(x)))) << x;
  }
  for (const T x : {std::nextafter(T(1), T(2)), std::nextafter(T(-1), T(-2)), inf, -inf, nan})
    EXPECT_TRUE(same(asin(x), nan) && same(acos(x), nan)) << x;
  constexpr T numbers[] = {0, Limits::denorm_min(), Limits::min(), 1, Limits::max(), inf};
  for (const T y : numbers)
    for (const T size : numbers)
      for (const T x : {size, size == 0 ? size : -size}) {
        const T exact = static_cast<T>(std::atan2(static_cast<long double>(y), static_cast<long double>(x)));
        EXPECT_TRUE(same(atan2(y, x), exact)) << y << ", " << x << ": " << atan2(y, x) << " is not " << exact;
        EXPECT_EQ(atan2(-y, x), y == 0 ? exact : -exact) << -y << ", " << x;
      }
  for (const T x : {T(1), T(0), inf}) EXPECT_TRUE(same(atan2(nan, x), nan) && same(atan2(x, nan), nan)) << x;
}

TYPED_TEST(Elementary, HyperbolicFunctionsOfWhatIsLarge) {
  using T = TypeParam;
  using Limits = std::numeric_limits<T>;
  constexpr T inf = Limits::infinity(), nan = Limits::quiet_NaN();
  for (const T x : {inf, Limits::max(), T(1000)}) {
    EXPECT_TRUE(same(sinh(x), inf) && same(sinh(-x), -inf)) << x;
    EXPECT_TRUE(same(cosh(x), inf) && same(cosh(-x), inf)) << x;
    EXPECT_TRUE(same(tanh(x), T(1)) && same(tanh(-x), T(-1))) << x;
  }
  EXPECT_TRUE(same(sinh(nan), nan) && same(cosh(nan), nan) && same(tanh(nan), nan));
  EXPECT_EQ(cosh(T(0)), 1);
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
  const T fraction = x / (x + y);
  return exp(x) * cos(y) + log(y) / sine_and_cosine(x).sin + pow(x, y) + pow(y, Real<T>(1.5)) +
         tan(fraction) * sinh(x) + cosh(x) * tanh(y) + asin(fraction) * acos(fraction) + atan(y) * atan2(x, y);
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
  const double tangent = std::tan(x), square = x * x;
  EXPECT_NEAR(second([](const Twice& a) { return tan(a); }, x), 2 * tangent * (1 + tangent * tangent), 1e-14);
  EXPECT_NEAR(second([](const Twice& a) { return sinh(a); }, x), std::sinh(x), 1e-15);
  EXPECT_NEAR(second([](const Twice& a) { return cosh(a); }, x), std::cosh(x), 1e-15);
  const double tanh_x = std::tanh(x);
  EXPECT_NEAR(second([](const Twice& a) { return tanh(a); }, x), -2 * tanh_x * (1 - tanh_x * tanh_x), 1e-15);
  EXPECT_NEAR(second([](const Twice& a) { return asin(a); }, x), x / std::pow(1 - square, 1.5), 1e-14);
  EXPECT_NEAR(second([](const Twice& a) { return acos(a); }, x), -x / std::pow(1 - square, 1.5), 1e-14);
  EXPECT_NEAR(second([](const Twice& a) { return atan(a); }, x), -2 * x / ((1 + square) * (1 + square)), 1e-15);
  EXPECT_NEAR(second([](const Twice& a) { return atan2(a, Twice(2.0)); }, x), -4 * x / ((4 + square) * (4 + square)),
              1e-15);
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

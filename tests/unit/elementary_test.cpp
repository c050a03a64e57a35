// Sine and cosine of exact operations against those of the C library in extended precision.
#include "polhode/scalar/elementary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

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

}  // namespace
}  // namespace polhode::test

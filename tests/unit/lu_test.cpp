#include "polhode/math/lu.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "backend/reference/dense_solve.hpp"

namespace polhode::test {
namespace {

template <class R, int n>
struct Of {
  using Real = R;
  static constexpr int N = n;
};
template <class Case>
class LinearSystem : public testing::Test {
 protected:
  using R = typename Case::Real;
  static constexpr int N = Case::N;

  /// Definite, nearly diagonal, times a scale.
  static Mat<R, N, N> example(std::mt19937_64& random, R scale) {
    std::uniform_real_distribution<R> uniform(-0.3, 0.3);
    Mat<R, N, N> a;
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) a[i][j] = scale * (uniform(random) + (i == j ? 2 : 0));
    return a;
  }
  static bool is_finite_anywhere(const Vec<R, N>& x) {
    for (int i = 0; i < N; ++i)
      if (std::isfinite(x[i])) return true;
    return false;
  }
};
using Cases = testing::Types<Of<double, 1>, Of<double, 2>, Of<double, 3>, Of<double, 4>, Of<double, 7>, Of<float, 1>,
                             Of<float, 2>, Of<float, 3>, Of<float, 4>, Of<float, 7>>;
TYPED_TEST_SUITE(LinearSystem, Cases);

TYPED_TEST(LinearSystem, IsSolvedAtEveryScale) {
  using R = typename TestFixture::R;
  constexpr int N = TestFixture::N;
  std::mt19937_64 random(5);
  std::uniform_real_distribution<R> uniform(-1, 1);
  // Single precision has no product of two entries: 1e30 squared would overflow.
  const R large = std::is_same_v<R, float> ? R(1e30) : R(1e150);
  for (const R scale : {R(1), large, 1 / large})
    for (int k = 0; k < 100; ++k) {
      const auto a = TestFixture::example(random, scale);
      Vec<R, N> b;
      for (int i = 0; i < N; ++i) b[i] = uniform(random);
      Eigen::MatrixX<long double> matrix(N, N);
      Eigen::VectorX<long double> right(N);
      for (int i = 0; i < N; ++i) {
        right[i] = b[i];
        for (int j = 0; j < N; ++j) matrix(i, j) = a[i][j];
      }
      const Eigen::VectorX<long double> expected = solve_dense<long double>(matrix, right);
      const LU<R, N> lu(a);
      const Vec<R, N> x = lu.solve(b);
      EXPECT_FALSE(lu.is_singular(a));
      const double allowed = 8 * N * std::numeric_limits<R>::epsilon() * static_cast<double>(expected.norm());
      for (int i = 0; i < N; ++i) EXPECT_NEAR(x[i], static_cast<double>(expected[i]), allowed);
    }
}

TYPED_TEST(LinearSystem, ASingularOneHasNoFiniteSolution) {
  using R = typename TestFixture::R;
  constexpr int N = TestFixture::N;
  std::mt19937_64 random(6);
  Vec<R, N> b;
  for (int i = 0; i < N; ++i) b[i] = 1;
  for (int k = 0; k < N; ++k) {
    auto a = TestFixture::example(random, 1);
    for (int j = 0; j < N; ++j) a[k][j] = 0;
    const LU<R, N> lu(a);
    EXPECT_TRUE(lu.is_singular(a)) << k;
    EXPECT_FALSE(TestFixture::is_finite_anywhere(lu.solve(b))) << k;
  }
}

TYPED_TEST(LinearSystem, WhatIsOutOfRangeHasNoFiniteSolution) {
  using R = typename TestFixture::R;
  constexpr int N = TestFixture::N;
  std::mt19937_64 random(7);
  Vec<R, N> b;
  for (int i = 0; i < N; ++i) b[i] = 1;
  const R infinity = std::numeric_limits<R>::infinity();
  for (const R value : {std::numeric_limits<R>::quiet_NaN(), infinity, -infinity})
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) {
        auto a = TestFixture::example(random, 1);
        a[i][j] = value;
        const LU<R, N> lu(a);
        EXPECT_TRUE(lu.is_singular(a)) << i << ", " << j;
        EXPECT_FALSE(TestFixture::is_finite_anywhere(lu.solve(b))) << i << ", " << j;
      }
  if constexpr (N > 1 && std::is_same_v<R, double>) {  // a determinant that overflows
    EXPECT_FALSE(TestFixture::is_finite_anywhere(LU<R, N>(TestFixture::example(random, R(1e200))).solve(b)));
  }
}

}  // namespace
}  // namespace polhode::test

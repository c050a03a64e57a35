// Duals against differences, and through the bounded iteration.
#include "polhode/scalar/dual.hpp"

#include <gtest/gtest.h>

#include "polhode/math/bounded_iteration.hpp"

namespace polhode {
namespace {

using D = Dual<double, 2>;

template <class T>
T expression(const T& x, const T& y) {
  const T z = fma(x, y, sqrt(x * x + y)) / (T(3.0) - y);
  return select(z < T(0.0), -z, z) - abs(x - y);
}

TEST(Dual, DerivativesAgreeWithExtendedDifferences) {
  const double x = 0.7, y = 1.3;
  const D value = expression(D::variable(x, 0), D::variable(y, 1));
  const auto f = [](long double a, long double b) { return expression<long double>(a, b); };
  const long double e = 1e-6L;  // central differences: error e^2 times a third derivative of order 1
  EXPECT_NEAR(value.value, static_cast<double>(f(x, y)), 1e-15);
  EXPECT_NEAR(value.tangent[0], static_cast<double>((f(x + e, y) - f(x - e, y)) / (2 * e)), 1e-11);
  EXPECT_NEAR(value.tangent[1], static_cast<double>((f(x, y + e) - f(x, y - e)) / (2 * e)), 1e-11);
}

TEST(BoundedIteration, TangentsConvergeWithTheValue) {
  // x = 1 + a x^2 / 4 by fixed point; dx/da = x^2 / (4 - 2 a x). Contraction 0.29 at a = 0.5.
  using D1 = Dual<double, 1>;
  Vec<D1, 1> x{D1(1.0)};
  const D1 a = D1::variable(0.5, 0);
  ASSERT_TRUE(iterate<D1>(x, 3, true,
                          [&](const Vec<D1, 1>& v) { return Vec<D1, 1>{fma(a * D1(0.25), v[0] * v[0], D1(1.0))}; }));
  const double root = x[0].value;
  EXPECT_NEAR(root, 1 + 0.125 * root * root, sweep_tolerance<double>() * root);  // where a lane counts as settled
  EXPECT_NEAR(x[0].tangent[0], root * root / (4 - root), sweep_tolerance<double>());
}

TEST(BoundedIteration, ReportsWhatDoesNotConverge) {
  const auto run = [](auto sweep, double start) {
    Vec<double, 1> x{start};
    return iterate<double>(x, 4, true, sweep);
  };
  EXPECT_FALSE(run([](const Vec<double, 1>& v) { return Vec<double, 1>{-v[0]}; }, 1.0));          // oscillates
  EXPECT_FALSE(run([](const Vec<double, 1>& v) { return Vec<double, 1>{v[0] * v[0]}; }, 1e100));  // overflows
  EXPECT_FALSE(run([](const Vec<double, 1>& v) { return Vec<double, 1>{v[0] * 1e60}; }, 1e100));  // in one sweep
  EXPECT_FALSE(run([](const Vec<double, 1>& v) { return Vec<double, 1>{v[0] / v[0]}; }, 0.0));    // NaN
  EXPECT_TRUE(run([](const Vec<double, 1>& v) { return Vec<double, 1>{0.5 * v[0]}; }, 0.0));      // stays at zero
}

TEST(BoundedIteration, DoesNotLeapToAnotherSolution) {
  // Newton's iteration for x^3 - 2 x + 2 from near its cycle 0 -> 1 -> 0: it wanders, until a tangent that is nearly
  // level throws it far away, from where it comes down to the root at -1.77, which is no neighbour of the start.
  const auto sweep = [](const Vec<double, 1>& v) {
    const double x = v[0];
    return Vec<double, 1>{x - (x * x * x - 2 * x + 2) / (3 * x * x - 2)};
  };
  Vec<double, 1> x{0.3};
  double before = HUGE_VAL;
  bool leaps = false, arrives = false;
  Vec<double, 1> free = x;
  for (int k = 0; k < max_sweeps && !arrives; ++k) {
    const Vec<double, 1> next = sweep(free);
    leaps = leaps || squared_change(free, next) > 4 * before;
    arrives = has_settled(free, next);
    before = squared_change(free, next);
    free = next;
  }
  EXPECT_TRUE(leaps && arrives);  // or nothing is tested
  EXPECT_NEAR(free[0], -1.7692923542386314, 1e-15);
  EXPECT_FALSE(iterate<double>(x, 1, true, sweep));

  // The noise of a sweep is none: changes of 40 and 100 roundings, before one that settles.
  Vec<double, 1> z{1};
  EXPECT_TRUE(iterate<double>(z, 1, true, [k = 0](const Vec<double, 1>& v) mutable {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    return Vec<double, 1>{v[0] + (k++ == 0 ? 40 * epsilon : k == 2 ? 100 * epsilon : 0)};
  }));

  // A factor of two is no leap.
  Vec<double, 1> y{2.5};
  EXPECT_TRUE(iterate<double>(y, 1, true, [](const Vec<double, 1>& v) {
    return Vec<double, 1>{v[0] == 2.5 ? 3.5 : v[0] == 3.5 ? 5.5 : 1 + 0.5 * (v[0] - 1)};
  }));
}

TEST(BoundedIteration, MoreUnconditionalSweepsChangeNoMoreThanTheTolerance) {
  const auto run = [](int sweeps) {
    Vec<double, 1> x{1.0};
    EXPECT_TRUE(iterate<double>(x, sweeps, true,
                                [](const Vec<double, 1>& v) { return Vec<double, 1>{1 + 0.125 * v[0] * v[0]}; }));
    return x[0];
  };
  const double many = run(60);
  for (int sweeps = 1; sweeps < 20; ++sweeps) EXPECT_NEAR(run(sweeps), many, sweep_tolerance<double>() * many);
}

}  // namespace
}  // namespace polhode

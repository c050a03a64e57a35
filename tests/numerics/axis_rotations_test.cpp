// Explicit rotations: what they do exactly, and errors that are known.
#include "polhode/method/axis_rotations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "numerics/support.hpp"
#include "polhode/method/mclachlan_reich.hpp"
#include "polhode/method/touma_wisdom.hpp"

namespace polhode::test {
namespace {

using ToumaWisdom = BoundMethod<ToumaWisdomMethod, AxisRotations<RigidBody>>;
using McLachlanReich = BoundMethod<McLachlanReichMethod, AxisRotations<RigidBody>>;
using Point = RigidBody::State<long double>;

template <class Method>
Point after(const double* p, double t, int steps, Point x) {
  const RigidBody::Model<long double> model(p);
  const typename Method::template Step<long double> step(model, static_cast<long double>(t) / steps, 1);
  for (int n = 0; n < steps; ++n) EXPECT_TRUE(step(x, x, true));
  return x;
}
double distance(const Point& a, const Point& b) {
  long double same = 0, opposite = 0;  // a quaternion and its opposite are one attitude
  for (int i = 0; i < 3; ++i) same += (a[i] - b[i]) * (a[i] - b[i]);
  opposite = same;
  for (int i = 3; i < 7; ++i) same += (a[i] - b[i]) * (a[i] - b[i]), opposite += (a[i] + b[i]) * (a[i] + b[i]);
  return static_cast<double>(std::sqrt(std::min(same, opposite)));
}

constexpr Point start{1.8L, 0.4L, -0.9L, 1, 0, 0, 0};

/// The free symmetric body in one step and in a hundred, about each axis.
TEST(AxisRotations, ToumaWisdomIsExactForAFreeSymmetricBody) {
  for (int axis = 0; axis < 3; ++axis) {
    double p[] = {0.8, 0.8, 0.8, 0, 0, 1, 0};
    p[axis] = 1.1;
    EXPECT_LT(distance(after<ToumaWisdom>(p, 2, 1, start), after<ToumaWisdom>(p, 2, 100, start)), 1e-15) << axis;
    EXPECT_GT(distance(after<McLachlanReich>(p, 2, 1, start), after<McLachlanReich>(p, 2, 100, start)), 1e-2) << axis;
  }
}

/// Its error is proportional to the difference of the moments that are nearly equal, and of order 2.
TEST(AxisRotations, ToumaWisdomErrsByTheAsymmetry) {
  const auto error = [](double asymmetry, int steps) {
    const double p[] = {0.8, 0.8 * (1 + asymmetry), 1.1, 0, 0, 1, 0};
    return distance(after<ToumaWisdom>(p, 10, steps, start), after<ToumaWisdom>(p, 10, 32 * steps, start));
  };
  EXPECT_NEAR(error(2e-3, 100) / error(1e-3, 100), 2, 0.01);  // the square of the asymmetry comes next
  EXPECT_NEAR(std::log2(error(1e-2, 100) / error(1e-2, 200)), 2, 0.01);
}

/// Acceptance A: the state at t = 10, computed in quadruple precision.
TEST(AxisRotations, ConvergeToTheFreeBody) {
  const double p[] = {0.6, 0.8, 1.0, 0, 0, 1, 0};
  const Point exact{1.76596250851820754L,  -0.695464197033089119L, 0.779554981481871086L, 0.736061364160793936L,
                    0.570786951240350733L, 0.299388571830790094L,  0.206839086104673192L};
  const auto expect_order = [&](auto advance) {
    const double coarse = distance(advance(400), exact), fine = distance(advance(800), exact);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.01);
    EXPECT_LT(fine, 1e-2);
  };
  expect_order([&](int steps) { return after<ToumaWisdom>(p, 10, steps, start); });
  expect_order([&](int steps) { return after<McLachlanReich>(p, 10, steps, start); });
}

}  // namespace
}  // namespace polhode::test

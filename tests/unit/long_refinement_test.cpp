// The search of long steps on a throw, whose crossings of a height are known in closed form: what it finds, what it
// refuses, and in how many steps.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "polhode/math/vec.hpp"
#include "polhode/run/refine.hpp"
#include "unit/closed_form.hpp"

namespace polhode::test {
namespace {

/// A stone thrown up: height and velocity, x' = v, v' = -2; the observable is the height, a negative index its
/// negative.
struct Stone {
  static constexpr int dim = 2;
  template <class T>
  using State = Vec<T, 2>;
  template <class T>
  struct Model {
    explicit Model(const double*) {}
    T observe(int index, const State<T>& x) const {
      if (index < 0) return -observe(~index, x);
      switch (index) {
        case 0: return x[0];
        case 1: return x[0] < T(0) ? T(-3) : T(0);                                 // a jump onto zero
        case 2: return x[0] < T(0) ? x[0] - T(6) : x[0];                           // to something beyond it
        default: return x[0] < T(0) ? T(-3) : T(1e-17) * std::sin(T(1e6) * x[0]);  // to round-off
      }
    }
    T magnitude(int, const State<T>&) const { return T(1); }
    State<T> flow(const State<T>& x) const { return {x[1], T(-2)}; }
  };
  template <class T>
  static Vec<T, 2> moved(const Vec<T, 2>& x, T h) {
    return {x[0] + h * (x[1] - h), x[1] - T(2) * h};
  }
};
using Throw = ClosedForm<Stone>;

/// A point that passes the origin on a straight line, at a distance y: position, x' = -1. The observable is its
/// azimuth, which turns by half a turn.
struct Passage {
  static constexpr int dim = 2;
  template <class T>
  using State = Vec<T, 2>;
  template <class T>
  struct Model {
    explicit Model(const double*) {}
    T observe(int, const State<T>& x) const { return std::atan2(x[1], x[0]); }
    T magnitude(int, const State<T>&) const { return T(3); }
    State<T> flow(const State<T>&) const { return {T(-1), T(0)}; }
  };
  template <class T>
  static Vec<T, 2> moved(const Vec<T, 2>& x, T h) {
    return {x[0] - h, x[1]};
  }
};
using Glide = ClosedForm<Passage>;

struct Found {
  double theta, height, velocity;
  std::int64_t step;
  int steps;
};

/// The crossing of height 0 in step 7, of length 1; steps longer than percent / 100 are not valid.
template <class T, bool jumps = false>
Found crossing(double height, double velocity, bool is_later, int observable = 0, int percent = 100) {
  Plan plan{};
  plan.step = 1;
  plan.step_plan.stages[0].sweeps = static_cast<std::int16_t>(percent);
  plan.section = {observable, 0.0, true, true, false, true};
  const T side(observable < 0 ? -1 : 1), x = static_cast<T>(height), v = static_cast<T>(velocity);
  double theta = static_cast<double>(Stone::Model<T>(nullptr).observe(observable, {x + (v - T(1)), v - T(2)}));
  double slope = static_cast<double>(side * (v - T(2)));
  double state[] = {height, velocity};
  std::int64_t count = 1, trajectory = 0, step = is_later ? -1 - 7 : 7;
  steps_taken = 0;
  refine<LongSearches<Throw, T, jumps>>(Stone::Model<T>(nullptr), plan, {},
                                        {1, &count, &trajectory, &step, &theta, state, &slope}, 1, 0);
  return {theta, state[0], state[1], step, steps_taken};
}

template <class T>
class LongRefinement : public testing::Test {
 protected:
  // The height is known to 4 units of round-off, and its slope is at least 0.1 below.
  static constexpr double theta_error = 80 * std::numeric_limits<T>::epsilon();
};
using Reals = testing::Types<double, float>;
TYPED_TEST_SUITE(LongRefinement, Reals);

/// Rises above 0 and falls back within the step, by v^2 / 4 above the start at theta = v / 2.
TYPED_TEST(LongRefinement, OfTwoCrossings) {
  for (const double v : {0.5, 0.9, 1.0, 1.4})
    for (const double depth : {0.01, 0.3, 0.9}) {
      const double height = -depth * v * v / 4, root = std::sqrt(v * v + 4 * height);
      if (height + v - 1 >= 0) continue;
      for (const int observable : {0, ~0}) {
        const Found earlier = crossing<TypeParam>(height, v, false, observable);
        const Found later = crossing<TypeParam>(height, v, true, observable);
        EXPECT_NEAR(earlier.theta, (v - root) / 2, this->theta_error);
        EXPECT_NEAR(later.theta, (v + root) / 2, this->theta_error);
        EXPECT_NEAR(earlier.height, 0, this->theta_error);
        EXPECT_NEAR(later.height, 0, this->theta_error);
        EXPECT_GT(earlier.velocity, 0);
        EXPECT_LT(later.velocity, 0);
        EXPECT_EQ(earlier.step, 7);
        EXPECT_EQ(later.step, 7);
        EXPECT_LE(earlier.steps, 3);  // one to the summit; the cubic of a parabola is itself
        EXPECT_LE(later.steps, 3);
      }
    }
}

TYPED_TEST(LongRefinement, BelowTheSectionIsNoCrossing) {
  for (const bool is_later : {false, true}) EXPECT_EQ(crossing<TypeParam>(-0.26, 1, is_later).theta, HUGE_VAL);
}

/// Where no valid step goes beyond the section, it is not known to be crossed; where one does, but none leads to the
/// crossing, that is said.
TYPED_TEST(LongRefinement, OfStepsThatAreNotValid) {
  EXPECT_EQ(crossing<TypeParam>(-0.1, 1, false, 0, 10).theta, HUGE_VAL);
  EXPECT_EQ(crossing<TypeParam>(-0.1, 1, true, 0, 10).theta, HUGE_VAL);
  EXPECT_NEAR(crossing<TypeParam>(-0.1, 1, false, 0, 50).theta, 0.5 - std::sqrt(0.15), this->theta_error);
  EXPECT_TRUE(std::isnan(crossing<TypeParam>(-0.1, 1, true, 0, 50).theta));
  EXPECT_TRUE(std::isnan(crossing<TypeParam>(-0.5, 2, false, 0, 20).theta));
}

/// Of an angle, also onto the value itself, in a step that ends beyond the jump and in one that comes back.
TYPED_TEST(LongRefinement, OfAnAngleThatJumpsIsNoCrossing) {
  for (const int observable : {1, 2, 3})
    for (const int sign : {0, -1}) {
      EXPECT_EQ((crossing<TypeParam, true>(-0.5, 1.7, false, observable ^ sign).theta), HUGE_VAL) << observable;
      EXPECT_EQ((crossing<TypeParam, true>(-0.3, 2.0, false, observable ^ sign).theta), HUGE_VAL) << observable;
      for (const bool is_later : {false, true}) {
        if (is_later && observable == 2) continue;  // which comes to zero continuously, and jumps from there
        EXPECT_EQ((crossing<TypeParam, true>(-0.1, 1.0, is_later, observable ^ sign).theta), HUGE_VAL) << observable;
      }
    }
}

/// A continuous one has the crossings of any observable.
TYPED_TEST(LongRefinement, OfAnAngleIsThatOfAnyObservable) {
  for (const int observable : {0, ~0}) {
    EXPECT_NEAR((crossing<TypeParam, true>(-0.5, 1.7, false, observable).theta), 0.85 - std::sqrt(0.7225 - 0.5),
                this->theta_error);
    for (const double root : {-std::sqrt(0.15), std::sqrt(0.15)})
      EXPECT_NEAR((crossing<TypeParam, true>(-0.1, 1.0, root > 0, observable).theta), 0.5 + root, this->theta_error);
    EXPECT_EQ((crossing<TypeParam, true>(-1.5, 2.5, false, observable).theta), 1);
  }
}

/// The azimuth of a point that passes its axis within the reach of the differences that slopes are.
TYPED_TEST(LongRefinement, OfAnAngleCloseToTheAxis) {
  constexpr double eps = std::numeric_limits<TypeParam>::epsilon();
  for (const double distance : {most_change<double> * 1e-2, 1e-2, 1e-1, 1.0})
    for (const double value : {0.3, 1.0, 1.7, 3.0})
      for (const double x : {0.1, 0.37, 0.8}) {
        // In units of the reach, down to where the angle is known to 1e-7 in double precision.
        const TypeParam y = static_cast<TypeParam>(distance * most_change<TypeParam>),
                        start = static_cast<TypeParam>(x);
        if (y < 1e4 * eps) continue;
        Plan plan{};
        plan.step = 1;
        plan.step_plan.stages[0].sweeps = 100;
        plan.section = {0, static_cast<TypeParam>(value), true, true, false, true, false, true};
        double state[] = {start, y}, theta = std::atan2(y, start - 1) - plan.section.value,
               slope = y / ((start - 1) * (start - 1) + y * y);
        std::int64_t count = 1, trajectory = 0, step = 7;
        steps_taken = 0;
        refine<LongSearches<Glide, TypeParam, true>>(Passage::Model<TypeParam>(nullptr), plan, {},
                                                     {1, &count, &trajectory, &step, &theta, state, &slope}, 1, 0);
        EXPECT_NEAR(theta, start - y / std::tan(plan.section.value), 4 * eps) << y << ", " << value << ", " << x;
        EXPECT_NEAR(std::atan2(state[1], state[0]), plan.section.value, 4 * eps / y) << y << ", " << value << ", " << x;
        EXPECT_LE(steps_taken, max_long_refinements);
      }
}

/// A zero at the end of the step is the whole step.
TYPED_TEST(LongRefinement, AtTheEndOfTheStep) {
  for (const int observable : {0, ~0}) {
    const Found found = crossing<TypeParam>(-0.5, 1.5, false, observable);
    EXPECT_EQ(found.theta, 1);
    EXPECT_EQ(found.height, 0);
    EXPECT_EQ(found.velocity, -0.5);
    EXPECT_EQ(found.steps, 1);
  }
}

/// A value at the end within round-off of zero does not lead beyond the step.
TYPED_TEST(LongRefinement, EndsInTheStep) {
  constexpr double eps = std::numeric_limits<TypeParam>::epsilon();
  for (const double beyond : {eps, 16 * eps, 1024 * eps, 65536 * eps}) {
    const Found found = crossing<TypeParam>(-1 + beyond, 2.0, false);
    EXPECT_GT(found.theta, 0);
    EXPECT_LE(found.theta, 1);
    EXPECT_NEAR(found.height, 0, 4 * eps);
  }
}

}  // namespace
}  // namespace polhode::test

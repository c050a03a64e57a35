// The solution for crossings on a map that is known in closed form: what it finds, what it refuses, and in how many
// steps, which the accuracy of its points does not tell, because a bracket makes any guess good in the end.
#include "polhode/run/refine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>

#include "backend/reference/reference_run.hpp"
#include "unit/closed_form.hpp"

namespace polhode::test {
namespace {

struct Plane {
  static constexpr int dim = 2;
  template <class T>
  using State = Vec<T, 2>;
};

/// A particle that moves for a time h at its velocity, x -> x + h v; the observables are functions of x.
struct Particle : Plane {
  template <class T>
  struct Model {
    explicit Model(const double*) {}
    /// A negative index is that of an observable that falls instead.
    T observe(int index, const State<T>& x) const {
      if (index < 0) return -observe(~index, x);
      switch (index) {
        case 0: return x[0];
        case 1: return x[0] + T(0.02) * x[0] * x[0] - T(0.01) * x[0] * x[0] * x[0];  // nearly linear
        case 2: return x[0] < T(0) ? T(-1) : T(1);                                   // a jump
        case 3: return x[0] < T(0) ? x[0] - T(6) : x[0] + T(4e-3);  // a jump to nearly zero, as of an angle
        case 5: return x[0] < T(0) ? x[0] - T(6) : x[0] + T(1e-5);
        case 6: return x[0] < T(0) ? T(-3) : T(0);                                  // a jump onto zero
        case 7: return x[0] < T(0) ? T(-3) : tiny(x) * std::sin(T(1e6) * x[0]);     // and what round-off makes of it
        case 8: return x[0] < T(0) ? tiny(x) * std::sin(T(1e6) * x[0]) : T(3);      // a jump from there
        case 9: return std::atan2(x[0], T(1e-9));                                   // half a turn, close to the axis
        default: return T(0.1) * x[0] + x[0] * x[0] + T(0.3) * x[0] * x[0] * x[0];  // nearly a tangent
      }
    }
    /// Below the accuracy of an observable, with a sign that nothing decides.
    static T tiny(const State<T>&) { return std::numeric_limits<T>::epsilon() / 4; }
    T magnitude(int, const State<T>&) const { return T(1); }
  };
  template <class T>
  static Vec<T, 2> moved(const Vec<T, 2>& x, T h) {
    return {x[0] + h * x[1], x[1]};
  }
};
using Flight = ClosedForm<Particle>;

/// A point of a circle, turned by an angle h; the observable is its second coordinate.
struct Circle : Plane {
  template <class T>
  struct Model {
    explicit Model(const double*) {}
    T observe(int, const State<T>& x) const { return x[1]; }
    T magnitude(int, const State<T>&) const { return T(1); }
  };
  template <class T>
  static Vec<T, 2> moved(const Vec<T, 2>& x, T h) {
    return {std::cos(h) * x[0] - std::sin(h) * x[1], std::sin(h) * x[0] + std::cos(h) * x[1]};
  }
};
using Turn = ClosedForm<Circle>;

/// A particle whose velocity is projected: round-off, divided by the length of the step.
struct Projected : Particle {
  template <class T>
  static Vec<T, 2> moved(const Vec<T, 2>& x, T h) {
    return {x[0] + h * x[1], x[1] + std::numeric_limits<T>::epsilon() * std::numeric_limits<T>::epsilon() / h};
  }
};

struct Found {
  double theta, x;
  int steps;
};

/// The crossing of an observable from x < 0 to x + 1; steps longer than percent / 100 are not valid.
/// jumps: whether it is looked at as an angle is.
template <class T, bool jumps = false>
Found crossing(int observable, double x, int percent = 100) {
  RunPlan plan{};
  plan.step = 1;
  plan.step_plan.stages[0].sweeps = static_cast<std::int16_t>(percent);
  plan.section = {observable, 0.0, true, false};
  const double end = static_cast<double>(static_cast<T>(x) + 1);
  double theta =
      static_cast<double>(Particle::Model<T>(nullptr).observe(observable, {static_cast<T>(end), static_cast<T>(1)}));
  double state[] = {x, 1};
  std::int64_t count = 1, trajectory = 0, step = 0;
  steps_taken = 0;
  refine<Brackets<Flight, T, jumps>>(Particle::Model<T>(nullptr), plan, {},
                                     {1, &count, &trajectory, &step, &theta, state}, 1, 0);
  return {theta, state[0], steps_taken};
}

template <class T>
class Refinement : public testing::Test {};
using Reals = testing::Types<double, float>;
TYPED_TEST_SUITE(Refinement, Reals);

TYPED_TEST(Refinement, OfALinearObservableTakesOneStep) {
  const Found found = crossing<TypeParam>(0, -0.375);
  EXPECT_EQ(found.theta, 0.375);
  EXPECT_EQ(found.x, 0);
  EXPECT_EQ(found.steps, 1);
}

TYPED_TEST(Refinement, OfANearlyLinearOneTakesThreeOrFour) {
  constexpr double round_off = 4 * std::numeric_limits<TypeParam>::epsilon();
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-1, 0);
  int most = 0, sum = 0;
  for (int k = 0; k < 2000; ++k) {
    const double x = static_cast<TypeParam>(uniform(random));
    const Found found = crossing<TypeParam>(k % 2 == 0 ? 1 : ~1, x);
    EXPECT_NEAR(found.x, 0, 2 * round_off);
    EXPECT_NEAR(found.theta, -x, 2 * round_off);
    most = std::max(most, found.steps);
    sum += found.steps;
  }
  constexpr bool is_double = std::is_same_v<TypeParam, double>;
  EXPECT_LE(most, is_double ? 4 : 3);
  if (is_double) {
    EXPECT_LE(sum, 7400);  // 7192; 7953 without the cubic term
  }
}

TYPED_TEST(Refinement, OfANearlyTangentOneTakesFive) {
  constexpr double round_off = 4 * std::numeric_limits<TypeParam>::epsilon();
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> uniform(-0.09, 0);  // right of the other zero, at -0.103
  int most = 0;
  for (int k = 0; k < 2000; ++k) {
    const double x = static_cast<TypeParam>(uniform(random));
    const Found found = crossing<TypeParam>(k % 2 == 0 ? 4 : ~4, x);
    EXPECT_NEAR(found.x, 0, 20 * round_off);  // where the observable is 2 round_off: its slope is 0.1
    EXPECT_NEAR(found.theta, -x, 20 * round_off);
    most = std::max(most, found.steps);
  }
  EXPECT_LE(most, 5);  // by the inverse parabola up to 53
}

TYPED_TEST(Refinement, IsAStepFromTheStart) {
  using T = TypeParam;
  constexpr double eps = std::numeric_limits<T>::epsilon();
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform(0, 1);
  int most = 0;
  for (const double h : {0.01, 0.1, 1.0})
    for (int k = 0; k < 1000; ++k) {
      const double angle = h * uniform(random);
      RunPlan plan{};
      plan.step = h;
      plan.step_plan.stages[0].sweeps = 100;
      plan.section = {1, 0.0, true, false};
      double state[] = {static_cast<T>(std::cos(angle)), static_cast<T>(-std::sin(angle))};
      const Vec<T, 2> start = {static_cast<T>(state[0]), static_cast<T>(state[1])};
      const double before = std::atan2(-state[1], state[0]);
      double theta = static_cast<T>(std::sin(h - before));
      if (theta <= 0) continue;
      std::int64_t count = 1, trajectory = 0, step = 0;
      steps_taken = 0;
      const Circle::Model<T> model(nullptr);
      refine<Brackets<Turn, T>>(model, plan, {}, {1, &count, &trajectory, &step, &theta, state}, 1, 0);
      most = std::max(most, steps_taken);
      EXPECT_NEAR(state[1], 0, 4 * eps);
      EXPECT_NEAR(theta * h, before, 8 * eps);
      Vec<T, 2> reached;
      const Turn::Constants<T> constants(model, {}, {}, static_cast<T>(theta) * static_cast<T>(h));
      Turn::Step<T>(model, {}, {}, constants, 100)(start, reached, true);
      for (int i = 0; i < 2; ++i) EXPECT_EQ(static_cast<double>(reached[i]), state[i]);  // the very bits
    }
  EXPECT_LE(most, 4);
}

TYPED_TEST(Refinement, OfAJumpIsNoCrossing) {
  for (const double x : {-0.9, -0.3, -1e-3}) {
    EXPECT_EQ(crossing<TypeParam>(2, x).theta, HUGE_VAL) << x;
    EXPECT_EQ(crossing<TypeParam>(3, x).theta, HUGE_VAL) << x;
    EXPECT_EQ(crossing<TypeParam>(5, x).theta, HUGE_VAL) << x;
  }
}

/// Of an angle, also onto the value itself, where what follows is zero, or round-off about it.
TYPED_TEST(Refinement, OfAnAngleThatJumpsIsNoCrossing) {
  for (const int observable : {2, 3, 5, 6, 7, 8})
    for (const int sign : {0, -1})
      for (const double x : {-0.9, -0.3, -1e-3, -0.5}) {
        const Found found = crossing<TypeParam, true>(observable ^ sign, x);
        EXPECT_EQ(found.theta, HUGE_VAL) << observable << ", " << x;
        EXPECT_LE(found.steps, max_refinements);
      }
}

/// The point of a continuous one is that of any observable, to its accuracy; two steps more show that it does not jump.
TYPED_TEST(Refinement, OfAnAngleIsThatOfAnyObservable) {
  constexpr double round_off = 4 * std::numeric_limits<TypeParam>::epsilon();
  std::mt19937_64 random(6);
  std::uniform_real_distribution<double> uniform(-1, 0);
  int most = 0;
  for (int k = 0; k < 2000; ++k) {
    const double x = static_cast<TypeParam>(uniform(random));
    const int observable = (k % 3 == 0 ? 0 : 1) ^ (k % 2 == 0 ? 0 : -1);
    const Found found = crossing<TypeParam, true>(observable, x);
    EXPECT_NEAR(found.x, 0, 2 * round_off);
    EXPECT_NEAR(found.theta, -x, 2 * round_off);
    most = std::max(most, found.steps);
  }
  EXPECT_LE(most, 7);
}

/// A point that passes the axis at 1e-9 turns by nearly half a turn in a millionth of the step, and not at once.
TEST(RefinementOfAnAngle, BesideTheAxisIsACrossing) {
  for (const double x : {-0.9, -0.5, -0.1})
    for (const int observable : {9, ~9}) {
      const Found found = crossing<double, true>(observable, x);
      EXPECT_NEAR(found.theta, -x, 1e-15) << x;
      EXPECT_LE(found.steps, max_refinements);
    }
}

/// What is round-off at both ends of the step has crossed nothing.
TYPED_TEST(Refinement, OfRoundOffIsNoCrossing) {
  constexpr double eps = std::numeric_limits<TypeParam>::epsilon();
  RunPlan plan{};
  plan.step = 1;
  plan.step_plan.stages[0].sweeps = 100;
  const auto theta_of = [&](double before, double after) {
    plan.section = {0, 0.0, true, true};
    double theta = after, state[] = {before, after - before};
    std::int64_t count = 1, trajectory = 0, step = 0;
    refine<Brackets<Flight, TypeParam>>(Particle::Model<TypeParam>(nullptr), plan, {},
                                        {1, &count, &trajectory, &step, &theta, state}, 1, 0);
    return theta;
  };
  // The accuracy is four units of round-off, of an observable whose terms are of size 1.
  for (const double sign : {1.0, -1.0}) {
    EXPECT_EQ(theta_of(-sign * eps, sign * eps), -HUGE_VAL);
    EXPECT_EQ(theta_of(-sign * 4 * eps, 0), -HUGE_VAL);
    EXPECT_GT(theta_of(-sign * 8 * eps, sign * eps), 0);
    EXPECT_GT(theta_of(-sign * eps, sign * 8 * eps), 0);
  }
}

TYPED_TEST(Refinement, WithoutAValidStepToTheCrossingIsSaid) {
  EXPECT_NEAR(crossing<TypeParam>(1, -0.5, 70).theta, 0.5, 1e-5);
  for (const double x : {-0.6, -0.9, -0.99}) EXPECT_TRUE(std::isnan(crossing<TypeParam>(1, x, 50).theta)) << x;
  EXPECT_TRUE(std::isnan(crossing<TypeParam>(1, -0.5, -1).theta));
}

/// The flight as the reference advances it: whole steps are valid, others up to a length of percent / 100.
class ReferenceFlight : public CloneableMotion<ReferenceFlight> {
 public:
  explicit ReferenceFlight(int percent) : longest_(0.01 * percent) {}
  void set_state(const double* x) override { std::copy_n(x, 2, x_); }
  const double* state() const override { return x_; }
  Status advance(double h, KickFractions) override {
    if (h < 1 && h > longest_) return Status::not_converged;
    x_[0] += h * x_[1];
    return Status::ok;
  }

 private:
  double longest_, x_[2] = {};
};

/// The same crossing and the same end of the trajectory, whether a valid step leads to the crossing or not.
TEST(RefinementOfTheReference, DropsTheSameCrossings) {
  const auto observe = [](int i, const double* x) { return Particle::Model<double>(nullptr).observe(i, {x[0], x[1]}); };
  RunPlan plan{};
  plan.step = 1;
  plan.last_step = 2;
  for (const int observable : {1, 2})
    for (const int percent : {100, 70, 50, -1})
      for (const double x : {-0.99, -0.8, -0.6, -0.4, -0.1}) {
        const std::string what = std::to_string(observable) + ", " + std::to_string(percent) + ", " + std::to_string(x);
        plan.section = {observable, 0.0, true, false};
        const auto run = make_reference_run(plan, {2, 0, observe, {}}, std::make_unique<ReferenceFlight>(percent));
        Batch batch(BatchShape{.n = 1, .dim = 2, .n_sections = 1});
        batch.state = {x, 1};
        run->load(batch);
        const SegmentResult result = *run->advance({0, 2});
        const SectionPoints& points = result.section.front();
        run->store(batch);
        EXPECT_EQ(batch.code[0], static_cast<int>(Status::ok)) << what;
        EXPECT_EQ(batch.steps[0], 2) << what;
        const double theta = crossing<double>(observable, x, percent).theta;
        ASSERT_EQ(points.size(), std::isfinite(theta)) << what;
        if (std::isfinite(theta)) {
          EXPECT_NEAR(points.theta[0], theta, 1e-15) << what;  // some units in the last place of 1
        }
        EXPECT_EQ(batch.section_count[0], points.size()) << what;
        EXPECT_EQ(result.found, points.size()) << what;
        EXPECT_EQ(result.unrefined, std::isnan(theta)) << what;
      }
}

TYPED_TEST(Refinement, AtTheEndOfTheStep) {
  const Found found = crossing<TypeParam>(1, -1);
  EXPECT_EQ(found.theta, 1);
  EXPECT_EQ(found.x, 0);
}

/// A crossing within round-off of the start of the step is at the start, whatever a step to it would do.
TYPED_TEST(Refinement, AtTheStartOfTheStep) {
  constexpr double least = std::numeric_limits<TypeParam>::min(), eps = std::numeric_limits<TypeParam>::epsilon();
  RunPlan plan{};
  plan.step = 1;
  plan.section = {0, 0.0, true, false};
  for (const int percent : {100, -1})  // of steps that are valid, and of those that are not
    for (const double before : {-least, -eps * eps, -eps / 4}) {
      plan.step_plan.stages[0].sweeps = static_cast<std::int16_t>(percent);
      double theta = 1, state[] = {before, 1};
      std::int64_t count = 1, trajectory = 0, step = 0;
      refine<Brackets<ClosedForm<Projected>, TypeParam>>(Particle::Model<TypeParam>(nullptr), plan, {},
                                                         {1, &count, &trajectory, &step, &theta, state}, 1, 0);
      EXPECT_GT(theta, 0) << before;
      EXPECT_LE(theta, eps) << before;
      EXPECT_EQ(state[0], before);
      EXPECT_EQ(state[1], 1) << before;
    }
}

}  // namespace
}  // namespace polhode::test

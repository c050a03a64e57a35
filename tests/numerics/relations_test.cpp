// What the maps have to do with each other: a map and its adjoint, RATTLE and the discrete free body, the two systems
// of a top.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "numerics/methods.hpp"

namespace polhode::test {
namespace {

/// (system, solver).
template <class System_, class Solver_>
struct Place {
  using System = System_;
  using Solver = Solver_;
};
template <class Which>
class Maps : public ::testing::Test {};
using EverySolver = WithEverySolver<Place>;
TYPED_TEST_SUITE(Maps, EverySolver);

TYPED_TEST(Maps, OfAnAdjointPairUndoEachOther) {
  using System = typename TypeParam::System;
  using Map = ConstraintEuler<System, typename TypeParam::Solver>;
  using Adjoint = ConstraintEulerAdjoint<System, typename TypeParam::Solver>;
  std::mt19937_64 random(23);
  double smallest_step = 1;
  for (int trial = 0; trial < 200; ++trial) {
    const TopParameters body = random_body(random);
    const auto x = to_state<System, double>(random_point(random));
    for (const double h : {0.05, -0.05}) {
      auto there = x, back = x;
      ASSERT_TRUE((advance<Map, double>(body, h, 1, there)));
      back = there;
      ASSERT_TRUE((advance<Adjoint, double>(body, -h, 1, back)));
      EXPECT_LT(largest_difference(back, x), 1e-14);  // two steps of round-off at |Pi| up to 5
      smallest_step = std::min(smallest_step, largest_difference(there, x));
      back = x;
      ASSERT_TRUE((advance<Adjoint, double>(body, h, 1, back)));
      ASSERT_TRUE((advance<Map, double>(body, -h, 1, back)));
      EXPECT_LT(largest_difference(back, x), 1e-14);
    }
  }
  EXPECT_GT(smallest_step, 1e-3);
}

TYPED_TEST(Maps, OfTheFreeBodyAreAllTheSame) {
  // MS Theorem 6: with c = 0 every method is the discrete Moser-Veselov map, to the last bit.
  using System = typename TypeParam::System;
  using Solver = typename TypeParam::Solver;
  std::mt19937_64 random(29);
  for (int trial = 0; trial < 100; ++trial) {
    TopParameters body = random_body(random);
    body[6] = 0;
    const auto x = to_state<System, double>(random_point(random));
    auto free = x, rattle = x, euler = x, adjoint = x;
    ASSERT_TRUE((advance<MoserVeselov<System, Solver>, double>(body, 0.1, 10, free)));
    ASSERT_TRUE((advance<Rattle<System, Solver>, double>(body, 0.1, 10, rattle)));
    ASSERT_TRUE((advance<ConstraintEuler<System, Solver>, double>(body, 0.1, 10, euler)));
    ASSERT_TRUE((advance<ConstraintEulerAdjoint<System, Solver>, double>(body, 0.1, 10, adjoint)));
    EXPECT_EQ(largest_difference(free, rattle), 0);
    EXPECT_EQ(largest_difference(free, euler), 0);
    EXPECT_EQ(largest_difference(free, adjoint), 0);
  }
}

TYPED_TEST(Maps, RattleIsTheKickMovedByHalf) {
  // Half a kick, the first-order map, half a kick back.
  using System = typename TypeParam::System;
  using Solver = typename TypeParam::Solver;
  std::mt19937_64 random(31);
  constexpr double h = 0.05;
  for (int trial = 0; trial < 100; ++trial) {
    const TopParameters body = random_body(random);
    const typename System::template Model<double> model(body.data());
    const auto kicked = [&](auto x, double time) {
      const auto pi = cross(System::vertical(x), (time * model.c) * model.chi, System::angular_momentum(x));
      for (int i = 0; i < 3; ++i) x[i] = pi[i];
      return x;
    };
    const auto x = to_state<System, double>(random_point(random));
    auto rattle = x, conjugate = kicked(x, -h / 2);
    ASSERT_TRUE((advance<Rattle<System, Solver>, double>(body, h, 1, rattle)));
    ASSERT_TRUE((advance<ConstraintEuler<System, Solver>, double>(body, h, 1, conjugate)));
    EXPECT_LT(largest_difference(kicked(conjugate, h / 2), rattle), 4e-15);  // a few roundings at |Pi| up to 5
  }
}

/// The same method and solver on both systems.
template <template <class, class> class Method_, class Solver_>
struct Both {
  template <class System>
  using For = Method_<System, Solver_>;
};
template <class Which>
class TopsAgree : public ::testing::Test {};
using MethodsOfBoth =
    ::testing::Types<Both<Rattle, CayleySolver>, Both<Rattle, HadamardSolver>, Both<ConstraintEuler, CayleySolver>,
                     Both<ConstraintEuler, HadamardSolver>, Both<ConstraintEulerAdjoint, CayleySolver>,
                     Both<ConstraintEulerAdjoint, HadamardSolver>, Both<MoserVeselov, CayleySolver>,
                     Both<MoserVeselov, HadamardSolver>>;
TYPED_TEST_SUITE(TopsAgree, MethodsOfBoth);

/// Largest difference of Pi and Gamma on the two systems after the same steps.
template <class Which>
double difference(const TopParameters& body, const Point& start, double h, int steps) {
  const Quaternion attitude = attitude_of(start);  // for both: it loses digits where Gamma is near -e3
  auto top = to_state<HeavyTop, double>({start[0], start[1], start[2]}, attitude);
  auto rigid = to_state<RigidBody, double>({start[0], start[1], start[2]}, attitude);
  EXPECT_TRUE((advance<typename Which::template For<HeavyTop>, double>(body, h, steps, top)));
  EXPECT_TRUE((advance<typename Which::template For<RigidBody>, double>(body, h, steps, rigid)));
  const auto pi = RigidBody::angular_momentum(rigid), gamma = RigidBody::vertical(rigid);
  return largest_difference(top, Vec<double, 6>{pi[0], pi[1], pi[2], gamma[0], gamma[1], gamma[2]});
}

TYPED_TEST(TopsAgree, OverAStepOfAnyBody) {
  std::mt19937_64 random(37);
  for (int trial = 0; trial < 200; ++trial) {
    TopParameters body = random_body(random);
    if (is_for_free_bodies<typename TypeParam::template For<HeavyTop>>) body[6] = 0;
    // Some units in the last place of Gamma, from the products of the quaternion's components.
    EXPECT_LT(difference<TypeParam>(body, random_point(random), 0.05, 1), 4e-15);
  }
}

TYPED_TEST(TopsAgree, AlongARegularOrbit) {
  // Round-off is a random walk in the frequencies, which an integration turns into a difference that grows with the
  // power 3/2 of the number of steps. Measured for 1, 10, ..., 10^4 steps: at most 3e-16, 2e-15, 6e-15, 3e-13, 4e-12.
  TopParameters body = figure_top;
  if (is_for_free_bodies<typename TypeParam::template For<HeavyTop>>) body[6] = 0;
  for (const int steps : {1, 10, 100, 1000, 10000}) {
    EXPECT_LT(difference<TypeParam>(body, figure_start(0.5, 0.64), figure_step, steps),
              2e-15 + 2e-17 * std::pow(steps, 1.5))
        << steps << " steps";
  }
}

}  // namespace
}  // namespace polhode::test

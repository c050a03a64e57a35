// What the methods keep to round-off over long runs: the spatial momentum, pi3 of the Lagrange top, the length of the
// quaternion. Over N steps of a regular orbit rounding makes a random walk, sqrt(N) times some units in the last place.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/methods.hpp"

namespace polhode::test {
namespace {

/// Largest |I_i(x_n) - I_i(x_0)| over `steps` steps of h, for every invariant of the system.
template <class Method, class T = double>
auto drifts(const TopParameters& body, typename Method::System::template State<T> x, int steps, double h = 0.05) {
  using System = typename Method::System;
  const typename System::template Model<T> model(body.data());
  const typename Method::template Step<T> step(model, T(h), Method::template nominal_sweeps<T>(body.data(), h));
  std::array<T, System::n_invariants> initial, worst{};
  for (int i = 0; i < System::n_invariants; ++i) initial[i] = model.invariant(i, x);
  for (int n = 0; n < steps; ++n) {
    EXPECT_TRUE(step(x, x, true));
    for (int i = 0; i < System::n_invariants; ++i)
      worst[i] = std::max(worst[i], std::abs(model.invariant(i, x) - initial[i]));
  }
  return worst;
}

constexpr Point start{0.3, -1.1, 0.7, 0.36, 0.48, 0.8};
constexpr int q_squared = 1, momentum_z = 2, momentum_x = 3, momentum_y = 4, pi_squared = 3;

// Rounding of some units in the last place (2e-16, of terms of size 1) for each root of 10^5 steps makes 7e-14, and not
// all is random: 3e-14 to 1.6e-13 were measured. A bias of a hundredth of a unit in each step would be found.
constexpr double after_100000_steps = 4e-13;

template <class Method>
class Momentum : public ::testing::Test {};
TYPED_TEST_SUITE(Momentum, AllMethods);

TYPED_TEST(Momentum, AlongGravityIsKept) {
  using System = typename TypeParam::System;
  TopParameters body = oblique_body;
  if (is_for_free_bodies<TypeParam>) body[6] = 0;
  const auto worst = drifts<TypeParam>(body, to_state<System, double>(start), 100000);
  EXPECT_LT(worst[momentum_z], after_100000_steps);
  if constexpr (std::is_same_v<System, RigidBody>) {
    if (body[6] == 0) return;
    EXPECT_GT(worst[momentum_x], 1);  // gravity turns the momentum across it, of size 1.4
    EXPECT_GT(worst[momentum_y], 1);
  }
}

TYPED_TEST(Momentum, OfTheFreeBodyIsKeptWhole) {
  using System = typename TypeParam::System;
  const auto worst = drifts<TypeParam>(free_body, to_state<System, double>(start), 100000);
  EXPECT_LT(worst[momentum_z], after_100000_steps);
  if constexpr (std::is_same_v<System, RigidBody>) {
    EXPECT_LT(worst[momentum_x], after_100000_steps);
    EXPECT_LT(worst[momentum_y], after_100000_steps);
  } else {
    EXPECT_LT(worst[pi_squared], after_100000_steps);
  }
}

TYPED_TEST(Momentum, Pi3OfTheLagrangeTopIsKept) {
  // MS end of sect. 6.2: to round-off. In Cayley form not even that, the third line of the equation decouples; 6e-14
  // was measured with the matrix iteration for RATTLE, 1.4e-13 for the first-order maps.
  //
  // Of the free body (moser-veselov) the matrix iteration loses more. Pi turns in it at a constant rate, so that the
  // rounding of a step repeats itself: 6e-13 stay even where the iteration is continued to a fixed point. And where it
  // stops, at a change of 32 units in the last place, another 6e-18 is lost in a step. 8e-13 was measured.
  using System = typename TypeParam::System;
  constexpr bool is_free = is_for_free_bodies<TypeParam>;
  constexpr bool is_cayley = std::is_same_v<typename TypeParam::Solver, CayleySolver>;
  const TopParameters body{1.5, 1.5, 0.9, 0, 0, 1, is_free ? 0.0 : 1.0};
  const auto worst = drifts<TypeParam>(body, to_state<System, double>(Point{0.4, -0.3, 1.1, 0.6, 0, 0.8}), 100000);
  const double drift = worst[std::is_same_v<System, HeavyTop> ? 4 : 5];
  constexpr bool is_rattle = std::is_same_v<TypeParam, Rattle<System, typename TypeParam::Solver>>;
  EXPECT_LT(drift, is_cayley || is_rattle ? 1e-13 : (is_free ? 2e-12 : 2.5e-13));
}

TYPED_TEST(Momentum, OfAnUnsymmetricTopAlongItsAxisIsNot) {
  using System = typename TypeParam::System;
  const TopParameters body{1.5, 1.501, 0.9, 0, 0, 1, is_for_free_bodies<TypeParam> ? 0.0 : 1.0};
  const auto worst = drifts<TypeParam>(body, to_state<System, double>(Point{0.4, -0.3, 1.1, 0.6, 0, 0.8}), 10000);
  const int pi3 = std::is_same_v<System, HeavyTop> ? 4 : 5;
  EXPECT_GT(worst[pi3], 1e-5);
}

template <class Method>
class Attitude : public ::testing::Test {};
TYPED_TEST_SUITE(Attitude, AttitudeMethods);

TYPED_TEST(Attitude, KeepsTheLengthOfTheQuaternion) {
  // On a symmetric top the rotations of all steps are much alike, and so may be their roundings.
  for (TopParameters body : {oblique_body, TopParameters{1.5, 1.5, 0.9, 0, 0, 1, 1}})
    for (const double h : {0.05, 0.3}) {
      if (is_for_free_bodies<TypeParam>) body[6] = 0;
      if (h == 0.3 && !std::is_same_v<typename TypeParam::Solver, CayleySolver>) continue;  // too long for Hadamard
      const auto wide = drifts<TypeParam>(body, to_state<RigidBody, double>(start), 100000, h);
      const auto narrow = drifts<TypeParam, float>(body, to_state<RigidBody, float>(start), 100000, h);
      // Twice a random walk of one unit in the last place a step; a rounding that is the same in every step would have
      // gone 300 times as far as that. Measured: at most 4.9e-14 and 3.8e-5.
      EXPECT_LT(wide[q_squared], 2 * std::sqrt(1e5) * std::numeric_limits<double>::epsilon()) << h;
      EXPECT_LT(narrow[q_squared], 2 * std::sqrt(1e5) * std::numeric_limits<float>::epsilon()) << h;
      EXPECT_GT(wide[q_squared], 1e-15) << h;  // it is not normalised, which would hide what a step loses
      EXPECT_GT(narrow[q_squared], 5e-7f) << h;
    }
}

}  // namespace
}  // namespace polhode::test

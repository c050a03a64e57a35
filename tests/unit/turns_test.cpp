// Angles without bound modulo 2 pi: in every lane of a pack as of a plain number, which is checked by the remainder of
// the C library. On every instruction set, for each of which this file is compiled.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "on_instruction_set.hpp"
#include "polhode/math/vec.hpp"
#include "polhode/observer/section_function.hpp"
#include "polhode/scalar/elementary/turns.hpp"
#include "polhode/scalar/pack.hpp"

#define Turns POLHODE_ON_INSTRUCTION_SET(Turns)
#define WithinATurn POLHODE_ON_INSTRUCTION_SET(WithinATurn)

namespace polhode::inline POLHODE_ISA {
namespace {

struct Turning {
  static constexpr Quantity observables[] = {{"r", "1", ""}, {"theta", "rad", "", Angle::unbounded}};
};
struct Wrapped {
  static constexpr Quantity observables[] = {{"r", "1", ""}, {"azimuth", "rad", "", Angle::wrapped}};
};
struct Unnamed {};
static_assert(counts_turns<Turning>() && !counts_turns<Wrapped>() && !counts_turns<Unnamed>());

template <class R>
class Turns : public ::testing::Test {
 protected:
  using P = Pack<R, 3>;
  static constexpr int lanes = lanes_of<P>;
  static constexpr R pi = R(full_turn / 2), eps = std::numeric_limits<R>::epsilon();

  void SetUp() override {
    if (!supported()) GTEST_SKIP() << "this processor lacks the instruction set";
  }
  /// Of some turns, or of very many.
  R angle() {
    std::uniform_real_distribution<double> uniform(-1, 1);
    return static_cast<R>(uniform(random_) * (random_() % 2 == 0 ? 20.0 : 2e4));
  }
  std::array<R, lanes> angles() {
    std::array<R, lanes> all;
    for (R& one : all) one = angle();
    return all;
  }

  std::mt19937_64 random_{20261126};
};

using Reals = ::testing::Types<double, float>;
TYPED_TEST_SUITE(Turns, Reals);

TYPED_TEST(Turns, NearestOnesLeaveTheRemainder) {
  using R = TypeParam;
  using P = typename TestFixture::P;
  for (int trial = 0; trial < 2000; ++trial) {
    const auto x = this->angles();
    std::array<R, TestFixture::lanes> found;
    const P pack = load_lanes<P>(x.data());
    store_lanes(without_turns(pack, nearest_turns(pack)), found.data());
    for (int l = 0; l < TestFixture::lanes; ++l) {
      const R turns = nearest_turns(x[l]), rest = without_turns(x[l], turns);
      EXPECT_EQ(found[l], rest);
      EXPECT_EQ(turns, std::nearbyint(turns));
      // Exactly; but halfway between two turns, where the quotient is rounded, it may be one of both.
      const R exact = std::remainder(x[l], 2 * TestFixture::pi);
      if (std::abs(exact) < TestFixture::pi - TestFixture::eps * std::abs(x[l])) {
        EXPECT_EQ(rest, exact) << x[l];
      } else {
        EXPECT_NEAR(std::abs(rest), TestFixture::pi, 2 * TestFixture::eps * std::abs(x[l]));
      }
    }
  }
}

/// f from a state over a step to another: of the same bits in lanes, continuous, and from the nearest section.
TYPED_TEST(Turns, SectionFunctionIsMeasuredFromTheNearestSection) {
  using R = TypeParam;
  using P = typename TestFixture::P;
  for (int trial = 0; trial < 2000; ++trial) {
    const SectionPlan section{
        .observable = 1, .value = double(this->angle()), .up = true, .down = true, .modulo_turns = true};
    const auto before = this->angles();
    auto after = before;
    for (R& one : after) one += R(0.01) * R(trial % 200 - 100);
    SectionFunction<Turning, P> pack(section);
    pack.start_at(load_lanes<P>(before.data()));
    std::array<R, TestFixture::lanes> f0, f1;
    store_lanes(pack(load_lanes<P>(before.data())), f0.data());
    store_lanes(pack(load_lanes<P>(after.data())), f1.data());
    for (int l = 0; l < TestFixture::lanes; ++l) {
      SectionFunction<Turning, R> plain(section);
      EXPECT_TRUE(plain.depends_on_start());
      plain.start_at(before[l]);
      EXPECT_EQ(f0[l], plain(before[l]));
      EXPECT_EQ(f1[l], plain(after[l]));
      const R round_off = TestFixture::eps * (std::abs(before[l]) + std::abs(R(section.value)) + R(4));
      EXPECT_LE(std::abs(f0[l]), TestFixture::pi + round_off);
      EXPECT_NEAR(f1[l] - f0[l], after[l] - before[l], round_off);
    }
  }
}

TYPED_TEST(Turns, SectionFunctionOfAnotherObservableIsItsDistance) {
  using R = TypeParam;
  const SectionPlan section{.observable = 0, .value = 1.25, .up = true, .down = true};
  const SectionFunction<Turning, R> turning(section);
  const SectionFunction<Wrapped, R> wrapped(section);
  EXPECT_FALSE(turning.depends_on_start());
  EXPECT_FALSE(wrapped.depends_on_start());
  for (int trial = 0; trial < 100; ++trial) {
    const R x = this->angle();
    EXPECT_EQ(turning(x), x - R(1.25));
    EXPECT_EQ(wrapped(x), x - R(1.25));
  }
}

TEST(WithinATurn, IsTheAngleFromTheLowEndOn) {
  if (!supported()) GTEST_SKIP() << "this processor lacks the instruction set";
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int trial = 0; trial < 20000; ++trial) {
    const double low = 10 * uniform(random), angle = (trial % 2 == 0 ? 20 : 1e5) * uniform(random);
    const double within = within_turn_from(low, angle);
    EXPECT_GE(within, low);
    EXPECT_LT(within, low + full_turn);
    // Rounded by half an ulp when `low` is subtracted, and here.
    EXPECT_NEAR(std::remainder(angle - within, full_turn), 0, 2.3e-16 * (std::abs(angle) + 20)) << low << ", " << angle;
  }
}

TEST(WithinATurn, HoldsItsLowEndAndNotItsHighOne) {
  if (!supported()) GTEST_SKIP() << "this processor lacks the instruction set";
  constexpr double inf = std::numeric_limits<double>::infinity();
  for (const double low : {-full_turn / 2, 0.0, 1.0, -7.5, 1e3}) {
    EXPECT_EQ(within_turn_from(low, low), low);
    for (const double angle : {std::nextafter(low, -inf), low - 1e-300, low + full_turn, low - full_turn,
                               std::nextafter(low + full_turn, -inf)}) {
      const double within = within_turn_from(low, angle);
      EXPECT_GE(within, low) << low << ", " << angle;
      EXPECT_LT(within, low + full_turn) << low << ", " << angle;
    }
    // What is no angle is in no turn.
    for (const double none : {inf, -inf, std::numeric_limits<double>::quiet_NaN()}) {
      const double within = within_turn_from(low, none);
      EXPECT_NE(within, within) << none;
    }
  }
}

}  // namespace
}  // namespace polhode::inline POLHODE_ISA

// Every lane of a pack has the bits of the plain scalar, for every operation. This file is compiled once for each
// instruction set; the tests of one that the processor lacks are skipped.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "on_instruction_set.hpp"
#include "polhode/math/vec.hpp"
#include "polhode/run/bracket.hpp"
#include "polhode/scalar/pack.hpp"

#define PackTest POLHODE_ON_INSTRUCTION_SET(Pack)

namespace polhode::inline POLHODE_ISA {
namespace {

template <class R>
class PackTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!supported()) GTEST_SKIP() << "this processor lacks the instruction set";
  }

  static constexpr int lanes = lanes_of<Pack<R, 3>>;
  using Values = std::array<R, lanes>;

  /// Numbers of every magnitude, with zeros, infinities and NaN among them.
  Values values() {
    static constexpr R special[] = {R(0),
                                    -R(0),
                                    R(1),
                                    std::numeric_limits<R>::infinity(),
                                    -std::numeric_limits<R>::infinity(),
                                    std::numeric_limits<R>::quiet_NaN(),
                                    std::numeric_limits<R>::denorm_min(),
                                    std::numeric_limits<R>::max()};
    Values v;
    for (R& x : v) {
      const auto pick = random_() % 16;
      x = pick < 8 ? special[pick]
                   : static_cast<R>(std::ldexp(std::normal_distribution<double>()(random_),
                                               static_cast<int>(random_() % 60) - 30));
    }
    return v;
  }
  static Pack<R, 3> pack(const Values& v) { return load_lanes<Pack<R, 3>>(v.data()); }
  static void expect_lanes(const Pack<R, 3>& a, const Values& expected, const char* what) {
    for (int l = 0; l < lanes; ++l) {
      const R x = lane_of(a, l);
      // The sign and payload of a NaN are not IEEE's business and no NaN is ever stored.
      EXPECT_TRUE((x != x && expected[l] != expected[l]) || std::memcmp(&x, &expected[l], sizeof(R)) == 0)
          << what << ", lane " << l << ": " << x << " is not " << expected[l];
    }
  }
  template <class F>
  static Values map(F&& f) {
    Values v;
    for (int l = 0; l < lanes; ++l) v[l] = f(l);
    return v;
  }

  std::mt19937_64 random_{5};
};

using Reals = ::testing::Types<double, float>;
TYPED_TEST_SUITE(PackTest, Reals);

TYPED_TEST(PackTest, LanesHaveTheBitsOfTheScalar) {
  using R = TypeParam;
  for (int trial = 0; trial < 500; ++trial) {
    const auto a = this->values(), b = this->values(), c = this->values();
    const auto pa = this->pack(a), pb = this->pack(b), pc = this->pack(c);
    this->expect_lanes(pa + pb, this->map([&](int l) { return a[l] + b[l]; }), "+");
    this->expect_lanes(pa - pb, this->map([&](int l) { return a[l] - b[l]; }), "-");
    this->expect_lanes(pa * pb, this->map([&](int l) { return a[l] * b[l]; }), "*");
    this->expect_lanes(pa / pb, this->map([&](int l) { return a[l] / b[l]; }), "/");
    this->expect_lanes(-pa, this->map([&](int l) { return -a[l]; }), "unary -");
    this->expect_lanes(fma(pa, pb, pc), this->map([&](int l) { return std::fma(a[l], b[l], c[l]); }), "fma");
    this->expect_lanes(sqrt(abs(pa)), this->map([&](int l) { return std::sqrt(std::abs(a[l])); }), "sqrt");
    this->expect_lanes(select(pa < pb, pa, pc), this->map([&](int l) { return a[l] < b[l] ? a[l] : c[l]; }), "select");
    this->expect_lanes(larger(pa, pb), this->map([&](int l) { return a[l] > b[l] ? a[l] : b[l]; }), "larger");
    const auto less = mask_bits(pa < pb), at_least = mask_bits(pa >= pb), both = mask_bits((pa < pb) & (pb <= pc)),
               either = mask_bits((pa > pb) | !(pb == pc)), finite = mask_bits(is_finite(pa));
    for (int l = 0; l < this->lanes; ++l) {
      EXPECT_EQ(less >> l & 1, std::uint64_t{a[l] < b[l]});
      EXPECT_EQ(at_least >> l & 1, std::uint64_t{a[l] >= b[l]});
      EXPECT_EQ(both >> l & 1, std::uint64_t{(a[l] < b[l]) && (b[l] <= c[l])});
      EXPECT_EQ(either >> l & 1, std::uint64_t{(a[l] > b[l]) || !(b[l] == c[l])});
      EXPECT_EQ(finite >> l & 1, std::uint64_t{std::isfinite(a[l])});
    }
    EXPECT_EQ(all(pa < pb), less == (this->lanes == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << this->lanes) - 1));
    const auto mask = mask_from_lanes<Pack<R, 3>>([&](int l) { return a[l] < b[l]; });
    EXPECT_EQ(mask_bits(mask), less);
  }
}

TYPED_TEST(PackTest, ExponentsAndSignificandsAreThoseOfTheScalar) {
  using R = TypeParam;
  using Limits = std::numeric_limits<R>;
  std::mt19937_64 random(8);
  for (int trial = 0; trial < 500; ++trial) {
    auto powers = this->values(), normal = powers;
    for (R& n : powers) n = R(Limits::min_exponent - 1 + static_cast<int>(random() % (2 * Limits::max_exponent - 2)));
    for (R& a : normal)
      a = std::ldexp(1 + R(random() >> 40) / R(1 << 24),
                     Limits::min_exponent - 1 + static_cast<int>(random() % (2 * Limits::max_exponent - 2)));
    if (trial == 0) powers[0] = Limits::min_exponent - 1, powers[1] = Limits::max_exponent - 1;
    if (trial == 0) normal[0] = Limits::min(), normal[1] = Limits::max(), normal[2] = std::nextafter(R(1), R(0));
    this->expect_lanes(power_of_two(this->pack(powers)), this->map([&](int l) { return power_of_two(powers[l]); }),
                       "2^n");
    this->expect_lanes(exponent(this->pack(normal)), this->map([&](int l) { return exponent(normal[l]); }), "exponent");
    this->expect_lanes(significand(this->pack(normal)), this->map([&](int l) { return significand(normal[l]); }),
                       "significand");
    for (int l = 0; l < this->lanes; ++l) {
      EXPECT_EQ(power_of_two(powers[l]), std::ldexp(R(1), static_cast<int>(powers[l])));
      EXPECT_EQ(exponent(normal[l]), std::ilogb(normal[l]));
      EXPECT_EQ(std::ldexp(significand(normal[l]), std::ilogb(normal[l])), normal[l]);
    }
  }
}

// A search has a lane's bits whatever its neighbours are given, and however long they take.
TYPED_TEST(PackTest, BracketsHaveTheBitsOfTheScalar) {
  using R = TypeParam;
  using Registers = Parts<Pack<R, 3>>;
  using Register = typename Registers::Part;
  constexpr int width = lanes_of<Register>;
  std::mt19937_64 random(6);
  const auto has_bits = [](R x, R expected) {
    return (x != x && expected != expected) || std::memcmp(&x, &expected, sizeof(R)) == 0;
  };
  for (int trial = 0; trial < 200; ++trial) {
    const auto low = this->values(), high = this->values(), tolerance = this->values();
    std::vector<Bracket<R>> narrow;
    std::vector<Bracket<Register>> wide;
    for (int l = 0; l < this->lanes; ++l) narrow.push_back({low[l], high[l], std::abs(tolerance[l])});
    for (int i = 0; i < Registers::count; ++i)
      wide.push_back({Registers::get(this->pack(low), i), Registers::get(this->pack(high), i),
                      Registers::get(abs(this->pack(tolerance)), i)});
    for (int k = 0; k < max_refinements; ++k) {
      const auto f = this->values();
      const auto valid = this->map([&](int) { return R(random() % 8 != 0); });
      std::uint64_t done = 0;
      Pack<R, 3> theta;
      for (int i = 0; i < Registers::count; ++i) {
        const auto mask = Registers::get_mask(this->pack(valid) > Pack<R, 3>(R(0)), i);
        const Register here = Registers::get(this->pack(f), i);
        done |= mask_bits(wide[i].add(here, mask)) << (i * width);
        wide[i].move_on(here, k);
        Registers::set(theta, i, wide[i].theta);
      }
      for (int l = 0; l < this->lanes; ++l) {
        EXPECT_EQ(done >> l & 1, std::uint64_t{narrow[l].add(f[l], valid[l] > 0)});
        narrow[l].move_on(f[l], k);
        EXPECT_TRUE(has_bits(lane_of(theta, l), narrow[l].theta)) << narrow[l].theta;
        EXPECT_TRUE(has_bits(lane_of(wide[l / width].outcome, l % width), narrow[l].outcome)) << narrow[l].outcome;
      }
    }
  }
}

}  // namespace
}  // namespace polhode::inline POLHODE_ISA

// Elementary functions have the same bits in every lane of a pack as of a plain number, and those that are written down
// here: on every instruction set, for each of which this file is compiled, and by every compiler.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <ios>
#include <random>
#include <type_traits>

#include "on_instruction_set.hpp"
#include "polhode/scalar/elementary.hpp"
#include "polhode/scalar/pack.hpp"

#define ElementaryBits POLHODE_ON_INSTRUCTION_SET(ElementaryBits)

namespace polhode::inline POLHODE_ISA {
namespace {

template <class R>
class ElementaryBits : public ::testing::Test {
 protected:
  using P = Pack<R, 3>;
  using Word = typename BinaryFormat<R>::Word;
  static constexpr int lanes = lanes_of<P>, arguments = 48 * 500;

  void SetUp() override {
    if (!supported()) GTEST_SKIP() << "this processor lacks the instruction set";
  }

  /// Of any bits; between -1 and 1 times a power of two; or a special one.
  R number() {
    static constexpr R special[] = {R(0),
                                    -R(0),
                                    R(1),
                                    R(-1),
                                    R(2),
                                    R(0.5),
                                    std::numeric_limits<R>::infinity(),
                                    -std::numeric_limits<R>::infinity(),
                                    std::numeric_limits<R>::quiet_NaN(),
                                    std::numeric_limits<R>::denorm_min(),
                                    std::numeric_limits<R>::min(),
                                    std::numeric_limits<R>::max()};
    const auto bits = random_(), pick = random_();
    if (pick % 16 == 0) return special[(pick >> 8) % std::size(special)];
    if (pick % 4 == 1) return bits_as<R>(static_cast<Word>(bits));
    const R fraction = R(static_cast<std::int64_t>(bits) >> 40) / R(1 << 23);
    return fraction * std::ldexp(R(1), static_cast<int>((pick >> 8) % 24) - 12);
  }

  template <class F>
  void expect(const char* what, std::uint64_t expected, F&& function) {
    std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
    std::array<R, lanes> x, y, found;
    for (int k = 0; k < arguments; k += lanes) {
      for (int l = 0; l < lanes; ++l) x[l] = number(), y[l] = number();
      store_lanes(function(load_lanes<P>(x.data()), load_lanes<P>(y.data())), found.data());
      for (int l = 0; l < lanes; ++l) {
        const R plain = function(x[l], y[l]);
        const bool is_nan = plain != plain;  // whose sign and payload are of no meaning
        ASSERT_TRUE(is_nan ? found[l] != found[l] : bits_as<Word>(plain) == bits_as<Word>(found[l]))
            << what << " of " << x[l] << ", " << y[l] << ": " << found[l] << " is not " << plain;
        hash = (hash ^ (is_nan ? Word(0) : bits_as<Word>(plain))) * 0x100000001b3;
      }
    }
    EXPECT_EQ(hash, expected) << what << std::hex << " 0x" << hash;
  }

  static constexpr std::uint64_t expected(std::uint64_t of_double, std::uint64_t of_float) {
    return sizeof(R) == sizeof(double) ? of_double : of_float;
  }

  std::mt19937_64 random_{7};
};

using Reals = ::testing::Types<double, float>;
TYPED_TEST_SUITE(ElementaryBits, Reals);

TYPED_TEST(ElementaryBits, OfExp) {
  this->expect("exp", this->expected(0x126c83a9310610b, 0x3fdb8cfd17e7d9ac),
               [](const auto& x, const auto&) { return exp(x); });
}
TYPED_TEST(ElementaryBits, OfLog) {
  this->expect("log", this->expected(0xb9fda4e135ab97e1, 0x8ae2f7be415194ab),
               [](const auto& x, const auto&) { return log(x); });
}
TYPED_TEST(ElementaryBits, OfPow) {
  this->expect("pow", this->expected(0x4413a93fb9d7c5f5, 0xe3d329bd29f4ff93),
               [](const auto& x, const auto& y) { return pow(x, y); });
}
TYPED_TEST(ElementaryBits, OfSin) {
  this->expect("sin", this->expected(0x1227b0394375b51e, 0x28d898793cbeac69),
               [](const auto& x, const auto&) { return sin(x); });
}
TYPED_TEST(ElementaryBits, OfCos) {
  this->expect("cos", this->expected(0xdaba7d80e2e477be, 0x7c428b8573f963f1),
               [](const auto& x, const auto&) { return cos(x); });
}
TYPED_TEST(ElementaryBits, OfTan) {
  this->expect("tan", this->expected(0x48daff2a13192b88, 0x88da0c3c20c9f782),
               [](const auto& x, const auto&) { return tan(x); });
}
TYPED_TEST(ElementaryBits, OfSinh) {
  this->expect("sinh", this->expected(0x74e1557ceee38ff, 0x943722623639fc00),
               [](const auto& x, const auto&) { return sinh(x); });
}
TYPED_TEST(ElementaryBits, OfCosh) {
  this->expect("cosh", this->expected(0x7c13ab9fe9b710b3, 0x2c270bf180a62163),
               [](const auto& x, const auto&) { return cosh(x); });
}
TYPED_TEST(ElementaryBits, OfTanh) {
  this->expect("tanh", this->expected(0x94da16aaeb309f47, 0xc21087869a49df7d),
               [](const auto& x, const auto&) { return tanh(x); });
}
TYPED_TEST(ElementaryBits, OfAsin) {
  this->expect("asin", this->expected(0x692b4ff70306c907, 0x515e198d4cfa79f2),
               [](const auto& x, const auto&) { return asin(x); });
}
TYPED_TEST(ElementaryBits, OfAcos) {
  this->expect("acos", this->expected(0x6dfa8794ddcd0cab, 0x35c8c7bee9a696d3),
               [](const auto& x, const auto&) { return acos(x); });
}
TYPED_TEST(ElementaryBits, OfAtan) {
  this->expect("atan", this->expected(0xd917a226c8e378b5, 0x5eafcb3645f4bb53),
               [](const auto& x, const auto&) { return atan(x); });
}
TYPED_TEST(ElementaryBits, OfAtan2) {
  this->expect("atan2", this->expected(0x3161e66903d5bdda, 0x2ba9b9cac63de926),
               [](const auto& x, const auto& y) { return atan2(x, y); });
}
TYPED_TEST(ElementaryBits, OfSinCos) {
  this->expect("sin_cos", this->expected(0xc8714407672be2f, 0xa9b7e381765ebf50),
               [](const auto& x, const auto&) { return sin_cos(x).sin + sin_cos(x).cos; });
}
TYPED_TEST(ElementaryBits, OfAzimuth) {
  this->expect("azimuth", this->expected(0xa3f232032951ce86, 0x9595f9d08b07f4c5),
               [](const auto& x, const auto& y) { return azimuth(x, y); });
}
TYPED_TEST(ElementaryBits, OfDerivatives) {
  this->expect("derivatives", this->expected(0xa5c1513dbd2683a, 0x6a4b4a71e25c4a3f), [](const auto& x, const auto& y) {
    using D = Dual<std::decay_t<decltype(x)>, 2>;
    const D a = D::variable(x, 0), b = D::variable(y, 1), sum = exp(a) + log(b) + pow(a, b) + sin(a) * cos(b);
    return sum.tangent[0] + sum.tangent[1];
  });
  this->expect("more derivatives", this->expected(0x31b5a31282095298, 0xeb1060043fff4a85),
               [](const auto& x, const auto& y) {
                 using D = Dual<std::decay_t<decltype(x)>, 2>;
                 const D a = D::variable(x, 0), b = D::variable(y, 1);
                 const D sum = tan(a) + sinh(b) * tanh(a) + cosh(a) + asin(a) * acos(b) + atan(a) + atan2(a, b);
                 return sum.tangent[0] + sum.tangent[1];
               });
}

}  // namespace
}  // namespace polhode::inline POLHODE_ISA

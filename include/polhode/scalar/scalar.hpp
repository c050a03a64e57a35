// The scalar vocabulary: the only operations a step may use besides + - * and comparison.
//
//   fma(a,b,c)       a*b+c rounded once           select(m,a,b)   a where m, else b, lane by lane
//   sqrt(a), abs(a)                               all(m)  reduction of a mask to bool
//   is_finite(a)                                  larger(a, b)    a where a > b, else b
//   power_of_two(n), exponent(a), significand(a)  a = significand(a) * 2^exponent(a), for elementary functions
//   load_lanes<T>(m) the lanes m[0], m[1], ...    store_lanes(a, m)               lane_of(a, l)   lane l of a
//   mask_from_lanes<T>(f)  a mask whose lane l is f(l)                            mask_bits(m)    bit l is lane l
//   Parts<T>         the registers that a T consists of, for algorithms that process them one by one
//
// Every operation is IEEE-exact, so a step is bitwise identical on every instruction set and on a GPU. Division is
// exact, too, but slow; steps use it once, not in a sweep. Masks combine with & | !; there is no `if` on a scalar.
// Other number types (std::complex, multiprecision) work through the generic fallbacks.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "polhode/scalar/config.hpp"

namespace polhode::inline POLHODE_ISA {

/// Properties of a scalar type that algorithms need. Specialised by Pack and Dual.
template <class T>
struct ScalarTraits {
  using Real = T;                  ///< the floating-point type that is stored in memory
  using Mask = bool;               ///< result of a comparison
  static constexpr int lanes = 1;  ///< number of trajectories that advance together
  static constexpr bool has_tangent = false;
};

template <class T>
using Real = typename ScalarTraits<T>::Real;
template <class T>
using Mask = typename ScalarTraits<T>::Mask;
template <class T>
inline constexpr int lanes_of = ScalarTraits<T>::lanes;

POLHODE_HD double fma(double a, double b, double c) { return ::fma(a, b, c); }
POLHODE_HD float fma(float a, float b, float c) { return ::fmaf(a, b, c); }
inline long double fma(long double a, long double b, long double c) { return ::fmal(a, b, c); }
/// a b + c. Types without a fused operation round twice; bitwise identity is not guaranteed for them.
template <class T>
constexpr T fma(const T& a, const T& b, const T& c) {
  return a * b + c;
}

POLHODE_HD double sqrt(double a) { return ::sqrt(a); }
POLHODE_HD float sqrt(float a) { return ::sqrtf(a); }
inline long double sqrt(long double a) { return ::sqrtl(a); }

POLHODE_HD double abs(double a) { return ::fabs(a); }
POLHODE_HD float abs(float a) { return ::fabsf(a); }
inline long double abs(long double a) { return ::fabsl(a); }

/// Storage of a float or double: a sign, the exponent plus a bias, and a fraction whose leading 1 is left out.
template <class R>
struct BinaryFormat {
  using Word = std::conditional_t<sizeof(R) == sizeof(double), std::uint64_t, std::uint32_t>;
  static constexpr int fraction_bits = std::numeric_limits<R>::digits - 1;
  static constexpr int bias = std::numeric_limits<R>::max_exponent - 1;
  /// The last bit of the fraction of this number is 1: a small integer that is added stands in the lowest bits.
  static constexpr R unit = static_cast<R>(std::uint64_t{1} << fraction_bits);
  static constexpr R biased_unit = unit + R(bias), signed_unit = R(1.5) * unit + R(bias);
};
template <class To, class From>
POLHODE_HD To bits_as(const From& a) {
  static_assert(sizeof(To) == sizeof(From));
  To b;
  std::memcpy(&b, &a, sizeof b);
  return b;
}

/// 2^n for an integer n with a normal result: -1022 to 1023 (-126 to 127 in single precision).
template <std::floating_point R>
POLHODE_HD R power_of_two(R n) {
  using F = BinaryFormat<R>;
  return bits_as<R>(bits_as<typename F::Word>(n + F::signed_unit) << F::fraction_bits);
}
/// The n for which 2^n <= a < 2^(n + 1), of a normal a > 0.
template <std::floating_point R>
POLHODE_HD R exponent(R a) {
  using F = BinaryFormat<R>;
  using Word = typename F::Word;
  return bits_as<R>((bits_as<Word>(a) >> F::fraction_bits) | bits_as<Word>(R(F::unit))) - F::biased_unit;
}
/// a / 2^exponent(a), in [1, 2), of a normal a > 0.
template <std::floating_point R>
POLHODE_HD R significand(R a) {
  using Word = typename BinaryFormat<R>::Word;
  const Word above_fraction = bits_as<Word>(std::numeric_limits<R>::infinity());
  return bits_as<R>((bits_as<Word>(a) & ~above_fraction) | bits_as<Word>(R(1)));
}

template <class T>
POLHODE_HD T select(bool mask, const T& a, const T& b) {
  return mask ? a : b;
}
POLHODE_HD bool all(bool mask) { return mask; }

template <class T>
POLHODE_HD T larger(const T& a, const T& b) {
  return select(a > b, a, b);
}

/// Lanes in which a number is finite: its difference with itself is zero; that of an infinity or NaN is NaN.
template <class T>
POLHODE_HD Mask<T> is_finite(const T& a) {
  return (a - a) == T(0);
}

/// Access to the lanes of a scalar; specialised by Pack. Not for hot code.
template <class T>
struct LaneAccess {
  template <class F>
  POLHODE_HD static Mask<T> gather_mask(F&& f) {
    return f(0);
  }
  POLHODE_HD static Real<T> lane(const T& a, int) { return a; }
  POLHODE_HD static T load(const Real<T>* memory) { return *memory; }
  POLHODE_HD static void store(const T& a, Real<T>* memory) { *memory = a; }
};

template <class T, class F>
POLHODE_HD Mask<T> mask_from_lanes(F&& f) {
  return LaneAccess<T>::gather_mask(f);
}
template <class T>
POLHODE_HD Real<T> lane_of(const T& a, int lane) {
  return LaneAccess<T>::lane(a, lane);
}
/// Scalar whose lane l is memory[l].
template <class T>
POLHODE_HD T load_lanes(const Real<T>* memory) {
  return LaneAccess<T>::load(memory);
}
/// Stores lane l in memory[l].
template <class T>
POLHODE_HD void store_lanes(const T& a, Real<T>* memory) {
  LaneAccess<T>::store(a, memory);
}

/// A T as parts of one register each: an algorithm with many live values works part by part, so that they stay in
/// registers. A scalar is one part.
template <class T>
struct Parts {
  using Part = T;
  static constexpr int count = 1;
  POLHODE_HD static T get(const T& a, int) { return a; }
  POLHODE_HD static Mask<T> get_mask(const Mask<T>& m, int) { return m; }
  POLHODE_HD static void set(T& a, int, const T& part) { a = part; }
};

/// Bit l is lane l of the mask; at most 64 lanes.
POLHODE_HD std::uint64_t mask_bits(bool mask) { return mask; }
/// Index of the lowest set bit of a nonzero word.
POLHODE_HD int lowest_bit(std::uint64_t word) {
#if defined(__CUDA_ARCH__)
  return __ffsll(static_cast<long long>(word)) - 1;
#else
  return __builtin_ctzll(word);
#endif
}

}  // namespace polhode::inline POLHODE_ISA

// Native<R>: the widest SIMD register of double or float that the unit is compiled for, as plain static functions.
//
//     Register, Mask, width          broadcast, load, store
//     + - * / and unary -            on Register itself (compiler vectors)
//     power_of_two, exponent, significand
//     fma, sqrt, abs, larger         less, less_equal, equal -> Mask
//     select(m, a, b)                both, either, inverse, bits, from_bool on Mask
//
// Comparisons are false if an operand is NaN. Intrinsics instead of std::experimental::simd: that of GCC 12 does not
// fuse fma on AVX-512, and its layers of inlining doubled compile times.
#pragma once

#include "polhode/scalar/scalar.hpp"

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#endif

namespace polhode::inline POLHODE_ISA {

template <class R>
struct Native;

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)

#define POLHODE_NATIVE_512(R, V, M, n, ps, epi)                                                            \
  template <>                                                                                              \
  struct Native<R> {                                                                                       \
    using Register = V;                                                                                    \
    using Mask = M;                                                                                        \
    static constexpr int width = n;                                                                        \
    static constexpr M full = static_cast<M>(~0);                                                          \
    static POLHODE_HD V broadcast(R a) { return _mm512_set1_##ps(a); }                                     \
    static POLHODE_HD V load(const R* p) { return _mm512_loadu_##ps(p); }                                  \
    static POLHODE_HD void store(R* p, V a) { _mm512_storeu_##ps(p, a); }                                  \
    static POLHODE_HD V fma(V a, V b, V c) { return _mm512_fmadd_##ps(a, b, c); }                          \
    static POLHODE_HD V sqrt(V a) { return _mm512_maskz_sqrt_##ps(full, a); }                              \
    static POLHODE_HD V abs(V a) { return _mm512_maskz_andnot_##ps(full, broadcast(R(-0.0)), a); }         \
    static POLHODE_HD V larger(V a, V b) { return _mm512_maskz_max_##ps(full, a, b); }                     \
    static POLHODE_HD V power_of_two(V a) {                                                                \
      const __m512i sum = _mm512_cast##ps##_si512(a + broadcast(BinaryFormat<R>::signed_unit));            \
      return _mm512_castsi512_##ps(_mm512_maskz_slli_##epi(full, sum, BinaryFormat<R>::fraction_bits));    \
    }                                                                                                      \
    static POLHODE_HD V exponent(V a) {                                                                    \
      const __m512i shifted =                                                                              \
          _mm512_maskz_srli_##epi(full, _mm512_cast##ps##_si512(a), BinaryFormat<R>::fraction_bits);       \
      return _mm512_or_##ps(_mm512_castsi512_##ps(shifted), broadcast(BinaryFormat<R>::unit)) -            \
             broadcast(BinaryFormat<R>::biased_unit);                                                      \
    }                                                                                                      \
    static POLHODE_HD V significand(V a) {                                                                 \
      const V fraction = _mm512_maskz_andnot_##ps(full, broadcast(std::numeric_limits<R>::infinity()), a); \
      return _mm512_or_##ps(fraction, broadcast(R(1)));                                                    \
    }                                                                                                      \
    static POLHODE_HD M less(V a, V b) { return _mm512_cmp_##ps##_mask(a, b, _CMP_LT_OQ); }                \
    static POLHODE_HD M less_equal(V a, V b) { return _mm512_cmp_##ps##_mask(a, b, _CMP_LE_OQ); }          \
    static POLHODE_HD M equal(V a, V b) { return _mm512_cmp_##ps##_mask(a, b, _CMP_EQ_OQ); }               \
    static POLHODE_HD V select(M m, V a, V b) { return _mm512_mask_blend_##ps(m, b, a); }                  \
    static POLHODE_HD M both(M a, M b) { return static_cast<M>(a & b); }                                   \
    static POLHODE_HD M either(M a, M b) { return static_cast<M>(a | b); }                                 \
    static POLHODE_HD M inverse(M a) { return static_cast<M>(~a); }                                        \
    static POLHODE_HD M from_bool(bool a) { return a ? full : M(0); }                                      \
    static POLHODE_HD std::uint64_t bits(M a) { return a; }                                                \
  };
POLHODE_NATIVE_512(double, __m512d, __mmask8, 8, pd, epi64)
POLHODE_NATIVE_512(float, __m512, __mmask16, 16, ps, epi32)
#undef POLHODE_NATIVE_512

#elif defined(__AVX2__) && defined(__FMA__)

#define POLHODE_NATIVE_256(R, V, n, ps, epi)                                                                  \
  template <>                                                                                                 \
  struct Native<R> {                                                                                          \
    using Register = V;                                                                                       \
    using Mask = V; /* all bits of a lane */                                                                  \
    static constexpr int width = n;                                                                           \
    static POLHODE_HD V broadcast(R a) { return _mm256_set1_##ps(a); }                                        \
    static POLHODE_HD V load(const R* p) { return _mm256_loadu_##ps(p); }                                     \
    static POLHODE_HD void store(R* p, V a) { _mm256_storeu_##ps(p, a); }                                     \
    static POLHODE_HD V fma(V a, V b, V c) { return _mm256_fmadd_##ps(a, b, c); }                             \
    static POLHODE_HD V sqrt(V a) { return _mm256_sqrt_##ps(a); }                                             \
    static POLHODE_HD V abs(V a) { return _mm256_andnot_##ps(broadcast(R(-0.0)), a); }                        \
    static POLHODE_HD V larger(V a, V b) { return _mm256_max_##ps(a, b); }                                    \
    static POLHODE_HD V power_of_two(V a) {                                                                   \
      const __m256i sum = _mm256_cast##ps##_si256(a + broadcast(BinaryFormat<R>::signed_unit));               \
      return _mm256_castsi256_##ps(_mm256_slli_##epi(sum, BinaryFormat<R>::fraction_bits));                   \
    }                                                                                                         \
    static POLHODE_HD V exponent(V a) {                                                                       \
      const __m256i shifted = _mm256_srli_##epi(_mm256_cast##ps##_si256(a), BinaryFormat<R>::fraction_bits);  \
      return _mm256_or_##ps(_mm256_castsi256_##ps(shifted), broadcast(BinaryFormat<R>::unit)) -               \
             broadcast(BinaryFormat<R>::biased_unit);                                                         \
    }                                                                                                         \
    static POLHODE_HD V significand(V a) {                                                                    \
      const V fraction = _mm256_andnot_##ps(broadcast(std::numeric_limits<R>::infinity()), a);                \
      return _mm256_or_##ps(fraction, broadcast(R(1)));                                                       \
    }                                                                                                         \
    static POLHODE_HD V less(V a, V b) { return _mm256_cmp_##ps(a, b, _CMP_LT_OQ); }                          \
    static POLHODE_HD V less_equal(V a, V b) { return _mm256_cmp_##ps(a, b, _CMP_LE_OQ); }                    \
    static POLHODE_HD V equal(V a, V b) { return _mm256_cmp_##ps(a, b, _CMP_EQ_OQ); }                         \
    static POLHODE_HD V select(V m, V a, V b) { return _mm256_blendv_##ps(b, a, m); }                         \
    static POLHODE_HD V both(V a, V b) { return _mm256_and_##ps(a, b); }                                      \
    static POLHODE_HD V either(V a, V b) { return _mm256_or_##ps(a, b); }                                     \
    static POLHODE_HD V inverse(V a) { return _mm256_xor_##ps(a, from_bool(true)); }                          \
    static POLHODE_HD V from_bool(bool a) { return _mm256_castsi256_##ps(_mm256_set1_epi32(a ? -1 : 0)); }    \
    static POLHODE_HD std::uint64_t bits(V a) { return static_cast<std::uint64_t>(_mm256_movemask_##ps(a)); } \
  };
POLHODE_NATIVE_256(double, __m256d, 4, pd, epi64)
POLHODE_NATIVE_256(float, __m256, 8, ps, epi32)
#undef POLHODE_NATIVE_256

#else

/// Register without SIMD: a single number.
template <class R>
struct Native {
  using Register = R;
  using Mask = bool;
  static constexpr int width = 1;
  static POLHODE_HD R broadcast(R a) { return a; }
  static POLHODE_HD R load(const R* p) { return *p; }
  static POLHODE_HD void store(R* p, R a) { *p = a; }
  static POLHODE_HD R fma(R a, R b, R c) { return polhode::fma(a, b, c); }
  static POLHODE_HD R sqrt(R a) { return polhode::sqrt(a); }
  static POLHODE_HD R abs(R a) { return polhode::abs(a); }
  static POLHODE_HD R larger(R a, R b) { return a > b ? a : b; }
  static POLHODE_HD R power_of_two(R a) { return polhode::power_of_two(a); }
  static POLHODE_HD R exponent(R a) { return polhode::exponent(a); }
  static POLHODE_HD R significand(R a) { return polhode::significand(a); }
  static POLHODE_HD bool less(R a, R b) { return a < b; }
  static POLHODE_HD bool less_equal(R a, R b) { return a <= b; }
  static POLHODE_HD bool equal(R a, R b) { return a == b; }
  static POLHODE_HD R select(bool m, R a, R b) { return m ? a : b; }
  static POLHODE_HD bool both(bool a, bool b) { return a && b; }
  static POLHODE_HD bool either(bool a, bool b) { return a || b; }
  static POLHODE_HD bool inverse(bool a) { return !a; }
  static POLHODE_HD bool from_bool(bool a) { return a; }
  static POLHODE_HD std::uint64_t bits(bool a) { return a; }
};

#endif

}  // namespace polhode::inline POLHODE_ISA

// Native<R>: the widest SIMD register of double or float that the unit is compiled for, as plain static functions.
//
//     Register, Mask, width          broadcast, load, store
//     + - * / and unary -            on Register itself (compiler vectors)
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

#define POLHODE_NATIVE_512(R, V, M, n, ps)                                                         \
  template <>                                                                                      \
  struct Native<R> {                                                                               \
    using Register = V;                                                                            \
    using Mask = M;                                                                                \
    static constexpr int width = n;                                                                \
    static constexpr M full = static_cast<M>(~0);                                                  \
    static POLHODE_HD V broadcast(R a) { return _mm512_set1_##ps(a); }                             \
    static POLHODE_HD V load(const R* p) { return _mm512_loadu_##ps(p); }                          \
    static POLHODE_HD void store(R* p, V a) { _mm512_storeu_##ps(p, a); }                          \
    static POLHODE_HD V fma(V a, V b, V c) { return _mm512_fmadd_##ps(a, b, c); }                  \
    static POLHODE_HD V sqrt(V a) { return _mm512_maskz_sqrt_##ps(full, a); }                      \
    static POLHODE_HD V abs(V a) { return _mm512_maskz_andnot_##ps(full, broadcast(R(-0.0)), a); } \
    static POLHODE_HD V larger(V a, V b) { return _mm512_maskz_max_##ps(full, a, b); }             \
    static POLHODE_HD M less(V a, V b) { return _mm512_cmp_##ps##_mask(a, b, _CMP_LT_OQ); }        \
    static POLHODE_HD M less_equal(V a, V b) { return _mm512_cmp_##ps##_mask(a, b, _CMP_LE_OQ); }  \
    static POLHODE_HD M equal(V a, V b) { return _mm512_cmp_##ps##_mask(a, b, _CMP_EQ_OQ); }       \
    static POLHODE_HD V select(M m, V a, V b) { return _mm512_mask_blend_##ps(m, b, a); }          \
    static POLHODE_HD M both(M a, M b) { return static_cast<M>(a & b); }                           \
    static POLHODE_HD M either(M a, M b) { return static_cast<M>(a | b); }                         \
    static POLHODE_HD M inverse(M a) { return static_cast<M>(~a); }                                \
    static POLHODE_HD M from_bool(bool a) { return a ? full : M(0); }                              \
    static POLHODE_HD std::uint64_t bits(M a) { return a; }                                        \
  };
POLHODE_NATIVE_512(double, __m512d, __mmask8, 8, pd)
POLHODE_NATIVE_512(float, __m512, __mmask16, 16, ps)
#undef POLHODE_NATIVE_512

#elif defined(__AVX2__) && defined(__FMA__)

#define POLHODE_NATIVE_256(R, V, n, ps)                                                                       \
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
POLHODE_NATIVE_256(double, __m256d, 4, pd)
POLHODE_NATIVE_256(float, __m256, 8, ps)
#undef POLHODE_NATIVE_256

#else

/// Without SIMD a register is a single number.
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

// Pack<T, R>: R native SIMD registers of double or float that advance R * width trajectories together.
//
// Several registers hide the latency of fma, which a single one would leave exposed (a sweep of the implicit equation
// is one dependency chain). Every operation acts lane by lane with the bits of the plain scalar. Host only.
//
// std::experimental::simd supplies the registers; its own fma is not used, because in GCC 12 it does not fuse.
#pragma once

#include <experimental/simd>

#include "polhode/scalar/scalar.hpp"

#if defined(__FMA__)
#include <immintrin.h>
#endif

namespace polhode::inline POLHODE_ISA {

namespace stdx = std::experimental;

namespace detail {
template <class T>
using Register = stdx::native_simd<T>;

template <class T>
POLHODE_HD Register<T> fused(const Register<T>& a, const Register<T>& b, const Register<T>& c) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 8)
    return Register<T>(_mm512_fmadd_pd(static_cast<__m512d>(a), static_cast<__m512d>(b), static_cast<__m512d>(c)));
  else
    return Register<T>(_mm512_fmadd_ps(static_cast<__m512>(a), static_cast<__m512>(b), static_cast<__m512>(c)));
#elif defined(__AVX2__) && defined(__FMA__)
  if constexpr (sizeof(T) == 8)
    return Register<T>(_mm256_fmadd_pd(static_cast<__m256d>(a), static_cast<__m256d>(b), static_cast<__m256d>(c)));
  else
    return Register<T>(_mm256_fmadd_ps(static_cast<__m256>(a), static_cast<__m256>(b), static_cast<__m256>(c)));
#else
  return Register<T>([&](auto i) { return polhode::fma(T(a[i]), T(b[i]), T(c[i])); });
#endif
}

/// Bit l is lane l of the mask, by way of the sign bits of a register.
template <class T>
POLHODE_HD std::uint64_t bits(const typename Register<T>::mask_type& m) {
  Register<T> marked(T(0));
  stdx::where(m, marked) = T(-1);
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 8)
    return _mm512_movepi64_mask(_mm512_castpd_si512(static_cast<__m512d>(marked)));
  else
    return _mm512_movepi32_mask(_mm512_castps_si512(static_cast<__m512>(marked)));
#elif defined(__AVX2__) && defined(__FMA__)
  if constexpr (sizeof(T) == 8)
    return static_cast<std::uint64_t>(_mm256_movemask_pd(static_cast<__m256d>(marked)));
  else
    return static_cast<std::uint64_t>(_mm256_movemask_ps(static_cast<__m256>(marked)));
#else
  std::uint64_t word = 0;
  for (std::size_t l = 0; l < marked.size(); ++l) word |= std::uint64_t{marked[l] < T(0)} << l;
  return word;
#endif
}
}  // namespace detail

template <class T, int R>
struct PackMask {
  using Register = typename detail::Register<T>::mask_type;
  Register r[R];

  POLHODE_HD PackMask() = default;
  POLHODE_HD PackMask(bool value) {
    unroll<R>([&](int i) POLHODE_LAMBDA { r[i] = Register(value); });
  }
  friend POLHODE_HD PackMask operator&(PackMask a, const PackMask& b) {
    unroll<R>([&](int i) POLHODE_LAMBDA { a.r[i] = a.r[i] && b.r[i]; });
    return a;
  }
  friend POLHODE_HD PackMask operator|(PackMask a, const PackMask& b) {
    unroll<R>([&](int i) POLHODE_LAMBDA { a.r[i] = a.r[i] || b.r[i]; });
    return a;
  }
  friend POLHODE_HD PackMask operator!(PackMask a) {
    unroll<R>([&](int i) POLHODE_LAMBDA { a.r[i] = !a.r[i]; });
    return a;
  }
};

template <class T, int R>
struct Pack {
  using Register = detail::Register<T>;
  static constexpr int width = static_cast<int>(Register::size());
  Register r[R];

  POLHODE_HD Pack() = default;
  POLHODE_HD Pack(T value) {
    unroll<R>([&](int i) POLHODE_LAMBDA { r[i] = value; });
  }

#define POLHODE_PACK_BINARY(op)                                      \
  friend POLHODE_HD Pack operator op(const Pack& a, const Pack& b) { \
    Pack c;                                                          \
    unroll<R>([&](int i) POLHODE_LAMBDA { c.r[i] = a.r[i] op b.r[i]; });           \
    return c;                                                        \
  }
  POLHODE_PACK_BINARY(+)
  POLHODE_PACK_BINARY(-)
  POLHODE_PACK_BINARY(*)
  POLHODE_PACK_BINARY(/)
#undef POLHODE_PACK_BINARY

#define POLHODE_PACK_COMPARE(op)                                               \
  friend POLHODE_HD PackMask<T, R> operator op(const Pack& a, const Pack& b) { \
    PackMask<T, R> m;                                                          \
    unroll<R>([&](int i) POLHODE_LAMBDA { m.r[i] = a.r[i] op b.r[i]; });                     \
    return m;                                                                  \
  }
  POLHODE_PACK_COMPARE(<)
  POLHODE_PACK_COMPARE(<=)
  POLHODE_PACK_COMPARE(>)
  POLHODE_PACK_COMPARE(>=)
  POLHODE_PACK_COMPARE(==)
#undef POLHODE_PACK_COMPARE

  friend POLHODE_HD Pack operator-(Pack a) {
    unroll<R>([&](int i) POLHODE_LAMBDA { a.r[i] = -a.r[i]; });
    return a;
  }
  friend POLHODE_HD Pack fma(const Pack& a, const Pack& b, const Pack& c) {
    Pack d;
    unroll<R>([&](int i) POLHODE_LAMBDA { d.r[i] = detail::fused<T>(a.r[i], b.r[i], c.r[i]); });
    return d;
  }
  friend POLHODE_HD Pack sqrt(Pack a) {
    unroll<R>([&](int i) POLHODE_LAMBDA { a.r[i] = stdx::sqrt(a.r[i]); });
    return a;
  }
  friend POLHODE_HD Pack abs(Pack a) {
    unroll<R>([&](int i) POLHODE_LAMBDA { a.r[i] = stdx::abs(a.r[i]); });
    return a;
  }
  friend POLHODE_HD Pack select(const PackMask<T, R>& m, const Pack& a, Pack b) {
    unroll<R>([&](int i) POLHODE_LAMBDA { stdx::where(m.r[i], b.r[i]) = a.r[i]; });
    return b;
  }
};

template <class T, int R>
POLHODE_HD bool all(const PackMask<T, R>& m) {
  auto joint = m.r[0];
  for (int i = 1; i < R; ++i) joint = joint && m.r[i];
  return stdx::all_of(joint);
}
template <class T, int R>
POLHODE_HD bool any(const PackMask<T, R>& m) {
  auto joint = m.r[0];
  for (int i = 1; i < R; ++i) joint = joint || m.r[i];
  return stdx::any_of(joint);
}

template <class T, int R>
POLHODE_HD std::uint64_t mask_bits(const PackMask<T, R>& m) {
  std::uint64_t word = 0;
  unroll<R>([&](int i) POLHODE_LAMBDA { word |= detail::bits<T>(m.r[i]) << (i * Pack<T, R>::width); });
  return word;
}

template <class T, int R>
struct ScalarTraits<Pack<T, R>> {
  using Real = T;
  using Mask = PackMask<T, R>;
  static constexpr int lanes = R * Pack<T, R>::width;
  static constexpr bool has_tangent = false;
};

/// By way of memory, in loops that stay loops: lanes are entered once a segment, not once a step.
template <class T, int R>
struct LaneAccess<Pack<T, R>> {
  static constexpr int width = Pack<T, R>::width, lanes = R * width;

  template <class F>
  POLHODE_HD static Pack<T, R> gather(F&& f) {
    T memory[lanes];
#pragma GCC unroll 1
    for (int l = 0; l < lanes; ++l) memory[l] = f(l);
    Pack<T, R> a;
    unroll<R>([&](int i) POLHODE_LAMBDA { a.r[i].copy_from(memory + i * width, stdx::element_aligned); });
    return a;
  }
  template <class F>
  POLHODE_HD static PackMask<T, R> gather_mask(F&& f) {
    return gather([&](int l) POLHODE_LAMBDA { return f(l) ? T(1) : T(0); }) > Pack<T, R>(T(0));
  }
  template <class F>
  POLHODE_HD static void scatter(const Pack<T, R>& a, F&& f) {
    T memory[lanes];
    unroll<R>([&](int i) POLHODE_LAMBDA { a.r[i].copy_to(memory + i * width, stdx::element_aligned); });
#pragma GCC unroll 1
    for (int l = 0; l < lanes; ++l) f(l, memory[l]);
  }
};

}  // namespace polhode::inline POLHODE_ISA

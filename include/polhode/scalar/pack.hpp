// Pack<T, R>: R native SIMD registers of double or float that advance R * width trajectories together.
//
// Several registers hide the latency of fma, which a single one would expose (a sweep of the implicit equation is one
// dependency chain). Every operation acts lane by lane, bitwise identical to the plain scalar. Host only.
#pragma once

#include <cstring>

#include "polhode/scalar/native.hpp"

namespace polhode::inline POLHODE_ISA {

template <class T, int R>
struct PackMask {
  using N = Native<T>;
  typename N::Mask r[R];

  POLHODE_HD PackMask() = default;
  POLHODE_HD PackMask(bool value) {
    unroll<R>([&](int i) POLHODE_LAMBDA { r[i] = N::from_bool(value); });
  }
  friend POLHODE_HD PackMask operator&(PackMask a, const PackMask& b) {
    unroll<R>([&](int i) POLHODE_LAMBDA { a.r[i] = N::both(a.r[i], b.r[i]); });
    return a;
  }
  friend POLHODE_HD PackMask operator|(PackMask a, const PackMask& b) {
    unroll<R>([&](int i) POLHODE_LAMBDA { a.r[i] = N::either(a.r[i], b.r[i]); });
    return a;
  }
  friend POLHODE_HD PackMask operator!(PackMask a) {
    unroll<R>([&](int i) POLHODE_LAMBDA { a.r[i] = N::inverse(a.r[i]); });
    return a;
  }
};

template <class T, int R>
struct Pack {
  using N = Native<T>;
  static constexpr int width = N::width;
  typename N::Register r[R];

  POLHODE_HD Pack() = default;
  POLHODE_HD Pack(T value) {
    unroll<R>([&](int i) POLHODE_LAMBDA { r[i] = N::broadcast(value); });
  }

#define POLHODE_PACK_BINARY(op)                                          \
  friend POLHODE_HD Pack operator op(Pack a, const Pack& b) {            \
    unroll<R>([&](int i) POLHODE_LAMBDA { a.r[i] = a.r[i] op b.r[i]; }); \
    return a;                                                            \
  }
  POLHODE_PACK_BINARY(+)
  POLHODE_PACK_BINARY(-)
  POLHODE_PACK_BINARY(*)
  POLHODE_PACK_BINARY(/)
#undef POLHODE_PACK_BINARY

#define POLHODE_PACK_COMPARE(op, function, left, right)                                    \
  friend POLHODE_HD PackMask<T, R> operator op(const Pack& a, const Pack& b) {             \
    PackMask<T, R> m;                                                                      \
    unroll<R>([&](int i) POLHODE_LAMBDA { m.r[i] = N::function(left.r[i], right.r[i]); }); \
    return m;                                                                              \
  }
  POLHODE_PACK_COMPARE(<, less, a, b)
  POLHODE_PACK_COMPARE(<=, less_equal, a, b)
  POLHODE_PACK_COMPARE(>, less, b, a)
  POLHODE_PACK_COMPARE(>=, less_equal, b, a)
  POLHODE_PACK_COMPARE(==, equal, a, b)
#undef POLHODE_PACK_COMPARE

  friend POLHODE_HD Pack operator-(Pack a) {
    unroll<R>([&](int i) POLHODE_LAMBDA { a.r[i] = -a.r[i]; });
    return a;
  }
  friend POLHODE_HD Pack fma(const Pack& a, const Pack& b, Pack c) {
    unroll<R>([&](int i) POLHODE_LAMBDA { c.r[i] = N::fma(a.r[i], b.r[i], c.r[i]); });
    return c;
  }
  friend POLHODE_HD Pack sqrt(Pack a) {
    unroll<R>([&](int i) POLHODE_LAMBDA { a.r[i] = N::sqrt(a.r[i]); });
    return a;
  }
  friend POLHODE_HD Pack abs(Pack a) {
    unroll<R>([&](int i) POLHODE_LAMBDA { a.r[i] = N::abs(a.r[i]); });
    return a;
  }
  friend POLHODE_HD Pack power_of_two(Pack a) {
    unroll<R>([&](int i) POLHODE_LAMBDA { a.r[i] = N::power_of_two(a.r[i]); });
    return a;
  }
  friend POLHODE_HD Pack exponent(Pack a) {
    unroll<R>([&](int i) POLHODE_LAMBDA { a.r[i] = N::exponent(a.r[i]); });
    return a;
  }
  friend POLHODE_HD Pack significand(Pack a) {
    unroll<R>([&](int i) POLHODE_LAMBDA { a.r[i] = N::significand(a.r[i]); });
    return a;
  }
  friend POLHODE_HD Pack larger(Pack a, const Pack& b) {
    unroll<R>([&](int i) POLHODE_LAMBDA { a.r[i] = N::larger(a.r[i], b.r[i]); });
    return a;
  }
  friend POLHODE_HD Pack select(const PackMask<T, R>& m, const Pack& a, Pack b) {
    unroll<R>([&](int i) POLHODE_LAMBDA { b.r[i] = N::select(m.r[i], a.r[i], b.r[i]); });
    return b;
  }
};

template <class T, int R>
POLHODE_HD std::uint64_t mask_bits(const PackMask<T, R>& m) {
  std::uint64_t word = 0;
  unroll<R>([&](int i) POLHODE_LAMBDA { word |= Native<T>::bits(m.r[i]) << (i * Native<T>::width); });
  return word;
}
template <class T, int R>
POLHODE_HD bool all(const PackMask<T, R>& m) {
  auto joint = m.r[0];
  for (int i = 1; i < R; ++i) joint = Native<T>::both(joint, m.r[i]);
  return Native<T>::bits(joint) == (std::uint64_t{1} << Native<T>::width) - 1;
}
template <class T, int R>
struct ScalarTraits<Pack<T, R>> {
  using Real = T;
  using Mask = PackMask<T, R>;
  static constexpr int lanes = R * Native<T>::width;
  static constexpr bool has_tangent = false;
};

template <class T, int R>
struct Parts<Pack<T, R>> {
  using Part = Pack<T, 1>;
  static constexpr int count = R;
  POLHODE_HD static Part get(const Pack<T, R>& a, int i) {
    Part part;
    part.r[0] = a.r[i];
    return part;
  }
  POLHODE_HD static PackMask<T, 1> get_mask(const PackMask<T, R>& m, int i) {
    PackMask<T, 1> part;
    part.r[0] = m.r[i];
    return part;
  }
  POLHODE_HD static void set(Pack<T, R>& a, int i, const Part& part) { a.r[i] = part.r[0]; }
};

/// Access through memory, in loops that are not unrolled: lanes are accessed once per segment, not once per step.
template <class T, int R>
struct LaneAccess<Pack<T, R>> {
  static constexpr int width = Native<T>::width, lanes = R * width;

  template <class F>
  POLHODE_HD static PackMask<T, R> gather_mask(F&& f) {
    T memory[lanes];
#pragma GCC unroll 1
    for (int l = 0; l < lanes; ++l) memory[l] = f(l) ? T(1) : T(0);
    return load(memory) > Pack<T, R>(T(0));
  }
  POLHODE_HD static T lane(const Pack<T, R>& a, int l) {
    T x;
    std::memcpy(&x, reinterpret_cast<const char*>(a.r) + l * sizeof(T), sizeof(T));
    return x;
  }
  POLHODE_HD static Pack<T, R> load(const T* memory) {
    Pack<T, R> a;
    unroll<R>([&](int i) POLHODE_LAMBDA { a.r[i] = Native<T>::load(memory + i * width); });
    return a;
  }
  POLHODE_HD static void store(const Pack<T, R>& a, T* memory) {
    unroll<R>([&](int i) POLHODE_LAMBDA { Native<T>::store(memory + i * width, a.r[i]); });
  }
};

}  // namespace polhode::inline POLHODE_ISA

// Compilation environment of every device-safe header.
//
// POLHODE_HD         marks a function for host and device.
// POLHODE_LAMBDA     does the same for a lambda inside such a function (nvcc lets it inherit the execution space).
// POLHODE_OUTLINED   marks a function that is too large to be inlined at every call: a call on the host. On a device it
//                    is inlined nevertheless, because a call would move the state from registers to memory, unless
//                    the unit defines POLHODE_CALLS_ON_DEVICE: for a state that does not fit into registers anyway.
// POLHODE_LEAVE_INLINING   may be defined where speed does not matter: the compiler decides what to inline, which
//                    makes the compilation of steps in dual numbers ten times as fast.
//
// POLHODE_ISA   names an inline namespace after the instruction set of the unit, so that units for different
//               instruction sets share no weak symbol, of which the linker would select an arbitrary one.
//
// Steps are bitwise identical everywhere, so floating-point contraction must be off wherever these headers are
// compiled: -ffp-contract=off for the host, --fmad=false for nvcc. Fused operations are written out as fma().
#pragma once

#if defined(__CUDACC__)
#define POLHODE_HD __host__ __device__ __forceinline__
#if defined(POLHODE_CALLS_ON_DEVICE)
#define POLHODE_OUTLINED __host__ __device__ __noinline__
#else
#define POLHODE_OUTLINED __host__ __device__ __forceinline__
#endif
#define POLHODE_LAMBDA
#define POLHODE_ISA isa_cuda
#else
#if defined(POLHODE_LEAVE_INLINING)
#define POLHODE_HD inline
#define POLHODE_LAMBDA
#else
#define POLHODE_HD inline __attribute__((always_inline))
#define POLHODE_LAMBDA __attribute__((always_inline))
#endif
#define POLHODE_OUTLINED __attribute__((noinline))
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define POLHODE_ISA isa_avx512
#elif defined(__AVX2__) && defined(__FMA__)
#define POLHODE_ISA isa_avx2
#else
#define POLHODE_ISA isa_scalar
#endif
#endif

#if defined(__FAST_MATH__)
#error "polhode gives the same bits on every backend; do not compile it with -ffast-math"
#endif

#include <utility>

namespace polhode::inline POLHODE_ISA {

/// Calls f(0), ..., f(N-1) without a loop: optimisers split arrays into registers before they unroll loops.
template <int N, class F>
POLHODE_HD void unroll(F&& f) {
  [&]<int... i>(std::integer_sequence<int, i...>) POLHODE_LAMBDA { (f(i), ...); }
  (std::make_integer_sequence<int, N>{});
}

/// A callable as a non-inlined function on the host, for large code that is called at several places.
template <class F>
struct Outlined {
  F f;
  template <class... Argument>
  POLHODE_OUTLINED auto operator()(const Argument&... argument) const {
    return f(argument...);
  }
};
template <bool wanted, class F>
POLHODE_HD auto outlined_if(F f) {
  if constexpr (wanted)
    return Outlined<F>{f};
  else
    return f;
}

/// Calls f(0), ..., f(N-1) as unroll<N> does, but on the host in a loop for a large state, which is in memory anyway.
template <int N, class F>
POLHODE_HD void for_columns(F&& f) {
#if !defined(__CUDACC__)
  if constexpr (N > 8) {
#pragma GCC unroll 1
    for (int i = 0; i < N; ++i) f(i);
    return;
  }
#endif
  unroll<N>(f);
}

}  // namespace polhode::inline POLHODE_ISA

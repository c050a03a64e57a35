#include "throughput/fma_peak.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace polhode {
namespace {

// Two ports with a latency of four need eight chains; twelve leave room, and fit sixteen registers with two operands.
constexpr int chains = 12;

#if defined(__x86_64__)
/// Makes the compiler believe that somebody reads the memory.
void keep(void* memory) { asm volatile("" : : "g"(memory) : "memory"); }

// Each chain tends to 1, so that no operand becomes slow.

__attribute__((target("avx512f"))) void run_avx512(std::int64_t rounds) {
  const __m512d half = _mm512_set1_pd(0.5);
  __m512d chain[chains];
  for (__m512d& x : chain) x = _mm512_setzero_pd();
  for (std::int64_t k = 0; k < rounds; ++k)
#pragma GCC unroll 12
    for (int i = 0; i < chains; ++i) chain[i] = _mm512_fmadd_pd(chain[i], half, half);
  keep(chain);
}

__attribute__((target("avx2,fma"))) void run_avx2(std::int64_t rounds) {
  const __m256d half = _mm256_set1_pd(0.5);
  __m256d chain[chains];
  for (__m256d& x : chain) x = _mm256_setzero_pd();
  for (std::int64_t k = 0; k < rounds; ++k)
#pragma GCC unroll 12
    for (int i = 0; i < chains; ++i) chain[i] = _mm256_fmadd_pd(chain[i], half, half);
  keep(chain);
}
#endif

}  // namespace

int register_bits(Isa isa) {
  switch (isa) {
    case Isa::avx2: return 256;
    case Isa::avx512: return 512;
    default: return 0;
  }
}

std::int64_t run_fmas([[maybe_unused]] Isa isa, std::int64_t rounds) {
#if defined(__x86_64__)
  if (isa == Isa::avx512) run_avx512(rounds);
  if (isa == Isa::avx2) run_avx2(rounds);
#endif
  return rounds * chains;
}

}  // namespace polhode

// For tests that are compiled once for each instruction set: their names end with that of the unit's, and they are
// skipped on a processor that lacks it.
#pragma once

#include "backend/cpu/isa.hpp"
#include "polhode/scalar/config.hpp"

#if defined(__AVX512F__)
#define POLHODE_ON_INSTRUCTION_SET(name) name##OnAvx512
#elif defined(__AVX2__)
#define POLHODE_ON_INSTRUCTION_SET(name) name##OnAvx2
#else
#define POLHODE_ON_INSTRUCTION_SET(name) name##OnBaseline
#endif

namespace polhode::inline POLHODE_ISA {

inline bool supported() {
#if defined(__AVX512F__)
  return isa_supported(Isa::avx512);
#elif defined(__AVX2__)
  return isa_supported(Isa::avx2);
#else
  return true;
#endif
}

}  // namespace polhode::inline POLHODE_ISA

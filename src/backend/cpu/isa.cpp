#include "backend/cpu/isa.hpp"

#include <initializer_list>

#include <cpuid.h>

namespace polhode {
namespace {

// The levels of the x86-64 psABI, feature by feature: __builtin_cpu_supports of Clang 14 knows neither the levels nor
// F16C, MOVBE and LZCNT, which are read from cpuid. "avx2" and "avx512f" imply that the operating system saves the
// registers.
bool is_v3() {
  unsigned basic = 0, extended = 0, unused;
  __get_cpuid(1, &unused, &unused, &basic, &unused);
  __get_cpuid(0x80000001, &unused, &unused, &extended, &unused);
  return (basic & bit_F16C) && (basic & bit_MOVBE) && (extended & bit_LZCNT) && __builtin_cpu_supports("avx2") &&
         __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}
bool is_v4() {
  return is_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

}  // namespace

bool isa_supported(Isa isa) {
  // Asked once: a virtual machine takes tens of microseconds for cpuid.
  static const bool supported[n_isas] = {true, is_v3(), is_v4()};
  return supported[static_cast<int>(isa)];
}

Isa best_isa() {
  for (const Isa isa : {Isa::avx512, Isa::avx2})
    if (isa_supported(isa)) return isa;
  return Isa::scalar;
}

}  // namespace polhode

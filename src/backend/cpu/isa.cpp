#include "backend/cpu/isa.hpp"

namespace polhode {

bool isa_supported(Isa isa) {
  switch (isa) {
    case Isa::scalar: return true;
#if defined(__x86_64__)
    case Isa::avx2: return __builtin_cpu_supports("x86-64-v3");
    case Isa::avx512: return __builtin_cpu_supports("x86-64-v4");
#else
    default: return false;
#endif
  }
  return false;
}

Isa best_isa() {
  for (const Isa isa : {Isa::avx512, Isa::avx2})
    if (isa_supported(isa)) return isa;
  return Isa::scalar;
}

std::optional<Isa> isa_from_name(std::string_view name) {
  for (int i = 0; i < n_isas; ++i)
    if (name == isa_names[i]) return static_cast<Isa>(i);
  return std::nullopt;
}

}  // namespace polhode

// Instruction sets for which CPU units exist, and those that this machine supports.
#pragma once

#include "polhode/run/targets.hpp"

namespace polhode {

inline constexpr int n_isas = 3;
inline constexpr const char* isa_names[n_isas] = {"scalar", "avx2", "avx512"};

bool isa_supported(Isa isa);
Isa best_isa();

}  // namespace polhode

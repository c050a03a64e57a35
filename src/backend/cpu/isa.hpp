// Instruction sets for which CPU units exist, and which of them this machine has.
#pragma once

#include <optional>
#include <string_view>

#include "polhode/run/units.hpp"

namespace polhode {

inline constexpr int n_isas = 3;
inline constexpr const char* isa_names[n_isas] = {"scalar", "avx2", "avx512"};

bool isa_supported(Isa isa);
Isa best_isa();
std::optional<Isa> isa_from_name(std::string_view name);

}  // namespace polhode

// Instruction sets for which CPU units exist, and which of them this machine has.
#pragma once

#include <optional>
#include <string_view>

namespace polhode {

enum class Isa { scalar, avx2, avx512 };
inline constexpr int n_isas = 3;
inline constexpr const char* isa_names[n_isas] = {"scalar", "avx2", "avx512"};

/// avx2 means x86-64-v3 (with FMA), avx512 x86-64-v4; scalar runs anywhere, with fma from the C library.
bool isa_supported(Isa isa);
Isa best_isa();
std::optional<Isa> isa_from_name(std::string_view name);

}  // namespace polhode

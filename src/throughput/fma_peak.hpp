// Loops that issue as many vector fmas as a core can, with registers of one instruction set.
#pragma once

#include <cstdint>

#include "backend/cpu/isa.hpp"

namespace polhode {

/// Bits of a vector register of an instruction set; 0 for Isa::scalar.
int register_bits(Isa isa);

/// Executes `rounds` rounds of independent fmas on whole registers of a vector instruction set, which must not be
/// Isa::scalar. Returns the number of fmas, each of a whole register.
std::int64_t run_fmas(Isa isa, std::int64_t rounds);

}  // namespace polhode

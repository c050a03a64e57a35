// Instruction sets and precisions that kernels are compiled for.
#pragma once

namespace polhode {

/// Instruction sets of CPUs: avx2 means x86-64-v3 (with FMA), avx512 x86-64-v4; scalar runs anywhere, with fma from the
/// C library.
enum class Isa { scalar, avx2, avx512 };

/// Floating-point format of the steps.
enum class Precision { binary64, binary32 };

}  // namespace polhode

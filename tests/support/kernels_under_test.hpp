// Kernels that the tests compile. Each takes seconds, and their number is a product of systems, step maps, solvers,
// precisions and instruction sets, so that not all of them are in every run of the tests:
//
//   tested                                    every pair of a system and a step map with every solver
//   in double on the best instruction set     all
//   otherwise                                 those of the first system in the catalog that a step map has
//   compiled for sm_90, in double             the first solver of the first system, checked for spills if one can be
//
// Elementary functions are measured at a quarter of the arguments (unit/elementary_accuracy_test.cpp). With
// POLHODE_TEST_ALL, as `scripts/test all` sets it, nothing is left out.
#pragma once

#include <cstdlib>
#include <string_view>
#include <vector>

#include "backend/cpu/isa.hpp"
#include "catalog/catalog.hpp"

namespace polhode::test {

/// Whether the system of a method is the first in the catalog that its step map has.
inline bool has_first_system(const MethodEntry& method) {
  for (const MethodEntry& other : methods())
    if (std::string_view(other.map.type) == method.map.type) return std::string_view(other.system) == method.system;
  return false;
}

/// Whether the kernels of a method are tested in this precision on this instruction set.
inline bool is_tested(const MethodEntry& method, Precision precision, Isa isa) {
  return std::getenv("POLHODE_TEST_ALL") || (precision == Precision::binary64 && isa == best_isa()) ||
         has_first_system(method);
}

/// Whether the kernel of a method in double is compiled for GPUs, with what its system needs besides.
inline bool is_compiled_for_gpus(const MethodEntry& method, int solver) {
  if (std::getenv("POLHODE_TEST_ALL")) return true;
  const MethodEntry* first = nullptr;
  for (const MethodEntry& other : methods()) {
    if (std::string_view(other.map.type) != method.map.type) continue;
    if (!first || (first->residence != Residence::registers && other.residence == Residence::registers)) first = &other;
  }
  return solver == 0 && std::string_view(first->system) == method.system;
}

/// Instruction sets of this processor on which a method is tested, the best one last.
inline std::vector<Isa> isas_of(const MethodEntry& method, Precision precision) {
  std::vector<Isa> isas;
  for (const Isa isa : {Isa::scalar, Isa::avx2, Isa::avx512})
    if (isa_supported(isa) && is_tested(method, precision, isa)) isas.push_back(isa);
  return isas;
}

}  // namespace polhode::test

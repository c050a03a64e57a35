// Sources of modules, made of names.
#pragma once

#include <span>
#include <string>

#include "backend/cuda/residence.hpp"
#include "modules/method_row.hpp"
#include "modules/source_type.hpp"
#include "modules/target.hpp"
#include "polhode/run/targets.hpp"

namespace polhode {

/// Table that a step map is compiled with: a type of namespace polhode whose `value` it is.
struct TableType {
  std::string name;        ///< for people and files; empty where a map has no table
  std::string type;        ///< in the map's headers, or as `definition` defines it
  std::string definition;  ///< C++; empty where the headers have the type
};

/// Names of a kernel: a step map on a system with one solver, in one precision.
struct KernelNames {
  SourceType system, map;
  int solver;  ///< index into StepMapsOn
  const char* solver_name;
  Precision precision;
  std::string method;            ///< for people, e.g. "heavy-top, rattle"
  Residence residence;           ///< residence of a state on GPUs
  bool leaves_inlining = false;  ///< whether compilers for processors decide on inlining (scalar/config.hpp)
  TableType table{};             ///< none for a map that has no tables
};

/// A module that can be compiled.
struct ModuleSource {
  std::string key;       ///< all that determines its code, except the compiler: lines "name value"
  std::string stem;      ///< stem of the names of its files: what it is, and a hash of the key
  std::string in_words;  ///< for people: "heavy-top, rattle, newton, double, avx512"
  std::string text;      ///< C++, but for the line that complete() adds
  Target target;
  bool may_spill = true;      ///< whether its kernel for a GPU may take local memory; if not, that is a mistake
  std::string own_header{};   ///< path of a user's header, whose mistakes are the user's; or empty
  std::string own_content{};  ///< hash of what the header and its includes contain; or empty
  bool is_guess = false;      ///< whether it may not be needed: if it cannot be compiled, that is no failure

  /// Whole source. compiler: the name that its compiler gives itself.
  std::string complete(const std::string& compiler) const;
};

ModuleSource source_of(const KernelNames& kernel, const Target& target);
/// Source of the shadow energies by a step map (modules/shadow_module.hpp), on processors.
ModuleSource shadow_source_of(const KernelNames& kernel, Isa isa);
/// Source of the functions of a system that do not depend on the step map (table.hpp). name: for people; residence: on
/// GPUs.
ModuleSource source_of(const SourceType& system, const char* name, const Target& target,
                       Residence residence = Residence::registers);
/// Source of the description of the system of a user's header (catalog/description_module.hpp), with those of the
/// `methods` that advance it.
ModuleSource description_of(const SourceType& system, std::span<const MethodRow> methods);
/// Source of the values of the functions of a user's system, for the reference (backend/reference/value_table.hpp).
ModuleSource values_of(const SourceType& system, const char* name);

/// Type that POLHODE_SYSTEM (polhode/system/description.hpp) makes of the system of a header.
inline constexpr const char* type_of_own_system = "SystemOfHeader";

}  // namespace polhode

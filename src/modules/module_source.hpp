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

/// Table of coefficients that a step map is compiled with, as the member `value` of a type of namespace polhode.
struct TableType {
  std::string name;        ///< name of the table, for people and files; empty where a map has no table
  std::string type;        ///< name of the type, which the map's header or `definition` defines
  std::string definition;  ///< C++ code that defines the type; empty where the map's header does
};

/// Names of what a kernel is made of: a step map on a system, with one solver, in one precision.
struct KernelNames {
  SourceType system, map;
  int solver;  ///< index into the map's StepMapsOn<System>
  const char* solver_name;
  Precision precision;
  std::string method;            ///< system and method for people, e.g. "heavy-top, rattle"
  Residence residence;           ///< residence of a state on GPUs
  bool leaves_inlining = false;  ///< whether compilers for processors decide on inlining (scalar/config.hpp)
  TableType table{};             ///< table of the map; one without a name for a map that has no tables
};

/// A module that can be compiled.
struct ModuleSource {
  std::string key;       ///< all that determines its code, except the compiler: lines "name value"
  std::string stem;      ///< stem of the names of its files: what it is, and a hash of the key
  std::string in_words;  ///< for people: "heavy-top, rattle, newton, double, avx512"
  std::string text;      ///< C++ code without the line that complete() adds
  Target target;
  bool may_spill = true;      ///< whether its kernel for a GPU may take local memory without being a mistake
  std::string own_header{};   ///< path of the user's header that the module is compiled from; empty if there is none
  std::string own_content{};  ///< OwnHeader::content of the user's header; empty if there is none
  bool is_guess = false;  ///< whether the module may turn out not to be needed: it is no failure if it does not compile

  /// Whole source: `text`, and before it the words `compiler` of Compiler::in_words(), for ModuleTable::compiler.
  std::string complete(const std::string& compiler) const;
};

ModuleSource source_of(const KernelNames& kernel, const Target& target);
/// Source of the module that computes the shadow energies of a step map (modules/shadow_module.hpp), for processors.
ModuleSource shadow_source_of(const KernelNames& kernel, Isa isa);
/// Source of the module with the functions of a system that do not depend on the step map (table.hpp). name: the
/// system's name, for people; residence: where a GPU keeps a state of the system.
ModuleSource source_of(const SourceType& system, const char* name, const Target& target,
                       Residence residence = Residence::registers);
/// Source of the module that describes the system of a user's header, and those of the `methods` that advance it
/// (catalog/description_module.hpp).
ModuleSource description_source_of(const SourceType& system, std::span<const MethodRow> methods);
/// Source of the module with the functions from whose values the reference of a user's system is made
/// (backend/reference/value_table.hpp). name: the system's name, for people.
ModuleSource value_source_of(const SourceType& system, const char* name);

/// Name of the type that POLHODE_SYSTEM (polhode/system/description.hpp) defines as the system of a header.
inline constexpr const char* type_of_own_system = "SystemOfHeader";

}  // namespace polhode

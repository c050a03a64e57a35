// The library of the references, which is loaded when a reference is asked for.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "backend/reference/reference_backend.hpp"
#include "backend/reference/value_table.hpp"
#include "formula/formula_system.hpp"

namespace polhode {

/// Export of the library libpolhode_references, under the name polhode_references.
struct ReferenceTable {
  const char* headers;  ///< headers_hash() of the program to which the library belongs; stays the first member, so that
                        ///< it can be read from the library of any other build
  MakeReference (*find)(std::string_view system);  ///< function that makes the reference of a system of the program;
                                                   ///< null for other systems
  std::unique_ptr<Backend> (*make_own)(const ValueTable& values, const RunPlan& plan,
                                       const ReferenceMethod& method);  ///< reference of a user's system
  std::unique_ptr<Backend> (*make_formula)(const FormulaSystem& formulas, const RunPlan& plan,
                                           const ReferenceMethod& method);  ///< reference of a system of formulas
};

/// Reason why the library cannot be used; empty if it can.
std::string why_no_references();
/// Function that makes the reference of a system of the program, from the library, which must be usable; null for any
/// other system.
MakeReference find_reference(std::string_view system);
/// Reference of a user's system, from the library, which must be usable.
std::unique_ptr<Backend> make_own_reference(const ValueTable& values, const RunPlan& plan,
                                            const ReferenceMethod& method);
/// Reference of a system of formulas, from the library, which must be usable.
std::unique_ptr<Backend> make_formula_reference(const FormulaSystem& formulas, const RunPlan& plan,
                                                const ReferenceMethod& method);

}  // namespace polhode

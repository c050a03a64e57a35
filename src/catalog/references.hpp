// The library of the references, which is loaded when a reference is asked for.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "backend/reference/reference_backend.hpp"
#include "backend/reference/value_table.hpp"

namespace polhode {

/// Export of the library libpolhode_references, under the name polhode_references.
struct ReferenceTable {
  const char* headers;  ///< headers_hash() of the program to which the library belongs; stays the first member, so that
                        ///< any library can be asked
  MakeReference (*find)(std::string_view system);  ///< reference of a system of the program, or null
  std::unique_ptr<Backend> (*make_own)(const ValueTable& values, const RunPlan& plan,
                                       const ReferenceMethod& method);  ///< reference of a user's system
};

/// Reason why the library cannot be used; empty if it can.
std::string why_no_references();
/// Reference of a system of the program, from the library, which must be usable.
MakeReference find_reference(std::string_view system);
/// Reference of a user's system, from the library, which must be usable.
std::unique_ptr<Backend> make_own_reference(const ValueTable& values, const RunPlan& plan,
                                            const ReferenceMethod& method);

}  // namespace polhode

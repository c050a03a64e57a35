// The library of the references, which is loaded when one is asked for.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "backend/reference/reference_backend.hpp"
#include "backend/reference/value_table.hpp"

namespace polhode {

/// Export of the library libpolhode_references, under the name polhode_references.
struct ReferenceTable {
  const char* headers;  ///< headers_hash() of the program that it belongs to; first, for ever
  MakeReference (*find)(std::string_view system);  ///< of a system of the program
  std::unique_ptr<Backend> (*make_own)(const ValueTable& values, const RunPlan& plan,
                                       const ReferenceMethod& method);  ///< of a user's system
};

/// Why the library cannot be used, or empty.
std::string why_no_references();
/// Reference of a system of the program, from the library.
MakeReference find_reference(std::string_view system);
/// Reference of a user's system, by the library.
std::unique_ptr<Backend> make_own_reference(const ValueTable& values, const RunPlan& plan,
                                            const ReferenceMethod& method);

}  // namespace polhode

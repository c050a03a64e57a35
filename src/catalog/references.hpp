// The library of the references of the program's own systems, which is loaded when one of them is asked for.
#pragma once

#include <string>
#include <string_view>

#include "backend/reference/reference_backend.hpp"

namespace polhode {

/// Export of the library libpolhode_references, under the name polhode_references.
struct ReferenceTable {
  const char* headers;  ///< headers_hash() of the program that it belongs to; first, for ever
  MakeReference (*find)(std::string_view system);
};

/// Why the library cannot be used, or empty.
std::string problem_with_references();
/// Reference of a system of the program, from the library.
MakeReference find_reference(std::string_view system);

}  // namespace polhode

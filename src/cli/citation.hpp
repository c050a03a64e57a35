// The publications behind a result.
#pragma once

#include <string>

#include "polhode/core/array.hpp"

namespace polhode {

/// BibTeX of the publications behind a result, polhode's own first. attributes: those of its root; result: what
/// messages call it. Throws InputError where this build lacks its system or its method, or there is no text of a
/// publication.
std::string citation_of(const Attributes& attributes, bool has_shadow_energy, const std::string& result);

}  // namespace polhode

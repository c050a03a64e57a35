// A condition on a state in words, e.g. "pi1 > 0 and gamma1 < 0.5": comparisons of observables with numbers, joined by
// `and`.
#pragma once

#include <string_view>

#include "catalog/catalog.hpp"
#include "polhode/observer/selection.hpp"

namespace polhode {

/// Condition of a text, which always holds if it is empty. Throws InputError that names what it does not understand.
SectionCondition parse_condition(const SystemEntry& system, std::string_view text);

}  // namespace polhode

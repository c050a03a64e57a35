// A condition on a state in words, e.g. "pi1 > 0 and gamma1 < 0.5": comparisons of observables with numbers, joined by
// `and`.
#pragma once

#include <string_view>

#include "catalog/catalog.hpp"
#include "polhode/observer/selection.hpp"

namespace polhode {

/// Condition that a text states; it always holds if the text is empty. Throws InputError where the text is not a
/// condition, has more than max_comparisons comparisons, or compares an angle with a number beyond [-pi, pi].
SectionCondition parse_condition(const SystemEntry& system, std::string_view text);

}  // namespace polhode

// "Did you mean": the known names that a wrong one may stand for.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polhode {

/// Known names that a word stands for, in the order of `known`: the names of its synonyms (synonyms.hpp), names that
/// begin with it, and names that have all its words, as "double-spherical-pendulum" has those of "double-pendulum".
/// Capitals and underscores make no difference. A single letter stands for none.
std::vector<std::string> names_meant(std::string_view word, std::span<const std::string> known);

/// Known names that a wrong one may stand for: the nearest one, if it differs by a third of the letters at most and no
/// name has its words; else names_meant().
std::vector<std::string> near_names(std::string_view wrong, std::span<const std::string> known);

/// `; nearest known: "name"`, or several; the whole list where none is near; nothing where the list is empty.
std::string nearest_known(std::string_view wrong, std::span<const std::string> known);

}  // namespace polhode

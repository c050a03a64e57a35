// "Did you mean": the known names that a wrong one may stand for.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polhode {

/// Known names that a word stands for, in their order: those of its synonyms (synonyms.hpp), those that begin with it,
/// and those that have all its words, as "double-spherical-pendulum" has those of "double-pendulum". Capitals and
/// underscores make no difference.
std::vector<std::string> names_meant(std::string_view word, std::span<const std::string> known);

/// Names that differ from a wrong one by a third of its letters at most, or else those that are meant.
std::vector<std::string> near_names(std::string_view wrong, std::span<const std::string> known);

/// `; nearest known: "name"`, or several; the whole list where none is near; nothing where the list is empty.
std::string nearest_known(std::string_view wrong, std::span<const std::string> known);

}  // namespace polhode

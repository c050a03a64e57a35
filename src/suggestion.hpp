// "Did you mean": the known names that a wrong one may stand for.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polhode {

/// Known names that a word may stand for, in the order of `known`: names that begin with it, names that have all its
/// words, as "double-spherical-pendulum" has those of "double-pendulum", and names that have all words of what it is a
/// synonym of (synonyms.hpp). Capitals, and underscores for dashes, make no difference. One letter stands for none.
std::vector<std::string> names_meant(std::string_view word, std::span<const std::string> known);

/// Known names that `wrong` may stand for. Where some known name has all words of `wrong`, or of what `wrong` is a
/// synonym of: names_meant(). Otherwise the nearest known name alone, if at most a third of the letters of `wrong`
/// differ in it (one of two to five letters); else names_meant().
std::vector<std::string> near_names(std::string_view wrong, std::span<const std::string> known);

/// End of a message: `; nearest known: "name"`, or several names; `; known: ` and the whole list where none is near;
/// empty where the list is empty.
std::string nearest_known(std::string_view wrong, std::span<const std::string> known);

}  // namespace polhode

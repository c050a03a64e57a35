// Texts of the publications that the headers of the program name by their keys.
#pragma once

#include <string_view>

#include "polhode/system/publications.hpp"

namespace polhode {

/// Publications of the program, with their texts, in the order of their keys.
Sources publications();
/// Publications of the shadow energy (polhode/run/shadow_energy.hpp), in the order of their keys.
inline constexpr Publication shadow_sources[] = {{"EngleSkeelDrees2005"}, {"SkeelHardy2001"}};
/// Text of a publication, or null where neither it nor the program has one.
const char* bibtex_of(const Publication& publication);

}  // namespace polhode

// "Did you mean": the known name that is nearest to a wrong one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace polhode {

/// `; nearest known: "name"`, or the whole list when none is near and shares a letter, or nothing when the list is
/// empty.
std::string nearest_known(std::string_view wrong, std::span<const std::string> known);

}  // namespace polhode

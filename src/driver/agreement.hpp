// Agreement of ranks on what they do.
#pragma once

#include <string>

#include "parallel/ranks.hpp"

namespace polhode {

/// First line in which two texts differ, as it is in both, for a message; "nothing" where they are equal.
std::string first_difference(const std::string& there, const std::string& here);

/// Throws InputError on all ranks unless `inputs` is the same on all: they would make one file of different runs.
/// what: words for the message, e.g. "kernels are not those". Collective.
void require_same(const std::string& inputs, const char* what, Ranks& ranks);

}  // namespace polhode

// Agreement of ranks on what they do.
#pragma once

#include <string>

#include "parallel/ranks.hpp"

namespace polhode {

/// The first line in which two texts differ, for a message; "nothing" where they are equal.
std::string first_difference(const std::string& there, const std::string& here);

/// Throws InputError on all ranks unless `inputs` is the same on all of them: one file would be made of different runs.
/// what: for the message, e.g. "kernels are not those". Collective.
void require_same(const std::string& inputs, const char* what, Ranks& ranks);

}  // namespace polhode

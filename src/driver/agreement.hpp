// Agreement of ranks on what they do.
#pragma once

#include <string>

#include "parallel/ranks.hpp"

namespace polhode {

/// The first line in which two texts differ, for a message.
std::string first_difference(const std::string& there, const std::string& here);

/// Refuses ranks that were given different things to do, which would make one file of both; `what` differs, e.g.
/// "kernels are not those". Collective.
void require_same(const std::string& inputs, const char* what, Ranks& ranks);

}  // namespace polhode

// What a result says of its run.
#pragma once

#include <cstdint>
#include <vector>

#include "integration/prepare.hpp"
#include "result/run_description.hpp"

namespace polhode {

/// counts: of the density [bins 0][bins 1], then points outside; empty without one.
RunDescription describe(const Prepared& prepared, const std::vector<std::int64_t>& counts);

}  // namespace polhode

// What a result file says of its run.
#pragma once

#include "integration/integration.hpp"
#include "integration/prepare.hpp"
#include "output/run_description.hpp"

namespace polhode {

/// counts: of the density [bins 0][bins 1], then points outside; empty without one.
RunDescription describe(const Configuration& configuration, const Prepared& prepared,
                        const std::vector<std::int64_t>& counts);

}  // namespace polhode

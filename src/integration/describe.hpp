// Description of a run in its result.
#pragma once

#include <cstdint>
#include <vector>

#include "integration/prepare.hpp"
#include "result/run_description.hpp"

namespace polhode {

/// counts: of the density [bins 0][bins 1], then points outside; empty without one, or where none are needed.
RunDescription describe(const PreparedRun& prepared, const std::vector<std::int64_t>& counts);
/// Description of a run before there are starts and a backend. Bit i of invariants: invariant i is recorded.
RunDescription describe(const ResolvedRun& run, std::uint32_t invariants, const std::vector<std::int64_t>& counts);

}  // namespace polhode

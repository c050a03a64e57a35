// Description of a run in its result.
#pragma once

#include <cstdint>
#include <vector>

#include "integration/prepare.hpp"
#include "result/run_description.hpp"

namespace polhode {

/// Description of a prepared run. counts: the counts of the density [bins 0][bins 1], then the number of points
/// outside; empty without a density, or where the counts are not needed.
RunDescription describe(const PreparedRun& prepared, const std::vector<std::int64_t>& counts);
/// Description of a resolved run, without what is known only of a prepared one: backend, compiler, date, sweeps and the
/// function of the shadow energies. Bit i of invariants: invariant i is recorded. counts: as for a prepared run.
RunDescription describe(const ResolvedRun& run, std::uint32_t invariants, const std::vector<std::int64_t>& counts);

}  // namespace polhode

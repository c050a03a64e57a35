// The report of a run.
#pragma once

#include "integration/prepare.hpp"
#include "polhode/core/report.hpp"

namespace polhode {

/// Report of a run that has taken no step.
RunReport start_report(const PreparedRun& prepared);

/// Report of the trajectories that a sink has. first: index in the run of the trajectory that the sink counts as 0.
/// Endings, drifts, round-off and missed crossings are reported only of a complete run.
RunReport make_report(const PreparedRun& prepared, const IntegrationReport& done, const Sink& sink, std::int64_t first);

/// First step at which invariants are compared with their initial values.
std::int64_t first_compared(const RunSpec& spec);
/// Last step of a run at which a longer run compares invariants, too; 0 if there is none. A comparison after it is made
/// only because the run ends.
std::int64_t last_regular_comparison(const RunSpec& spec);
/// Whether the drifts before the comparison at the end of a run are kept apart, for a longer run to go on from. Bit i
/// of invariants: invariant i is recorded.
bool keeps_earlier_drift(const RunSpec& spec, std::uint32_t invariants);

}  // namespace polhode

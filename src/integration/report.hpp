// The report of a run.
#pragma once

#include "integration/prepare.hpp"
#include "polhode/core/report.hpp"

namespace polhode {

/// Report of a run that has taken no step.
RunReport start_report(const PreparedRun& prepared);

/// first: the ensemble's trajectory that is the sink's first. Endings and drifts only of a run that is complete.
RunReport make_report(const PreparedRun& prepared, const IntegrationReport& done, const Sink& sink, std::int64_t first);

/// The step after which invariants are first compared with their initial values.
std::int64_t first_compared(const RunSpec& spec);
/// The last step at which they are compared however long the run is; after it they are at the end of the run.
std::int64_t last_regular_comparison(const RunSpec& spec);
/// Whether the drifts without the comparison at the end of a run are kept apart, for a longer run to go on from.
bool keeps_earlier_drift(const RunSpec& spec, std::uint32_t invariants);

}  // namespace polhode

// The report of a run.
#pragma once

#include "integration/prepare.hpp"
#include "polhode/core/report.hpp"

namespace polhode {

/// Of a run that has taken no step.
RunReport start_report(const Prepared& prepared);

/// first: the ensemble's trajectory that is the sink's first. Endings and drifts only of a run that is complete.
RunReport make_report(const Prepared& prepared, const Integrated& done, const Sink& sink, std::int64_t first);

/// Drifts that no trajectory's invariants were compared for are NaN.
void forget_unknown_drifts(RunReport& report);

/// The step after which invariants are first compared with their initial values.
std::int64_t first_compared(const RunSpec& spec);

}  // namespace polhode

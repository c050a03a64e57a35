// The report of a run that was shared out.
#pragma once

#include "parallel/ranks.hpp"
#include "polhode/core/report.hpp"

namespace polhode {

/// Turns this rank's report into that of all ranks; the positions at which the run began and ended stay its own, and
/// missed is known on the first rank alone. Collective.
void reduce(RunReport& report, Ranks& ranks);

}  // namespace polhode

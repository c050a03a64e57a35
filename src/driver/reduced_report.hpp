// The report of a run that was shared out.
#pragma once

#include "parallel/ranks.hpp"
#include "polhode/core/report.hpp"

namespace polhode {

/// Turns this rank's report into that of all ranks, but for the positions at which its integration began and ended;
/// RunReport::missed is right on the first rank, and 0 on the others. Collective.
void reduce(RunReport& report, Ranks& ranks);

}  // namespace polhode

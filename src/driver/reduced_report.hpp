// The report of a run that was shared out.
#pragma once

#include "parallel/ranks.hpp"
#include "polhode/core/report.hpp"

namespace polhode {

/// Makes the report of a rank that of all ranks, but for the positions at which it began and ended, which are its own.
/// Collective.
void reduce(RunReport& report, Ranks& ranks);

}  // namespace polhode

// The report of a run that was shared out.
#pragma once

#include "parallel/ranks.hpp"
#include "polhode/core/report.hpp"

namespace polhode {

/// Makes a rank's report that of all of them; where they began and ended is each rank's own.
void reduce(RunReport& report, Ranks& ranks);

}  // namespace polhode

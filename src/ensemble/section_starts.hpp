// Starts on a section, over points of a plane.
#pragma once

#include "ensemble/initial.hpp"

namespace polhode {

InitialStates make_section_starts(const ResolvedRun& run, const SectionStarts& starts, const StartsProgress& progress);
InitialStates make_section_starts(const ResolvedRun& run, const LineStarts& starts, const StartsProgress& progress);

}  // namespace polhode

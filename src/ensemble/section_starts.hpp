// Starts on a section, over points of a plane.
#pragma once

#include "ensemble/initial.hpp"

namespace polhode {

InitialStates make_section_starts(const ResolvedRun& run, const SectionStarts& starts);
InitialStates make_section_starts(const ResolvedRun& run, const LineStarts& starts);

}  // namespace polhode

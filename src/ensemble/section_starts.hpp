// Starts on a section, over points of a plane.
#pragma once

#include "ensemble/initial.hpp"

namespace polhode {

/// The starts over this process's share of the points of the plane, and the counts of these points (point_counts.hpp).
/// Throws InputError where the plane cannot be made (section_plane.hpp), or the starts do not fit into memory; and what
/// `progress` throws.
InitialStates make_section_starts(const ResolvedRun& run, const SectionStarts& starts, const StartsProgress& progress,
                                  const ProcessShare& share);
InitialStates make_section_starts(const ResolvedRun& run, const LineStarts& starts, const StartsProgress& progress,
                                  const ProcessShare& share);

/// Likely lower bound on the number of starts of all processes together: half of what a sample of the points shows; 0
/// where the points are few. Throws InputError where the plane cannot be made, or so many starts do not fit into
/// memory.
std::int64_t least_count(const ResolvedRun& run, const SectionStarts& starts, const ProcessShare& share);
std::int64_t least_count(const ResolvedRun& run, const LineStarts& starts, const ProcessShare& share);

/// Remarks on the starts over all points of the plane. counts: counts of these points, summed over all processes.
/// Throws InputError where no point has a start.
std::vector<std::string> section_remarks(const ResolvedRun& run, const SectionStarts& starts,
                                         const PointCounts& counts);
std::vector<std::string> section_remarks(const ResolvedRun& run, const LineStarts& starts, const PointCounts& counts);

}  // namespace polhode

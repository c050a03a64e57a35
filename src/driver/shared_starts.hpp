// Starts that ranks share: each makes and examines a part of them, and then takes over those of the slices that it
// integrates. Starts that are drawn are on no rank.
#pragma once

#include <cstdint>
#include <vector>

#include "driver/shares.hpp"
#include "ensemble/initial.hpp"
#include "parallel/ranks.hpp"
#include "spec/resolved_run.hpp"

namespace polhode {

/// Share of this rank in the starts that all ranks make and examine together.
ProcessShare share_of_starts(const Ranks& ranks);

// Collective; what these give is the same on all ranks, where nothing else is said.

/// Sets the place of this rank's starts in the ensemble, and adds up `initial.points` over all ranks.
void gather_parts(InitialStates& initial, Ranks& ranks);
/// Joins the findings of all ranks about the starts that they have made.
void reduce(StartFindings& findings, Ranks& ranks);
/// Fingerprint of the starts for the identity of a run, once all starts are examined.
StartsFingerprint fingerprint(const Starts& starts, Ranks& ranks);
/// Sample of at most `count` starts, evenly spaced in the ensemble: [k][dim], whole on the first rank only.
std::vector<double> sample_of(const Starts& starts, std::int64_t count, Ranks& ranks);
/// Gives each rank the starts of the trajectories that it integrates, in place of those that it has made.
void redistribute(Starts& starts, const ShareOfEnsemble& share, Ranks& ranks);

}  // namespace polhode

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

ProcessShare share_of_starts(const Ranks& ranks);

// Collective; the same on all ranks, unless it says otherwise.

/// Tells parts that have been made their places in the ensemble, and adds the points of all.
void gather_parts(InitialStates& initial, Ranks& ranks);
/// Joins what the ranks have found in their shares.
void reduce(StartFindings& findings, Ranks& ranks);
/// The starts that an identity names, once all are examined.
StartsFingerprint fingerprint(const Starts& starts, Ranks& ranks);
/// Sample of at most so many starts, evenly from the ensemble: [count][dim], on the first rank.
std::vector<double> sample_of(const Starts& starts, std::int64_t count, Ranks& ranks);
/// Gives each rank the starts of its trajectories in place of those that it has made.
void redistribute(Starts& starts, const ShareOfEnsemble& share, Ranks& ranks);

}  // namespace polhode

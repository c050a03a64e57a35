#include "driver/reduced_report.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

namespace polhode {
namespace {

/// Ending of the trajectories of all ranks, whose shares follow one another. share: ending of this rank's trajectories.
/// Collective.
Ending joined(const Ending& share, Ranks& ranks) {
  const std::vector<std::int64_t> counts = ranks.gather(share.count), firsts = ranks.gather(share.first),
                                  steps = ranks.gather(share.step);
  Ending all;
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    if (all.count == 0) all = {0, firsts[rank], steps[rank]};
    all.count += counts[rank];
  }
  return all;
}

/// Change that is the largest over all ranks, and the first trajectory that has it. share: change of this rank's
/// trajectories. Collective.
RunReport::Change joined(const RunReport::Change& share, Ranks& ranks) {
  double largest = share.trajectory < 0 ? -1 : share.largest;  // less than any change
  ranks.take_largest(std::span(&largest, 1));
  if (largest < 0) return {};
  const bool has_it = share.trajectory >= 0 && share.largest == largest;
  return {largest,
          std::ranges::min(ranks.gather(has_it ? share.trajectory : std::numeric_limits<std::int64_t>::max()))};
}

}  // namespace

void reduce(RunReport& report, Ranks& ranks) {
  IntegrationReport& done = report.done;
  std::int64_t sums[] = {report.unknown, done.steps,       done.points,
                         done.unrefined, report.round_off, report.with_round_off};
  ranks.add(sums);
  report.unknown = sums[0];
  done.steps = sums[1];
  done.points = sums[2];
  done.unrefined = sums[3];
  report.round_off = sums[4];
  report.with_round_off = sums[5];
  const std::vector<double> missed = ranks.collect(std::span(&report.missed, 1));
  report.missed = std::accumulate(missed.begin(), missed.end(), 0.0);
  ranks.add(done.counts);
  ranks.take_largest(std::span(&done.seconds, 1));
  for (RunReport::Drift& drift : report.drifts) {
    static_cast<RunReport::Change&>(drift) = joined(drift, ranks);
    drift.early = joined(drift.early, ranks);
  }
  for (Ending& ending : report.endings) ending = joined(ending, ranks);
}

}  // namespace polhode

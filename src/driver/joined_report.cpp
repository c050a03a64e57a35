#include "driver/joined_report.hpp"

#include <numeric>

#include "integration/report.hpp"

namespace polhode {
namespace {

/// Of all ranks, whose shares follow one another.
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

}  // namespace

void join(RunReport& report, Ranks& ranks) {
  Integrated& done = report.done;
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
  for (RunReport::Drift& drift : report.drifts) ranks.take_largest(std::span(&drift.largest, 1));
  for (Ending& ending : report.endings) ending = joined(ending, ranks);
  forget_unknown_drifts(report);
}

}  // namespace polhode

#include "driver/shared_starts.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include "checksum.hpp"
#include "parallel/part_of_all.hpp"

namespace polhode {
namespace {

void reduce(StartFindings::Largest& largest, Ranks& ranks) {
  double value = largest.value;
  ranks.take_largest(std::span(&value, 1));
  const std::int64_t none = std::numeric_limits<std::int64_t>::max();
  largest = {value, std::ranges::min(ranks.gather(largest.value == value ? largest.trajectory : none))};
}

}  // namespace

ProcessShare share_of_starts(const Ranks& ranks) {
  return {.index = ranks.rank(), .of = ranks.size(), .on_machine = ranks.number_on_machine()};
}

void gather_parts(InitialStates& initial, Ranks& ranks) {
  Starts& starts = initial.starts;
  const PartOfAll part = part_of_all(starts.count_held(), ranks);
  if (!starts.are_drawn()) starts.place(part.before, part.all);
  ranks.add(initial.points.on);
  ranks.add(std::span(&initial.points.other_way, 1));
  ranks.add(std::span(&initial.points.off_section, 1));
}

void reduce(StartFindings& findings, Ranks& ranks) {
  reduce(findings.position, ranks);
  reduce(findings.momentum, ranks);
  reduce(findings.doubtful, ranks);
  reduce(findings.reach, ranks);
  ranks.add(std::span(&findings.tangent, 1));
  for (const std::int64_t invariants : ranks.gather(findings.invariants))
    findings.invariants &= static_cast<std::uint32_t>(invariants);
}

StartsFingerprint fingerprint(const Starts& starts, Ranks& ranks) {
  if (starts.are_drawn()) {  // a few, which tell programs apart that draw in other ways
    constexpr std::int64_t few = 256;
    const std::int64_t count = std::min(starts.count(), few);
    std::vector<double> rows(count * starts.dim());
    starts.copy_rows(0, count, 1, rows.data());
    return {count, checksum(rows)};
  }
  // The checksum of all starts: each rank goes on from that of the ranks before it.
  Checksum sum;
  for (int rank = 0; rank < ranks.size(); ++rank) {
    if (rank == ranks.rank()) sum.add(std::as_bytes(std::span(starts.held())));
    sum = Checksum(static_cast<std::uint64_t>(ranks.gather(static_cast<std::int64_t>(sum.value()))[rank]));
  }
  return {starts.count(), sum.value()};
}

std::vector<double> sample_of(const Starts& starts, std::int64_t count, Ranks& ranks) {
  std::vector<double> own = sample_of(starts, count);
  return starts.are_drawn() ? own : ranks.collect(own);
}

void redistribute(Starts& starts, const ShareOfEnsemble& share, Ranks& ranks) {
  if (ranks.size() == 1 || starts.are_drawn()) return;
  const std::int64_t dim = starts.dim();
  starts.hold(share.first, ranks.exchange(starts.held(), share.first * dim, share.count * dim));
}

}  // namespace polhode

#include "crosscheck/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "accuracy/distances.hpp"
#include "polhode/method/status.hpp"

namespace polhode {
namespace {

/// Limit to the relative distance that a check may allow: nothing is compared where more would be allowed, and no two
/// section points at one time of one trajectory are farther apart.
constexpr double too_far = 0.01;

bool has_status(const Batch& batch, std::int64_t k, Status status) {
  return batch.code[k] == static_cast<std::uint8_t>(status);
}
bool is_ok(const Batch& batch, std::int64_t k) { return has_status(batch, k, Status::ok); }
/// Whether trajectory k has ended early with a result: by an event, or by leaving an open domain.
bool has_ended(const Batch& batch, std::int64_t k, const SystemEntry& system) {
  return !is_ok(batch, k) && is_result(static_cast<Status>(batch.code[k]), system.open);
}

std::string describe(const Difference& at, const SystemEntry& system) {
  const std::string where = fmt::format("trajectory {}, step {}", at.trajectory, at.step);
  if (at.column < 0) return fmt::format("first difference: {}, in a status or an invariant", where);
  return fmt::format("first difference: {}, {}: {:.17g} and {:.17g}, {} ulps apart", where,
                     system.observables[at.column].name, at.a, at.b, at.ulps);
}

/// End of a trajectory in words, e.g. "event after step 120".
std::string end_of(const Batch& batch, std::int64_t k) {
  const char* const end = has_status(batch, k, Status::event)         ? "event"
                          : has_status(batch, k, Status::left_domain) ? "left the domain"
                                                                      : "none";
  return fmt::format("{} after step {}", end, batch.steps[k]);
}

std::string describe(const PointDifference& at, const SystemEntry& system) {
  using Kind = PointDifference::Kind;
  const std::string where = fmt::format(
      "the states are equal, but not the section points. First difference: trajectory {}, crossing {}, "
      "step {}",
      at.trajectory, at.crossing, at.step);
  if (at.kind == Kind::only_in_a) return where + ": only the latter has it";  // the subject is "b against a"
  if (at.kind == Kind::only_in_b) return where + ": only the former has it";
  return fmt::format("{}, {}: {:.17g} and {:.17g}, {} ulps apart", where,
                     at.column < 0 ? "fraction of the step" : system.observables[at.column].name, at.a, at.b, at.ulps);
}

/// Number of recorded times, from the start on without a gap, at which trajectory k goes on in both recordings and its
/// states in them are at a distance below `limit`.
std::size_t times_together(const Pair& pair, const Distances& distances, std::int64_t k, double limit) {
  std::size_t t = 0;
  for (; t < pair.of_a.steps.size(); ++t) {
    const Batch &a = pair.of_a.states[t], &b = pair.of_b.states[t];
    if (!is_ok(a, k) || !is_ok(b, k) || !(distances(a, b, k) < limit)) break;
  }
  return t;
}

}  // namespace

Finding check_bits(const Pair& pair) {
  Finding finding{.subject = pair.subject, .promise = "bits"};
  const std::int64_t steps = pair.of_a.steps.back();
  Difference at;
  bool equal = true;
  for (std::size_t t = 0; equal && t < pair.of_a.steps.size(); ++t)
    equal = !find_difference(pair.of_a.states[t], pair.of_b.states[t], pair.of_a.steps[t], at);
  if (!equal) {
    find_first_difference(pair.a, pair.b, pair.of_a.states.front(), steps, at);
    finding.verdict = Verdict::broken;
    finding.text = describe(at, pair.system);
    finding.figures = {{"trajectory", static_cast<double>(at.trajectory)},
                       {"step", static_cast<double>(at.step)},
                       {"column", at.column},
                       {"ulps", static_cast<double>(at.ulps)}};
  } else if (PointDifference point; find_difference(pair.of_a.section, pair.of_b.section, point)) {
    finding.verdict = Verdict::broken;
    finding.text = describe(point, pair.system);
    finding.figures = {{"trajectory", static_cast<double>(point.trajectory)},
                       {"crossing", static_cast<double>(point.crossing)},
                       {"step", static_cast<double>(point.step)},
                       {"column", point.column},
                       {"ulps", static_cast<double>(point.ulps)}};
  } else if (!have_steps(pair.of_a, pair.of_b)) {
    finding.verdict = Verdict::skipped;
    finding.text = "no trajectory completed a step";
  } else {
    finding.text = fmt::format("equal bits at {} times, in {} section points, statuses and invariants",
                               pair.of_a.steps.size(), pair.of_a.section.size());
  }
  return finding;
}

Finding check_statuses(const Pair& pair) {
  // So small that a distance, even grown a thousandfold by the next recorded time, hardly decides whether a trajectory
  // grazes the section.
  constexpr double apart = 1e-9;
  const Batch &a = pair.of_a.states.back(), &b = pair.of_b.states.back();
  const Distances distances(pair.system, pair.of_a.states);
  const auto is_failed = [&](const Batch& batch, std::int64_t k) {
    return !is_ok(batch, k) && !has_ended(batch, k, pair.system);
  };
  std::int64_t failed_a = 0, failed_b = 0, failed_in_one = 0, ended_a = 0, ended_b = 0, events = 0, broken = 0,
               first = -1;
  for (std::int64_t k = 0; k < a.n; ++k) {
    failed_a += is_failed(a, k);
    failed_b += is_failed(b, k);
    failed_in_one += is_failed(a, k) != is_failed(b, k);
    ended_a += has_ended(a, k, pair.system);
    ended_b += has_ended(b, k, pair.system);
    if (is_failed(a, k) || is_failed(b, k) || !(has_ended(a, k, pair.system) || has_ended(b, k, pair.system))) continue;
    const std::size_t t = times_together(pair, distances, k, apart);
    if (t == pair.of_a.steps.size() ||
        !(has_ended(pair.of_a.states[t], k, pair.system) || has_ended(pair.of_b.states[t], k, pair.system)))
      continue;  // the two had parted before
    ++events;
    // A crossing at the end of a step may be at the beginning of the next one of the other.
    if (has_ended(a, k, pair.system) && has_ended(b, k, pair.system) && std::abs(a.steps[k] - b.steps[k]) <= 1)
      continue;
    if (++broken == 1) first = k;
  }
  Finding finding{.subject = pair.subject, .promise = "statuses"};
  finding.verdict = broken > 0 ? Verdict::broken : failed_in_one > 0 ? Verdict::skipped : Verdict::kept;
  finding.text =
      fmt::format("{} and {} of {} trajectories failed{}", failed_b, failed_a, a.n,
                  failed_in_one == 0 ? "" : ", not the same ones: their iterations have limits of their own");
  if (ended_a + ended_b > 0)
    finding.text +=
        fmt::format("; {} and {} ended with their event{}, {} of {} that can be compared at the same step", ended_b,
                    ended_a, pair.system.open ? " or left the domain" : "", events - broken, events);
  if (broken > 0)
    finding.text +=
        fmt::format("; the first that did not: trajectory {}, {} and {}", first, end_of(b, first), end_of(a, first));
  finding.figures = {{"failed_a", static_cast<double>(failed_a)},
                     {"failed_b", static_cast<double>(failed_b)},
                     {"others", static_cast<double>(failed_in_one)},
                     {"events", static_cast<double>(events)},
                     {"other_events", static_cast<double>(broken)}};
  return finding;
}

Finding check_step(const Pair& pair, const StepBound& bound) {
  constexpr double roundings = 32;  // of a position
  const Distances distances(pair.system, pair.of_a.states);
  double worst = 0, largest = 0;
  std::int64_t compared = 0;
  Batch x, y;
  for (std::size_t t = 0; t + 1 < pair.of_a.steps.size(); ++t) {
    const std::int64_t step = pair.of_a.steps[t];
    const Batch& start = pair.of_a.states[t];
    pair.a.load(start);
    pair.b.load(start);
    pair.a.advance({step, 1});
    pair.b.advance({step, 1});
    pair.a.store(x);
    pair.b.store(y);
    for (std::int64_t k = 0; k < x.n; ++k) {
      if (!is_ok(x, k) || !is_ok(y, k)) continue;
      const double apart = distances(x, y, k);
      const int positions = distances.parts().front().size;
      const double moved = std::max(length(start, x, k, 0, positions), length(start, y, k, 0, positions));
      const double of_position = roundings * bound.epsilon * distances.scale(k, 0);
      // In a trajectory at rest the momenta may be round-off, of which nothing can be said.
      const double of_rest = apart > 0 ? std::numeric_limits<double>::infinity() : 0;
      const double allowed = bound.allowed + (moved > 0 ? of_position / moved : of_rest);
      largest = std::max(largest, apart);  // also where no more can be said: trajectories diverge by it, too
      if (!(allowed < too_far)) continue;
      ++compared;
      if (apart > 0) worst = std::max(worst, apart / allowed);
    }
  }
  Finding finding{.subject = pair.subject, .promise = "step"};
  finding.verdict = compared == 0 ? Verdict::skipped : worst <= 1 ? Verdict::kept : Verdict::broken;
  finding.text =
      compared == 0
          ? std::string("no step could be compared: all trajectories have failed, or moved by no more than round-off")
          : fmt::format("a step from common states: {:.1e} apart at most, {:.2g} of what is allowed", largest, worst);
  finding.figures = {{"largest", largest}, {"of_allowed", worst}, {"compared", static_cast<double>(compared)}};
  return finding;
}

Growth growth_of(const SystemEntry& system, const Recording& recording, const Recording& near) {
  constexpr double small = 1e-4;
  const Distances distances(system, recording.states);
  const std::int64_t n = recording.states[0].n;
  Growth growth;
  for (std::size_t t = 0; t < recording.steps.size(); ++t) {
    auto& row = growth.emplace_back(n);
    for (std::int64_t k = 0; k < n; ++k) {
      const double first = distances(recording.states[0], near.states[0], k);
      const double now = distances(recording.states[t], near.states[t], k);
      const bool is_linear = first > 0 && now < small && (t == 0 || std::isfinite(growth[t - 1][k])) &&
                             is_ok(recording.states[t], k) && is_ok(near.states[t], k);
      row[k] = is_linear ? now / first : std::numeric_limits<double>::infinity();
    }
  }
  return growth;
}

Finding check_trajectories(const Pair& pair, const Growth& growth, double step_difference) {
  constexpr double direction_allowance = 10;
  const Distances distances(pair.system, pair.of_a.states);
  Finding finding{.subject = pair.subject, .promise = "trajectories"};
  // Also where single steps happened to agree.
  const double in_one_step = std::max(step_difference, std::numeric_limits<double>::epsilon());
  double worst = 0, largest = 0, most_growth = 0;
  std::int64_t judged = 0;
  for (std::int64_t k = 0; k < pair.of_a.states[0].n; ++k) {
    double most = 1;  // growth so far
    for (std::size_t t = 1; t < pair.of_a.steps.size(); ++t) {
      if (!is_ok(pair.of_a.states[t], k) || !is_ok(pair.of_b.states[t], k)) break;
      most = std::max(most, growth[t][k]);
      const double expected = direction_allowance * most * in_one_step * static_cast<double>(pair.of_a.steps[t]);
      if (!(expected < too_far)) break;
      ++judged;
      const double apart = distances(pair.of_a.states[t], pair.of_b.states[t], k);
      largest = std::max(largest, apart);
      most_growth = std::max(most_growth, most);
      worst = std::max(worst, apart / expected);
    }
  }
  finding.verdict = judged == 0 ? Verdict::skipped : worst <= 1 ? Verdict::kept : Verdict::broken;
  finding.text = judged == 0 ? std::string("trajectories: all fail, or part too fast, before they can be compared")
                             : fmt::format(
                                   "trajectories: {:.1e} apart at most, {:.2g} of what the motion's own growth (up to "
                                   "{:.1e}) allows",
                                   largest, worst, most_growth);
  finding.figures = {
      {"largest", largest}, {"of_allowed", worst}, {"growth", most_growth}, {"judged", static_cast<double>(judged)}};
  return finding;
}

Finding check_section(const Pair& pair) {
  constexpr double parted = 1e-6;
  const SectionPoints &a = pair.of_a.section, &b = pair.of_b.section;
  const std::int64_t n = pair.of_a.states[0].n;
  const Distances distances(pair.system, pair.of_a.states);
  // The last recorded step up to which a trajectory is the same one in both recordings.
  std::vector<std::int64_t> together(n);
  for (std::int64_t k = 0; k < n; ++k) {
    const std::size_t t = times_together(pair, distances, k, parted);
    if (t > 0) together[k] = pair.of_a.steps[t - 1];
    // Where both have ended on their section since then, that crossing counts, too.
    if (t > 0 && t < pair.of_a.steps.size() && has_ended(pair.of_a.states[t], k, pair.system) &&
        has_ended(pair.of_b.states[t], k, pair.system))
      together[k] = pair.of_a.steps[t];
  }
  std::int64_t matched = 0, unmatched = 0, i = 0, j = 0;
  double largest = 0;
  const auto counts = [&](const SectionPoints& points, std::int64_t at) {
    return points.step[at] < together[points.trajectory[at]];
  };
  while (i < a.size() || j < b.size()) {
    const bool has_a = i < a.size(), has_b = j < b.size();
    const bool same = has_a && has_b && a.trajectory[i] == b.trajectory[j] &&
                      // A point at the end of a step may be at the beginning of the next one of the other.
                      std::abs(static_cast<double>(a.step[i] - b.step[j]) + a.theta[i] - b.theta[j]) < 1e-3;
    if (same) {
      if (counts(a, i)) {
        ++matched;
        largest = std::max(largest, distances(&a.state[i * a.dim], &b.state[j * b.dim], a.trajectory[i]));
      }
      ++i;
      ++j;
    } else if (!has_b || (has_a && std::pair(a.trajectory[i], a.step[i]) <= std::pair(b.trajectory[j], b.step[j]))) {
      unmatched += counts(a, i++);
    } else {
      unmatched += counts(b, j++);
    }
  }
  return {.subject = pair.subject,
          .promise = "section",
          .verdict = unmatched > 0 || largest > too_far ? Verdict::broken
                     : matched == 0                     ? Verdict::skipped
                                                        : Verdict::kept,
          .text = fmt::format("section: {} points match one to one, {} do not; {:.1e} apart at most", matched,
                              unmatched, largest),
          .figures = {{"matched", static_cast<double>(matched)},
                      {"unmatched", static_cast<double>(unmatched)},
                      {"largest", largest}}};
}

}  // namespace polhode

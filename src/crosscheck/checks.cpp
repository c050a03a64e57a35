#include "crosscheck/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polhode/method/status.hpp"

namespace polhode {
namespace {

bool is_ok(const Batch& batch, std::int64_t k) { return batch.code[k] == static_cast<std::uint8_t>(Status::ok); }

double largest_distance(const SystemEntry& system, const Batch& a, const Batch& b) {
  double largest = 0;
  for (std::int64_t k = 0; k < a.n; ++k)
    if (is_ok(a, k) && is_ok(b, k)) largest = std::max(largest, distance(system, a, b, k));
  return largest;
}

std::string describe(const Difference& at, const SystemEntry& system) {
  const std::string where = fmt::format("trajectory {}, step {}", at.trajectory, at.step);
  if (at.column < 0) return fmt::format("first difference: {}, in a status or an invariant", where);
  return fmt::format("first difference: {}, {}: {:.17g} and {:.17g}, {} ulps apart", where,
                     system.observables[at.column].name, at.a, at.b, at.ulps);
}

}  // namespace

double distance(const SystemEntry& system, const Batch& a, const Batch& b, std::int64_t k) {
  const int size = system.prepare_velocities ? a.dim / 2 : a.dim;
  double largest = 0;
  for (int first = 0; first < a.dim; first += size) {
    double difference = 0, length = 0;
    for (int i = first; i < first + size; ++i) {
      const double x = a.state[i * a.n + k], y = b.state[i * a.n + k];
      difference += (x - y) * (x - y);
      length += y * y;
    }
    if (difference > 0) largest = std::max(largest, std::sqrt(difference / length));
  }
  return largest;
}

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
  } else if (!same_bits(pair.of_a.section, pair.of_b.section)) {
    finding.verdict = Verdict::broken;
    finding.text = "the states are equal, but not the section points";
  } else {
    finding.text = fmt::format("equal bits at {} times, in {} section points, statuses and invariants",
                               pair.of_a.steps.size(), pair.of_a.section.size());
  }
  return finding;
}

Finding check_step(const Pair& pair, double allowed) {
  double worst = 0;
  Batch x, y;
  for (std::size_t t = 0; t + 1 < pair.of_a.steps.size(); ++t) {
    const std::int64_t step = pair.of_a.steps[t];
    pair.a.load(pair.of_a.states[t]);
    pair.b.load(pair.of_a.states[t]);
    pair.a.advance({step, 1});
    pair.b.advance({step, 1});
    pair.a.store(x);
    pair.b.store(y);
    worst = std::max(worst, largest_distance(pair.system, x, y));
  }
  return {.subject = pair.subject,
          .promise = "step",
          .verdict = worst <= allowed ? Verdict::kept : Verdict::broken,
          .text = fmt::format("a step from common states: {:.1e} apart at most ({:.0e} allowed)", worst, allowed),
          .figures = {{"largest", worst}, {"allowed", allowed}}};
}

Growth growth_of(const SystemEntry& system, const Recording& recording, const Recording& near) {
  Growth growth;
  for (std::size_t t = 0; t < recording.steps.size(); ++t) {
    auto& row = growth.emplace_back(recording.states[t].n);
    for (std::int64_t k = 0; k < recording.states[t].n; ++k)
      row[k] = distance(system, recording.states[t], near.states[t], k) /
               distance(system, recording.states[0], near.states[0], k);
  }
  return growth;
}

Finding check_trajectories(const Pair& pair, const Growth& growth, double step_difference) {
  constexpr double direction_allowance = 10, judged_below = 0.01;
  Finding finding{.subject = pair.subject, .promise = "trajectories"};
  double worst = 0, largest = 0, most_growth = 0;
  std::int64_t judged = 0, all = 0;
  for (std::int64_t k = 0; k < pair.of_a.states[0].n; ++k) {
    double most = 1;  // growth so far
    for (std::size_t t = 1; t < pair.of_a.steps.size(); ++t) {
      if (!is_ok(pair.of_a.states[t], k) || !is_ok(pair.of_b.states[t], k)) break;
      ++all;
      most = std::max(most, growth[t][k]);
      const double expected = direction_allowance * most * step_difference * static_cast<double>(pair.of_a.steps[t]);
      if (!(expected < judged_below)) break;
      ++judged;
      const double apart = distance(pair.system, pair.of_a.states[t], pair.of_b.states[t], k);
      largest = std::max(largest, apart);
      most_growth = std::max(most_growth, most);
      if (expected > 0) worst = std::max(worst, apart / expected);
    }
  }
  finding.verdict = judged == 0 ? Verdict::skipped : worst <= 1 ? Verdict::kept : Verdict::broken;
  finding.text =
      judged == 0
          ? std::string("trajectories: the motion parts too fast to compare them")
          : fmt::format(
                "trajectories: {:.1e} apart at most, {:.2g} of what the motion's own growth (up to {:.1e}) allows",
                largest, worst, most_growth);
  finding.figures = {{"largest", largest},
                     {"of_allowed", worst},
                     {"growth", most_growth},
                     {"judged", static_cast<double>(judged)},
                     {"compared", static_cast<double>(all)}};
  return finding;
}

Finding check_section(const Pair& pair) {
  constexpr double parted = 1e-6;
  const SectionPoints &a = pair.of_a.section, &b = pair.of_b.section;
  const std::int64_t n = pair.of_a.states[0].n;
  // The last recorded step up to which a trajectory is the same one.
  std::vector<std::int64_t> together(n);
  for (std::int64_t k = 0; k < n; ++k)
    for (std::size_t t = 0; t < pair.of_a.steps.size(); ++t) {
      if (!(distance(pair.system, pair.of_a.states[t], pair.of_b.states[t], k) < parted)) break;
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
        double difference = 0, length = 0;
        for (int c = 0; c < a.dim; ++c) {
          const double x = a.state[i * a.dim + c], y = b.state[j * a.dim + c];
          difference += (x - y) * (x - y);
          length += y * y;
        }
        if (difference > 0) largest = std::max(largest, std::sqrt(difference / length));
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
          .verdict = unmatched == 0 ? Verdict::kept : Verdict::broken,
          .text = fmt::format("section: {} points match one to one, {} do not; {:.1e} apart at most", matched,
                              unmatched, largest),
          .figures = {{"matched", static_cast<double>(matched)},
                      {"unmatched", static_cast<double>(unmatched)},
                      {"largest", largest}}};
}

}  // namespace polhode

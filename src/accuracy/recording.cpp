#include "accuracy/recording.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace polhode {
namespace {

/// Points ordered by trajectory and time, without those whose theta is not finite: jumps of angles are no crossings.
SectionPoints in_order(const SectionPoints& points) {
  std::vector<std::int64_t> order;
  for (std::int64_t k = 0; k < points.size(); ++k)
    if (std::isfinite(points.theta[k])) order.push_back(k);
  std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return std::tuple(points.trajectory[a], points.step[a], points.theta[a]) <
           std::tuple(points.trajectory[b], points.step[b], points.theta[b]);
  });
  return points.reordered(order);
}

}  // namespace

std::vector<std::int64_t> evenly_spaced_steps(std::int64_t steps, std::int64_t parts) {
  std::vector<std::int64_t> at{0};
  for (std::int64_t i = 1; i <= parts; ++i)
    if (const std::int64_t step = i * steps / parts; step > at.back()) at.push_back(step);
  return at;
}

Advance::Advance(Backend& backend, std::int64_t steps)
    : backend_(backend), length_({.steps = steps, .isa = {}}, RunPlan{}, {}) {}

void Advance::operator()(std::int64_t from, std::int64_t to, SectionPoints& section, const Reached& reached) {
  while (from < to) {
    const CompletedSegment taken = advance_next(backend_, length_, from, to - from);
    from += taken.segment.count;
    for (const SectionPoints& list : taken.result->section) section.append(list);
    if (reached) reached(from);
  }
}

Recording record(Backend& backend, const Batch& start, const std::vector<std::int64_t>& steps, const Reached& reached) {
  Recording recording;
  recording.steps = steps;
  SectionPoints section;
  Advance advance(backend, steps.back());
  backend.load(start);
  for (std::size_t k = 0; k < steps.size(); ++k) {
    if (k > 0) advance(steps[k - 1], steps[k], section, reached);
    backend.store(recording.states.emplace_back());
  }
  recording.section = in_order(section);
  return recording;
}

}  // namespace polhode

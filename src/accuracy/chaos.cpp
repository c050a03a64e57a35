#include "accuracy/chaos.hpp"

#include <algorithm>
#include <vector>

#include "accuracy/distances.hpp"
#include "accuracy/recording.hpp"

namespace polhode {
namespace {

constexpr double displacement = 1e-8;
constexpr double most_growth_as_time_doubles = 20;
constexpr double most_growth = 1e6;
/// Largest number of instants, besides the start, at which the distance of an orbit from its neighbour is measured.
constexpr std::int64_t samples = 256;

/// Starts [n][dim] with every column displaced, up or down, by 1e-8 times the scale in `distances` of the part of the
/// state that has the column.
std::vector<double> displaced(std::vector<double> starts, int dim, const Distances& distances) {
  const auto& parts = distances.parts();
  for (std::int64_t k = 0; k < std::ssize(starts) / dim; ++k)
    for (std::size_t part = 0; part < parts.size(); ++part)
      for (int i = parts[part].first; i < parts[part].first + parts[part].size; ++i)
        starts[k * dim + i] += (i % 3 == 1 ? -displacement : displacement) * distances.scale(k, part);
  return starts;
}

/// Whether an orbit is chaotic (chaos.hpp). apart: its distances from its neighbour at evenly spaced times, from the
/// start on.
bool is_chaotic(std::vector<double> apart) {
  for (std::size_t t = 1; t < apart.size(); ++t) apart[t] = std::max(apart[t], apart[t - 1]);
  const std::size_t last = apart.size() - 1;
  if (apart[last] > most_growth * apart[0]) return apart[0] > 0;
  for (std::size_t t = std::max<std::size_t>(1, last / 8); 2 * t <= last; ++t)
    if (apart[2 * t] > most_growth_as_time_doubles * apart[t]) return true;
  return false;
}

}  // namespace

std::int64_t count_chaotic(const Orbits& orbits, const MethodSpec& method, std::int64_t steps) {
  ResolvedRun run = orbits.run();
  run.spec.execution.precision = Precision::binary64;
  const auto solve = [&](const Orbits& some) {
    return some.solve(some.by(method, steps), evenly_spaced_steps(steps, samples));
  };
  const Solution solution = solve(Orbits(run, orbits.starts(), orbits.steps()));
  const std::vector<Batch>& states = solution.recording.states;
  const Distances distances(*run.system, states);
  const Solution beside = solve(Orbits(run, displaced(orbits.starts(), run.system->dim, distances), orbits.steps()));
  std::int64_t count = 0;
  for (std::int64_t k = 0; k < orbits.count(); ++k) {
    if (!solution.reached_end(k) || !beside.reached_end(k)) continue;
    std::vector<double> apart;
    for (std::size_t t = 0; t < states.size(); ++t)
      apart.push_back(distances(states[t], beside.recording.states[t], k));
    count += is_chaotic(std::move(apart));
  }
  return count;
}

}  // namespace polhode

#include "result/sizes.hpp"

#include <algorithm>
#include <cmath>

namespace polhode {

void for_each_shape(const RunDescription& run, double trajectories, double points,
                    const std::function<void(const Shape& shape, double element)>& f) {
  const auto whole = [](double count) { return static_cast<std::uint64_t>(std::min(std::ceil(count), 0x1p62)); };
  const std::uint64_t n = whole(trajectories), crossings = whole(points), dim = run.columns.size(),
                      kept = run.invariants.size();
  const auto times = [&](std::int64_t every) { return static_cast<std::uint64_t>(run.steps / every + 1); };

  const auto add = [&](const Shape& shape, double element = 8) { f(shape, element); };
  for (const ParameterValue& parameter : run.parameters) add({parameter.value.size()});
  add({dim});  // /column
  if (run.initial_states) add({n, dim});
  if (run.final_states) {
    add({n, dim});
    add({n});  // its time
  }
  add({n});     // /status/step
  add({n}, 1);  // /status/code
  if (kept > 0) {
    for (int i = 0; i < 2; ++i) add({kept});
    for (int i = 0; i < (run.earlier_every > 0 ? 3 : 2); ++i) add({n, kept});
  }
  if (run.section)
    for (int i = 0; i < 2; ++i) add({n});  // /section/count, /section/round_off
  if (run.section && run.section_points) {
    if (!run.section_columns.empty()) add({run.section_columns.size()});
    add({crossings, run.section_columns.empty() ? dim : run.section_columns.size()});
    for (int i = 0; i < 3; ++i) add({crossings});
  }
  if (run.density) {
    const auto u = static_cast<std::uint64_t>(run.density->bins[0]),
               v = static_cast<std::uint64_t>(run.density->bins[1]);
    add({u});
    add({v});
    add({u, v});
  }
  if (run.snapshots_every > 0) {
    const std::uint64_t all = times(run.snapshots_every);
    add({all});
    add({n, all, dim});
    if (kept > 0) add({n, all, kept});
  }
  if (const auto& statistics = run.statistics) {
    const std::uint64_t all = times(statistics->every), observables = statistics->observables.size();
    add({observables});
    for (int i = 0; i < 2; ++i) add({all});
    for (int i = 0; i < 4; ++i) add({all, observables});
    if (statistics->bins > 0) {
      add({all, observables, static_cast<std::uint64_t>(statistics->bins)});
      add({2});
      add({all, observables, 2});
    }
  }
}

double array_bytes(const RunDescription& run, double trajectories, double points) {
  double bytes = 0;
  for_each_shape(run, trajectories, points, [&](const Shape& shape, double element) {
    double elements = 1;
    for (const std::uint64_t size : shape) elements *= static_cast<double>(size);
    bytes += elements * element;
  });
  return bytes;
}

}  // namespace polhode

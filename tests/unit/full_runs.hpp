// Runs with a value for every key.
#pragma once

#include <utility>
#include <variant>
#include <vector>

#include "spec/resolved_run.hpp"

namespace polhode {

/// Run with everything that one may have.
inline ResolvedRun full_run(const EnsembleSpec& ensemble = GivenStarts{
                                .states = {.numbers = {1, 2, 3, 0, 0, 1}, .width = 6}}) {
  RunSpec spec;
  spec.system = {.name = "heavy-top", .parameters = {{"alpha", {0.44, 0.5, 1}}}};
  spec.method.name = "rattle";
  spec.method.step = 0.05;
  spec.ensemble = ensemble;
  spec.execution.steps = 10;
  spec.section.emplace().name = "gamma3";
  spec.density = DensitySpec{.axes = {"pi1", "pi2"}, .bins = {2, 2}, .range = {{{-1, 1}, {-1, 1}}}};
  spec.statistics = StatisticsSpec{.every = 5, .observables = {"pi1"}, .bins = 2, .range = {{-1, 1}}};
  return resolve(spec);
}

/// Run with the starts of reduced systems.
inline ResolvedRun resting_run() {
  RunSpec spec;
  spec.system = {.name = "double-spherical-pendulum-reduced",
                 .parameters = {{"m", {1, 2}}, {"l", {1, 0.8}}, {"g", {1}}, {"mu", {0.6}}}};
  spec.method.name = "gauss";
  spec.method.step = 0.05;
  spec.ensemble = RelativeEquilibriumStarts{.near = {}};
  spec.execution.steps = 10;
  return resolve(spec);
}

/// Runs with everything, one for each kind of starts.
inline std::vector<ResolvedRun> full_runs() {
  const std::vector<double> state{1, 2, 3, 0, 0, 1};
  const auto random = [](auto distribution) {
    RandomStarts starts;
    starts.count = 1;
    starts.distribution = std::move(distribution);
    return full_run(starts);
  };
  SectionStarts grid;
  grid.grid = {2, 2};
  grid.window = {{-1, 1}, {-1, 1}};
  grid.energy = 1;
  LineStarts line;
  line.ends = {.numbers = {0, 0, 1, 1}, .width = 2};
  line.count = 2;
  line.energy = 1;
  std::vector<ResolvedRun> runs{full_run(),
                                full_run(FileStarts{.path = "starts.h5"}),
                                full_run(grid),
                                full_run(line),
                                random(Microcanonical{.energy = 1, .momentum = 0.5, .angular_momentum = 0.5}),
                                random(Canonical{.temperature = 1}),
                                random(Cloud{.state = state, .width = state}),
                                random(RandomAttitudes{.state = state}),
                                resting_run()};
  // These go with other systems.
  runs[0].spec.system.header = "own.hpp";
  std::get<GivenStarts>(runs[0].spec.ensemble).mu = std::get<FileStarts>(runs[1].spec.ensemble).mu = 1;
  return runs;
}

}  // namespace polhode

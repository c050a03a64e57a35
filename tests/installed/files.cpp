// Runs into files from code, and starts that are read from one: what installed_test.py looks at.
#include "polhode/files/files.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

namespace {

polhode::RunSpec pendula() {
  polhode::RunSpec run;
  run.system.name = "spherical-pendulum";
  run.system.parameters["m"] = {1.0};
  run.system.parameters["l"] = {1.5};
  run.method.name = "rattle";
  run.method.step = 0.01;
  polhode::RandomStarts starts;
  starts.count = 500;
  starts.distribution = polhode::Canonical{.temperature = 0.7};
  run.ensemble = starts;
  run.execution.steps = 300;
  run.section.emplace().name = "q1x";
  run.section->where = "q1z < 0.5";
  run.record.snapshots = 100;
  return run;
}

/// Of 50 steps each, so that a run of 300 can be stopped after its first.
polhode::RunSpec in_segments(polhode::RunSpec run) {
  run.execution.segment = 50;
  return run;
}

}  // namespace

int main() {
  try {
    polhode::run_to_file(pendula(), "whole.h5", {.compression = 1});

    const auto until_begun = [](const polhode::RunProgress& now) { return now.steps == 0; };
    const polhode::RunSpec run = in_segments(pendula());
    const polhode::RunReport stopped = polhode::run_to_file(run, "resumed.h5", {}, until_begun);
    std::printf("stopped %d\n", !stopped.done.complete && stopped.done.end.step > 0);
    const polhode::RunReport resumed = polhode::run_to_file(run, "resumed.h5", {.resume = true});
    std::printf("resumed %d\n", resumed.done.complete && resumed.done.begin.step == stopped.done.end.step);
    try {
      polhode::run_to_file(run, "thrown.h5", {},
                           [](const polhode::RunProgress&) -> bool { throw std::logic_error("mine"); });
    } catch (const std::logic_error& error) {
      std::printf("thrown %s\n", error.what());
    }
    try {
      polhode::run_to_file(run, "whole.h5");
    } catch (const polhode::Error& error) {
      std::printf("refused %d %s\n", static_cast<int>(error.code()), error.what());
    }

    polhode::RunSpec shapeless = pendula();
    shapeless.ensemble = polhode::GivenStarts{.states = {.numbers = {1, 2, 3}, .width = 0}};
    try {
      polhode::run_to_file(shapeless, "shapeless.h5");
    } catch (const polhode::Error& error) {
      std::printf("shapeless %d\n", static_cast<int>(error.code()));
    }

    polhode::RunSpec further = pendula();
    further.ensemble =
        polhode::FileStarts{.path = "whole.h5", .dataset = "/final/state", .variables = polhode::Variables::momentum};
    const polhode::Result from_file = polhode::Ensemble(further, polhode::read_states).run();
    const std::vector<double> ends = polhode::read_states("whole.h5", "/final/state", 6);
    std::printf("read %d\n", std::ranges::equal(from_file.values<double>("/initial/state"), ends));
  } catch (const polhode::Error& error) {
    std::printf("failed %d %s\n", static_cast<int>(error.code()), error.what());
    return 1;
  }
}

// What a library says of specifications that cannot be run: each exit code and message on a line.
#include <cstdio>
#include <limits>
#include <vector>

#include "polhode/core/ensemble.hpp"

namespace {

using polhode::RunSpec;

RunSpec good() {
  RunSpec run;
  run.system.name = "heavy-top";
  run.system.parameters["alpha"] = {0.44, 0.5, 1.0};
  run.method.name = "rattle";
  run.method.step = 0.05;
  run.ensemble = polhode::GivenStarts{.states = {.numbers = {1, 0.5, -0.64, 0.6, 0, 0.8}, .width = 6}};
  run.execution.steps = 10;
  return run;
}

RunSpec with(void (*change)(RunSpec&)) {
  RunSpec run = good();
  change(run);
  return run;
}

/// In the order of installed_test.py.
const std::vector<RunSpec> bad{
    with([](RunSpec& run) { run.system.name = "heavy-tap"; }),
    with([](RunSpec& run) {
      run.system.parameters["alpha"] = {0.44, -0.5, 1.0};
    }),
    with([](RunSpec& run) { run.method.name = "verlet"; }),
    with([](RunSpec& run) { run.method.step = std::numeric_limits<double>::quiet_NaN(); }),
    with([](RunSpec& run) { run.execution.steps = 0; }),
    with([](RunSpec& run) { run.section.emplace().name = "gamma4"; }),
    with([](RunSpec& run) {
      run.ensemble = polhode::GivenStarts{.states = {.numbers = {1, 0, 0, 0, 0, 5}, .width = 6}};
    }),
    with([](RunSpec& run) {
      run.execution.backend = polhode::BackendChoice::reference;
      run.execution.precision = polhode::Precision::binary32;
    }),
    with([](RunSpec& run) { run.execution.backend = polhode::BackendChoice::cuda; }),
};

}  // namespace

int main() {
  for (const RunSpec& run : bad) {
    try {
      polhode::Ensemble ensemble(run);
      std::printf("0 nothing was refused\n");
    } catch (const polhode::Error& error) {
      std::printf("%d %s\n", static_cast<int>(error.code()), error.what());
    }
  }
}

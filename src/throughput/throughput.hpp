// Speed of a run: its time loop alone, whole runs from the starts to arrays in memory, and the limits of the hardware.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "polhode/core/read_states.hpp"
#include "polhode/core/run_spec.hpp"
#include "spec/resolved_run.hpp"
#include "throughput/limits.hpp"
#include "throughput/operations.hpp"

namespace polhode {

/// Median and quartiles over the repetitions.
struct Spread {
  double median = 0, lower = 0, upper = 0;  ///< lower, upper: the quartiles
};

/// Measurement of a run with some of its records, from the specification to arrays in memory.
struct WholeRun {
  std::string recorded;
  std::string problem;  ///< why it could not be measured; empty if it could
  Spread rate;          ///< steps a second of all trajectories together
  // Medians, in seconds: of the whole run, of what comes before its first step, and of its integration.
  double seconds = 0, starts = 0, integration = 0;
  int repetitions = 0;
  std::int64_t points = 0;  ///< section points that one run finds
  double bytes = 0;         ///< bytes of the arrays
};

struct Throughput {
  std::string backend;      ///< "cpu" or "cuda"
  std::string unavailable;  ///< why the backend is not measured; empty if it is
  std::string device, isa;
  int threads = 0;                           ///< threads of the CPU; 0 for a GPU
  std::int64_t trajectories = 0, steps = 0;  ///< numbers of trajectories, and of steps of each, in a whole run
  int repetitions = 0;
  double fmas = 0;                     ///< fmas a second that the hardware allows, lane by lane; NaN if unknown
  std::optional<CpuLimits> measured;   ///< limits of the CPU; none for a GPU
  std::optional<Operations> per_step;  ///< operations of a step; none if they cannot be counted
  std::int64_t loop_trajectories = 0, loop_steps = 0;  ///< trajectories, and steps of each, in a time loop
  int loop_repetitions = 0;
  Spread time_loop;  ///< steps a second, with nothing recorded; measured before the whole runs and after them
  std::vector<WholeRun> whole_runs;

  /// Steps a second if every fma slot of the hardware were used for steps; NaN if unknown.
  double most_steps_per_second() const;
};

struct ThroughputOptions {
  std::int64_t repetitions = 7;
  std::int64_t steps = 0;  ///< limit to the steps of a run; 0: run.steps, and a whole run takes half a second at most
};

/// Callback that is told what is measured next.
using ThroughputProgress = std::function<void(const std::string& what)>;

/// Measures the throughput on one backend, `cpu` or `cuda`. Throws InputError where the run itself is wrong, Error with
/// ExitCode::failed where no trajectory completes a step, and any other Error that preparing the run throws.
Throughput measure_throughput(RunSpec spec, BackendChoice backend, const ThroughputOptions& options,
                              const ReadStates& read, const ThroughputProgress& progress);

}  // namespace polhode

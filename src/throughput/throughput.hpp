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
  double median = 0, lower = 0, upper = 0;  ///< quartiles
};

/// Measurement of a run with some of its records, from the specification to arrays in memory.
struct WholeRun {
  std::string recorded;
  std::string problem;  ///< why it could not be measured; empty if it could
  Spread rate;          ///< steps a second of all trajectories together
  // Medians:
  double seconds = 0, starts = 0, integration = 0;
  int repetitions = 0;
  std::int64_t points = 0;  ///< of the section, found by one run
  double bytes = 0;         ///< of the arrays
};

struct Throughput {
  std::string backend;      ///< "cpu" or "cuda"
  std::string unavailable;  ///< why it is not measured; empty if it is
  std::string device, isa;
  int threads = 0;                           ///< of the CPU
  std::int64_t trajectories = 0, steps = 0;  ///< of a whole run
  int repetitions = 0;
  double fmas = 0;                                     ///< a second, lane by lane, of all the hardware; NaN if unknown
  std::optional<CpuLimits> measured;                   ///< limits of the CPU; none of a GPU
  std::optional<Operations> per_step;                  ///< nothing if they cannot be counted
  std::int64_t loop_trajectories = 0, loop_steps = 0;  ///< of one repetition of the time loop
  int loop_repetitions = 0;
  Spread time_loop;  ///< steps a second, with nothing recorded; before the whole runs and after them
  std::vector<WholeRun> whole_runs;

  /// Steps a second if every fma slot of the hardware were used for them; NaN if unknown.
  double most_steps_per_second() const;
};

struct ThroughputOptions {
  std::int64_t repetitions = 7;
  std::int64_t steps = 0;  ///< of a whole run, at most; 0: as many as take half a second
};

/// Callback that is told what is measured next.
using ThroughputProgress = std::function<void(const std::string& what)>;

/// Measures the throughput on one backend, `cpu` or `cuda`. Throws InputError where the run itself is wrong, and Error
/// with ExitCode::failed where no trajectory completes a step.
Throughput measure_throughput(RunSpec spec, BackendChoice backend, const ThroughputOptions& options,
                              const ReadStates& read, const ThroughputProgress& progress);

}  // namespace polhode

// The pipeline of a run: specification, initial states, segments, file, report.
#pragma once

#include "error.hpp"
#include "parallel/ranks.hpp"
#include "spec/run_spec.hpp"

namespace polhode {

struct RunOptions {
  bool resume = false, force = false, quiet = false;
};

/// Runs to the end, or to Ctrl-C, which leaves a checkpoint, on all ranks together. Throws Error, the same on all of
/// them; nothing is written for input that is rejected.
ExitCode run(const Configuration& configuration, const RunOptions& options, Ranks& ranks);

}  // namespace polhode

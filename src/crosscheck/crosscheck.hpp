// The same ensemble on every backend that there is, and the checks of each against the others (checks.hpp).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "crosscheck/checks.hpp"
#include "ensemble/initial.hpp"
#include "spec/resolved_run.hpp"

namespace polhode {

struct CrosscheckOptions {
  /// Empty: every one that can be used. One that is asked for and cannot be used is an error.
  std::vector<BackendChoice> backends;
  std::vector<Isa> isas;
  std::int64_t trajectories = 32;  ///< of the ensemble, evenly; at most
  std::int64_t steps = 2000;       ///< at most
  bool step_halving = false;       ///< also the steps h / 2 and h / 4, for the order of the method
  bool with_single = false;        ///< also in single precision, against double
};

struct CrosscheckReport {
  std::string subject;  ///< what was compared
  std::vector<Finding> findings;
  bool compared = false;  ///< some pair of states after step 0 was

  bool all_kept() const;
};

/// Told what is being done, and how much of it: steps, mostly.
using CrosscheckProgress = std::function<void(const std::string& subject, std::int64_t done, std::int64_t all)>;

/// Throws what make_initial_states() and make_backend() throw.
CrosscheckReport crosscheck(const ResolvedRun& run, const CrosscheckOptions& options, const ReadStates& read,
                            const CrosscheckProgress& progress = {});

}  // namespace polhode

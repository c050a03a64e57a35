// Comparison of all backends on one ensemble (checks.hpp).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "crosscheck/checks.hpp"
#include "ensemble/initial.hpp"
#include "spec/resolved_run.hpp"

namespace polhode {

struct CrosscheckOptions {
  /// Backends to compare; empty for all that are available. It is an error to name an unavailable one.
  std::vector<BackendChoice> backends;
  std::vector<Isa> isas;
  std::int64_t trajectories = 32;  ///< at most; evenly chosen from the ensemble
  std::int64_t steps = 2000;       ///< at most
  bool step_halving = false;       ///< also measure the order of the method (accuracy/order.hpp)
  bool with_single = false;        ///< also compare single precision with double
};

struct CrosscheckReport {
  std::string subject;  ///< system, method and size of the comparison
  std::vector<Finding> findings;
  bool compared = false;  ///< whether any states after step 0 have been compared

  bool all_kept() const;    ///< no check failed
  bool any_judged() const;  ///< some check passed or failed
};

/// Observer of the progress: what is being computed, and how much of it is done, e.g. in steps.
using CrosscheckProgress = std::function<void(const std::string& subject, std::int64_t done, std::int64_t all)>;

/// Compares backends on a run. Throws what make_initial_states() and make_backend() throw, and InputError where there
/// is nothing to compare.
CrosscheckReport crosscheck(const ResolvedRun& run, const CrosscheckOptions& options, const ReadStates& read,
                            const CrosscheckProgress& progress = {});

}  // namespace polhode

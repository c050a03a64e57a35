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
  /// Backends to compare with one instruction set of the CPU; `cpu` stands for its other instruction sets. Empty: all
  /// backends that are available. Naming an unavailable backend is an error.
  std::vector<BackendChoice> backends;
  std::vector<Isa> isas;           ///< instruction sets of the CPU; empty: all of this machine
  std::int64_t trajectories = 32;  ///< largest number of trajectories, evenly chosen from the ensemble
  std::int64_t steps = 2000;       ///< largest number of steps
  bool step_halving = false;       ///< also measure the order of the method (accuracy/order.hpp)
  bool with_single = false;        ///< also compare single precision with double
};

struct CrosscheckReport {
  std::string subject;  ///< system, method and size of the comparison
  std::vector<Finding> findings;
  bool compared = false;  ///< whether any states after step 0 have been compared

  bool all_kept() const;    ///< whether no check failed
  bool any_judged() const;  ///< whether some check passed or failed
};

/// Observer of the progress. subject: what is being computed, in words; done: how much of it is done,
/// and all: how much it is in all, in steps or starts.
using CrosscheckProgress = std::function<void(const std::string& subject, std::int64_t done, std::int64_t all)>;

/// Compares backends on a run. Throws what make_initial_states() and make_backend() throw, but skips CUDA and the
/// reference where they cannot be used and `options` names no backends, and all instruction sets but the best where
/// their kernels are absent and `options` names none. Throws InputError where there is nothing to
/// compare, or single precision is to be compared in a run that has it already.
CrosscheckReport crosscheck(const ResolvedRun& run, const CrosscheckOptions& options, const ReadStates& read,
                            const CrosscheckProgress& progress = {});

}  // namespace polhode

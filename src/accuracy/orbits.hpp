// Some orbits of a run over a stated time, to be integrated by any method in any number of steps.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "accuracy/recording.hpp"
#include "ensemble/initial.hpp"
#include "spec/resolved_run.hpp"

namespace polhode {

/// Solution of the orbits by one method with one length of step.
struct Solution {
  Recording recording;         ///< recording, with momenta on the hidden constraint, if there is one
  double step = 0;             ///< h
  std::int64_t steps = 0;      ///< number of steps to the end
  std::int64_t stages = 0;     ///< number of stages to the end, of one trajectory
  std::int64_t failed = 0;     ///< trajectories that did not reach the end
  std::vector<double> energy;  ///< [n], the largest |H - H(0)|; empty where H is no invariant
  double seconds = 0;          ///< processor time of one integration, the mean over all repetitions
  std::string isa;             ///< instruction set

  const Batch& end() const { return recording.states.back(); }
  bool reached_end(std::int64_t k) const;
};

/// Observer of a solution in progress. step: h; done: number of steps taken so far; steps: their number at the end.
using SolutionProgress = std::function<void(double step, std::int64_t done, std::int64_t steps)>;

class Orbits {
 public:
  /// Orbits from `starts` [count][dim], with momenta lifted to the hidden constraint, over the time of the first
  /// `steps` steps of the run, or of all its steps where it has fewer; of 2^40 steps at most.
  Orbits(const ResolvedRun& run, std::vector<double> starts, std::int64_t steps);

  const ResolvedRun& run() const { return run_; }
  const std::vector<double>& starts() const { return starts_; }  ///< [count][dim]
  std::int64_t count() const { return static_cast<std::int64_t>(starts_.size()) / run_.system->dim; }
  std::int64_t steps() const { return steps_; }  ///< number of steps of the run over time()
  double time() const { return static_cast<double>(steps_) * run_.spec.method.step; }

  /// The run by `method`, in `steps` steps of the length that `method` has, on one thread of the CPU. Every crossing of
  /// the section and the invariants are recorded, but no snapshots, density or statistics. Throws InputError where the
  /// method cannot be used.
  ResolvedRun by(MethodSpec method, std::int64_t steps) const;
  /// Solution of a run that by() has made. at: the steps at which states are recorded, increasing from 0.
  /// least_seconds: processor time up to which the integration is repeated; Solution::seconds is the mean.
  Solution solve(const ResolvedRun& run, const std::vector<std::int64_t>& at, double least_seconds = 0,
                 const SolutionProgress& progress = {}) const;

 private:
  ResolvedRun run_;
  std::vector<double> starts_;  ///< [count][dim]
  std::int64_t steps_;
};

}  // namespace polhode

// Checks of two backends against each other, one for each property that they must share.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "crosscheck/differences.hpp"

namespace polhode {

enum class Verdict { kept, broken, skipped };
inline constexpr const char* verdict_names[] = {"kept", "broken", "skipped"};

struct Finding {
  std::string subject;  ///< e.g. "cpu avx2 against cpu avx512"
  std::string promise;  ///< "bits", "statuses", "step", "trajectories", "section", "precision", "order"
  Verdict verdict = Verdict::kept;
  std::string text = {};
  std::map<std::string, double> figures = {};
};

/// Two backends, and their recordings from the same initial states.
struct Pair {
  std::string subject;
  const SystemEntry& system;
  Backend& a;
  Backend& b;
  const Recording& of_a;
  const Recording& of_b;
};

/// Bitwise equality of states, of all else that batches carry, and of section points; otherwise the first difference.
Finding check_bits(const Pair& pair);

/// Agreement on how trajectories end. An event, or leaving an open domain, is a property of the motion: a trajectory
/// that agrees in both backends shortly before must end in both, at the same step or one apart. If all do, but some
/// trajectory fails in one backend only, the check is skipped: the largest admissible step depends on the iteration
/// that solves the step's equations.
Finding check_statuses(const Pair& pair);

/// Bound on the round-off of one step.
struct StepBound {
  double allowed;  ///< allowed distance (accuracy/distances.hpp)
  double epsilon;  ///< machine epsilon of the coarser precision
};
/// Agreement of single steps from each recorded state of `a` but the last, up to `bound` plus the rounding of the
/// positions divided by their displacement in the step, since momenta are computed from the displacement. A step is not
/// compared where this sum is 1 percent or more, or where the trajectory ends in either backend.
Finding check_step(const Pair& pair, const StepBound& bound);

/// Growth, as a factor, of a small distance between two trajectories from the start to each recorded step:
/// [step][trajectory]; infinite once the distance is no longer small or a trajectory has ended, and throughout where
/// the distance is 0 at the start.
using Growth = std::vector<std::vector<double>>;
Growth growth_of(const SystemEntry& system, const Recording& recording, const Recording& near);

/// Divergence of trajectories: at most `step_difference`, or machine epsilon where that is more, in each step,
/// amplified by the motion's own growth and by a factor of ten for directions that grow faster than the one tried. A
/// trajectory is not judged once it has ended in either backend, or once this bound reaches 1 percent.
Finding check_trajectories(const Pair& pair, const Growth& growth, double step_difference);

/// One-to-one correspondence of section points, as long as a trajectory is less than 1e-6 apart in the two backends at
/// the recorded steps (accuracy/distances.hpp).
Finding check_section(const Pair& pair);

}  // namespace polhode

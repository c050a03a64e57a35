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
  std::string promise;  ///< property: "bits", "statuses", "step", "trajectories", "section", "precision", "order"
  Verdict verdict = Verdict::kept;
  std::string text = {};                       ///< finding in words
  std::map<std::string, double> figures = {};  ///< numbers of the finding, by name
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

/// Checks that states, all else that batches carry, and section points are bitwise equal; the finding names the first
/// difference, for which both backends integrate again. Skipped where no trajectory completed a step in both.
Finding check_bits(const Pair& pair);

/// Checks that trajectories end in the same way. An event, or leaving an open domain, is a property of the motion: a
/// trajectory that agrees in both backends shortly before must end in both, at the same step or one apart. If all do,
/// but some trajectory fails in one backend only, the check is skipped: the largest admissible step depends on the
/// iteration that solves the step's equations.
Finding check_statuses(const Pair& pair);

/// Bound on the round-off of one step.
struct StepBound {
  double allowed;  ///< allowed distance (accuracy/distances.hpp)
  double epsilon;  ///< machine epsilon of the coarser precision
};
/// Checks that single steps from each recorded state of `a` but the last, which both backends take now, agree up to
/// bound.allowed plus the rounding of the positions divided by their displacement in the step, since momenta are
/// computed from the displacement. A step is not compared where this sum is 1 percent or more, or where the trajectory
/// has ended in either backend. The figure "largest" is the largest distance after a step, compared or not.
Finding check_step(const Pair& pair, const StepBound& bound);

/// Growth, as a factor, of a small distance between two trajectories from the start to each recorded step:
/// [step][trajectory]; infinite once the distance is no longer small or a trajectory has ended, and throughout where
/// the distance is 0 at the start.
using Growth = std::vector<std::vector<double>>;
/// Growth of the distances between `recording` and `near`, recorded at the same steps from starts close to each other.
Growth growth_of(const SystemEntry& system, const Recording& recording, const Recording& near);

/// Checks that trajectories diverge by at most `step_difference`, or machine epsilon where that is more, in each step,
/// amplified by the motion's own `growth` and by a factor of ten for directions that grow faster than the one tried. A
/// trajectory is not judged once it has ended in either backend, or once this bound reaches 1 percent. step_difference:
/// the largest distance after a single step (check_step).
Finding check_trajectories(const Pair& pair, const Growth& growth, double step_difference);

/// Checks that section points correspond one to one, as long as a trajectory is less than 1e-6 apart in the two
/// backends at the recorded steps (accuracy/distances.hpp).
Finding check_section(const Pair& pair);

}  // namespace polhode

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

/// Two backends with one plan and the same initial states.
struct Pair {
  std::string subject;
  const SystemEntry& system;
  Backend& a;
  Backend& b;
  const Recording& of_a;
  const Recording& of_b;
};

/// Bitwise equality of states, invariants, statuses and section points; otherwise the first difference.
Finding check_bits(const Pair& pair);

/// Equality of the statuses. Different failures are reported and the check is skipped: the largest admissible step
/// depends on the iteration that solves the step's equations. A terminating event belongs to the motion: trajectories
/// that agree shortly before it must both end with it, at the same step or the next one.
Finding check_statuses(const Pair& pair);

/// Bound on the round-off of one step.
struct StepBound {
  double allowed;  ///< relative to the length of a state
  double epsilon;  ///< machine epsilon of the coarser precision
};
/// Agreement of single steps from each recorded state of `a`, up to the bound plus the rounding of the positions
/// divided by their displacement in the step, since momenta are computed from the displacement. Steps for which this is
/// 1 percent or more are not compared.
Finding check_step(const Pair& pair, const StepBound& bound);

/// Growth of a small distance between two trajectories from the start to each recorded step, [step][trajectory];
/// infinite once the distance is not small any more.
using Growth = std::vector<std::vector<double>>;
Growth growth_of(const SystemEntry& system, const Recording& recording, const Recording& near);

/// Divergence of trajectories: at most `step_difference` in each step, amplified by the motion's own growth and by a
/// factor of ten for directions that grow faster than the one tried. Not judged once this bound reaches 1 percent.
Finding check_trajectories(const Pair& pair, const Growth& growth, double step_difference);

/// One-to-one correspondence of section points, as long as the trajectories differ by less than 1e-6 of their length.
Finding check_section(const Pair& pair);

}  // namespace polhode

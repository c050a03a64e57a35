// What two backends promise each other, each promise as one check of it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "crosscheck/recording.hpp"

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

/// Two backends for one plan, from the same start.
struct Pair {
  std::string subject;
  const SystemEntry& system;
  Backend& a;
  Backend& b;
  const Recording& of_a;
  const Recording& of_b;
};

/// Distances of states of the trajectories of a recording. Those of a system with positions and momenta are taken of
/// each half, over the largest length that this half of the trajectory has in the recording; others of the whole.
class Distances {
 public:
  Distances(const SystemEntry& system, const Recording& recording);

  /// Of trajectory k: that of the larger half, or of positions alone.
  double operator()(const Batch& a, const Batch& b, std::int64_t k) const;
  double of_positions(const Batch& a, const Batch& b, std::int64_t k) const { return of_part(a, b, k, 0); }

  int parts() const { return parts_; }
  int part_size() const { return size_; }
  double scale(std::int64_t k, int part) const { return scales_[k * parts_ + part]; }

 private:
  double of_part(const Batch& a, const Batch& b, std::int64_t k, int part) const;

  int parts_, size_;
  std::vector<double> scales_;  ///< [n][parts]
};

/// States, invariants, statuses and section points are the same bit for bit; otherwise, where they first differ.
Finding check_bits(const Pair& pair);

/// The same trajectories fail. Where others do, the finding says so and is skipped: how long a step may be depends on
/// the iteration that solves its equations, and nobody promises it. A terminating event is one of the motion, though:
/// trajectories that are still the same shortly before it both end with it, at the same step or the next one.
Finding check_statuses(const Pair& pair);

/// What round-off may do in one step.
struct StepBound {
  double allowed;  ///< of the length of a state
  double epsilon;  ///< of the coarser of the two precisions
};
/// From each recorded state of `a` one step of both leads to the same state, to what is allowed, and to the rounding of
/// the positions over what the step moves them by, which is how momenta follow from positions. Where that is a
/// hundredth of the state, a step says nothing.
Finding check_step(const Pair& pair, const StepBound& bound);

/// How much a small distance of two trajectories has grown from the start to each recorded step, [step][trajectory];
/// infinite from where it is no longer small.
using Growth = std::vector<std::vector<double>>;
Growth growth_of(const SystemEntry& system, const Recording& recording, const Recording& near);

/// Trajectories part no faster than the differences of single steps do that the motion itself lets grow, ten times
/// allowed for directions that grow faster than the one that was tried. Not judged where that is a hundredth of them.
Finding check_trajectories(const Pair& pair, const Growth& growth, double step_difference);

/// The section points of a trajectory match one to one, up to the first that comes after its trajectories have parted
/// by 1e-6 of their length.
Finding check_section(const Pair& pair);

}  // namespace polhode

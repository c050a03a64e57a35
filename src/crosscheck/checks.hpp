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
  std::string promise;  ///< "bits", "step", "trajectories", "section"
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

/// States, invariants, statuses and section points are the same bit for bit; otherwise, where they first differ.
Finding check_bits(const Pair& pair);

/// From each recorded state of `a` one step of both leads to the same state, to `allowed` of its length.
Finding check_step(const Pair& pair, double allowed);

/// How much a small distance of two trajectories has grown from the start to each recorded step: [step][trajectory].
using Growth = std::vector<std::vector<double>>;

/// Trajectories part no faster than the differences of single steps do that the motion itself lets grow, ten times
/// allowed for directions that grow faster than the one that was tried. Not judged where that is a hundredth of them.
Finding check_trajectories(const Pair& pair, const Growth& growth, double step_difference);

/// The section points of a trajectory match one to one, up to the first that comes after its trajectories have parted
/// by 1e-6 of their length.
Finding check_section(const Pair& pair);

/// The growth of the distance of `near` from the trajectories that it began near to.
Growth growth_of(const SystemEntry& system, const Recording& recording, const Recording& near);

/// The larger of the differences of positions and of momenta of trajectory k, each over its length; of a state without
/// such halves, the difference over its length.
double distance(const SystemEntry& system, const Batch& a, const Batch& b, std::int64_t k);

}  // namespace polhode

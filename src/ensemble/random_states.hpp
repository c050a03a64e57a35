// States drawn at random: functions of the seed and the trajectory (system/random_source.hpp).
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "spec/resolved_run.hpp"

namespace polhode {

/// Distribution of random starts. It refers to the catalog alone, and may outlive the run.
class RandomStates {
 public:
  /// Distribution that `starts` names. Throws InputError where the system has no such states.
  RandomStates(const ResolvedRun& run, const RandomStarts& starts);

  /// Draws the states x[count][dim] of the trajectories from `first` on. Throws InputError where no state can be drawn.
  void draw(std::int64_t first, std::int64_t count, double* x) const;

 private:
  std::int64_t draw_from(const Equilibrium& equilibrium, const DrawnBlock& block, double* x) const;
  std::int64_t draw_from(const Cloud& cloud, const DrawnBlock& block, double* x) const;
  std::int64_t draw_from(const RandomAttitudes& attitudes, const DrawnBlock& block, double* x) const;

  const StartFunctions* functions_;
  std::vector<double> parameters_;
  std::uint64_t seed_;
  const SystemEntry* at_rest_;  ///< the system, if its centre of mass is to be brought to rest; else null
  std::variant<Equilibrium, Cloud, RandomAttitudes> distribution_;
};

}  // namespace polhode

#include "cli/accuracy_command.hpp"

#include <fmt/format.h>

#include "output/result_file.hpp"

namespace polhode {

AccuracyProgress::AccuracyProgress()
    : line_(is_terminal()),
      guard_(
          "interrupted (a measurement writes its file at the end). Start it again, with fewer --steps or "
          "--trajectories.") {}

Orbits AccuracyProgress::orbits(const ResolvedRun& run, const AccuracyOptions& options) const {
  line_.show("preparing the trajectories");
  const InitialStates initial = make_initial_states(
      run, read_states_after_trial,
      [&](std::int64_t done, std::int64_t all) { show([&] { return fmt::format("starts: {} of {}", done, all); }); });
  return {run, sample_of(initial.starts, options.trajectories), options.steps};
}

}  // namespace polhode

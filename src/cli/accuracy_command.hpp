// Common part of the commands that measure accuracy: their options, and their progress on a terminal.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "accuracy/orbits.hpp"
#include "cli/interruption.hpp"
#include "cli/progress.hpp"

namespace polhode {

struct AccuracyOptions {
  std::int64_t trajectories = 64;    ///< number of trajectories, evenly chosen from the ensemble; all if it has fewer
  std::int64_t steps = 2000;         ///< number of steps of the run in the time over which orbits are compared; all
                                     ///< steps of the run if it has fewer
  std::vector<std::string> methods;  ///< names of the methods that `workprec` compares; empty: all
  bool json = false;                 ///< print JSON in place of the table
  std::filesystem::path output;      ///< file that the JSON is also written to, whatever is printed; empty: none
  bool force = false;                ///< replace an existing output
};

/// Progress of a command that measures accuracy, on a terminal. While the object lives, a signal ends the program at
/// once: a measurement writes its file at the end.
class AccuracyProgress {
 public:
  AccuracyProgress();

  /// Orbits of a run, as many and as long as `options` say; shows the progress while their starts are made. Forks where
  /// the starts are read from a file, so the program must not have other threads yet. Throws as make_initial_states().
  Orbits orbits(const ResolvedRun& run, const AccuracyOptions& options) const;
  /// Shows the string that text() returns, at most five times a second; at other calls text() is not called.
  template <class Text>
  void show(const Text& text) const {
    if (pace_.due()) line_.show(text());
  }
  void clear() const { line_.clear(); }

 private:
  ProgressLine line_;
  ExitOnInterrupt guard_;
  mutable Pace pace_;
};

}  // namespace polhode

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
  std::int64_t trajectories = 64;    ///< largest number, evenly chosen from the ensemble
  std::int64_t steps = 2000;         ///< largest number of steps of the run, over whose time orbits are compared
  std::vector<std::string> methods;  ///< names of the methods that `workprec` compares; empty: all
  bool json = false;                 ///< print JSON in place of the table
  std::filesystem::path output;      ///< file that the JSON is also written to, whatever is printed; empty: none
  bool force = false;                ///< replace an existing output
};

/// Progress of commands that measure accuracy. While it lives a signal ends the program, since there is no file yet.
class AccuracyProgress {
 public:
  AccuracyProgress();

  /// The orbits of a run, from starts that may be read from a file.
  Orbits orbits(const ResolvedRun& run, const AccuracyOptions& options) const;
  /// Shows the string that text() returns, if a report is due.
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

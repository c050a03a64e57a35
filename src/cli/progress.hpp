// Progress on standard error.
#pragma once

#include <chrono>
#include <string>

#include "polhode/core/report.hpp"

namespace polhode {

/// Whether standard error is a terminal.
bool is_terminal();

/// Control sequence that clears a terminal's line.
inline constexpr const char* erase_line = "\r\033[K";

/// Line of a terminal on which each text that is shown replaces the one before. The destructor clears the line.
class ProgressLine {
 public:
  /// visible: false if nothing is to be shown.
  explicit ProgressLine(bool visible) : visible_(visible) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Shows the text, cut to the width of the terminal: a line that wraps could not be replaced.
  void show(std::string text) const;
  void clear() const;

 private:
  bool visible_;
};

/// Timer of reports, at most five a second.
class Pace {
 public:
  /// Whether a report is due; if so, the next one is due a fifth of a second later.
  bool due();

 private:
  std::chrono::steady_clock::time_point last_{};
};

/// Form of a run's progress: none, a line on a terminal, or lines of JSON for programs.
enum class ProgressForm { none, line, json };

class RunProgressReport {
 public:
  explicit RunProgressReport(ProgressForm form) : form_(form), line_(form == ProgressForm::line) {}

  /// Shows that the starts are being made; on a terminal only.
  void show_preparation() const { line_.show("preparing the trajectories"); }
  /// Shows which part of `all` starts has been made, if a report is due; on a terminal only.
  void update_starts(std::int64_t done, std::int64_t all);
  /// Shows the progress of a run in the form of this report, if a report is due. At the end of the run the line is
  /// cleared, since other output may follow, and JSON reports a fraction of 1.
  void update(const RunProgress& progress);

 private:
  ProgressForm form_;
  ProgressLine line_;
  Pace pace_;
};

}  // namespace polhode

// How far the work has come, on standard error.
#pragma once

#include <chrono>
#include <string>

#include "polhode/core/report.hpp"

namespace polhode {

/// True where standard error is a terminal.
bool is_terminal();

/// What a terminal clears its line by.
inline constexpr const char* erase_line = "\r\033[K";

/// One line on a terminal, in place of the one before.
class ProgressLine {
 public:
  /// Shows nothing where `visible` is false.
  explicit ProgressLine(bool visible) : visible_(visible) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Cut to the width of the terminal: a line that wraps could not be replaced.
  void show(std::string text) const;
  void clear() const;

 private:
  bool visible_;
};

/// Five times a second, which is as often as people and programs want to be told.
class Pace {
 public:
  /// Whether it is time again.
  bool due();

 private:
  std::chrono::steady_clock::time_point last_{};
};

/// How a run says how far it has come: by a line on a terminal, by lines of JSON for programs, or not at all.
enum class ProgressForm { none, line, json };

class RunProgressReport {
 public:
  explicit RunProgressReport(ProgressForm form) : form_(form), line_(form == ProgressForm::line) {}

  /// While a run is made ready, which has no steps yet.
  void prepare() const { line_.show("preparing the trajectories"); }
  /// Now and then. At the end of the run a line is cleared, since something else may be printed; JSON says so.
  void update(const RunProgress& progress);

 private:
  ProgressForm form_;
  ProgressLine line_;
  Pace pace_;
};

}  // namespace polhode

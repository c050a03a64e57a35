// One line on a terminal that says how far a run has come.
#pragma once

#include <chrono>

#include "polhode/core/report.hpp"

namespace polhode {

class ProgressLine {
 public:
  /// Shows nothing where `visible` is false.
  explicit ProgressLine(bool visible) : visible_(visible) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Clears the line where the run has come to its end: the result is put together, and something else may be printed.
  void update(const RunProgress& progress);

 private:
  void clear() const;

  bool visible_;
  std::chrono::steady_clock::time_point last_update_{};
};

/// True where standard error is a terminal.
bool is_terminal();

}  // namespace polhode

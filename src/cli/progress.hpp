// One line on a terminal that says how far a run has come.
#pragma once

#include <chrono>

#include "polhode/core/report.hpp"

namespace polhode {

class ProgressLine {
 public:
  /// Shows nothing where `visible` is false.
  explicit ProgressLine(bool visible) : visible_(visible) {}
  /// Clears the line; before anything else is printed.
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void update(const RunProgress& progress);

 private:
  bool visible_;
  std::chrono::steady_clock::time_point last_update_{};
};

/// True where standard error is a terminal.
bool is_terminal();

}  // namespace polhode

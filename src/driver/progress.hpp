// One line on a terminal that says how far a run has come.
#pragma once

#include <chrono>
#include <cstdint>

namespace polhode {

class Progress {
 public:
  /// begun, all: steps of all trajectories together, before this process and in the end. Shows nothing where `visible`
  /// is false.
  Progress(bool visible, std::int64_t trajectories, double begun, double all);
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(double steps, std::int64_t section_points);
  /// Clears the line; before anything else is printed.
  void finish();
  double seconds() const;

 private:
  bool visible_;
  std::int64_t trajectories_;
  double begun_, all_;
  std::chrono::steady_clock::time_point start_, last_update_;
};

/// True where standard error is a terminal.
bool is_terminal();

}  // namespace polhode

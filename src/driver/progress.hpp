// One line on a terminal that says how far a run has come.
#pragma once

#include <chrono>
#include <cstdint>

namespace polhode {

class Progress {
 public:
  /// Shows nothing where `visible` is false.
  Progress(bool visible, std::int64_t trajectories, std::int64_t first_step, std::int64_t last_step);
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(std::int64_t step, std::int64_t section_points);
  /// Clears the line; before anything else is printed.
  void finish();
  double seconds() const;

 private:
  bool visible_;
  std::int64_t trajectories_, first_step_, last_step_;
  std::chrono::steady_clock::time_point start_, last_update_;
};

/// True where standard error is a terminal.
bool is_terminal();

}  // namespace polhode

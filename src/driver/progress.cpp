#include "driver/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace polhode {

using Clock = std::chrono::steady_clock;

bool is_terminal() { return isatty(STDERR_FILENO) != 0; }

Progress::Progress(bool visible, std::int64_t trajectories, std::int64_t first_step, std::int64_t last_step)
    : visible_(visible),
      trajectories_(trajectories),
      first_step_(first_step),
      last_step_(last_step),
      start_(Clock::now()) {}

Progress::~Progress() {
  if (visible_) fmt::print(stderr, "\r\033[K");  // leave no half-written line behind
}

double Progress::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

void Progress::update(std::int64_t step, std::int64_t section_points) {
  if (!visible_ || Clock::now() - last_update_ < std::chrono::milliseconds(200)) return;
  last_update_ = Clock::now();
  const double done = static_cast<double>(step - first_step_), left = static_cast<double>(last_step_ - step);
  const double rate = done / seconds();
  const auto seconds_left = static_cast<std::int64_t>(left / rate);
  fmt::print(stderr,
             "\r\033[K{} trajectories, step {}/{} ({:.0f}%), {:.3g} steps/s, {} section points, {}:{:02}:{:02} left",
             trajectories_, step, last_step_, 100.0 * static_cast<double>(step) / static_cast<double>(last_step_),
             rate * static_cast<double>(trajectories_), section_points, seconds_left / 3600, seconds_left / 60 % 60,
             seconds_left % 60);
  std::fflush(stderr);
}

}  // namespace polhode

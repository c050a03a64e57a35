#include "driver/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace polhode {

using Clock = std::chrono::steady_clock;

bool is_terminal() { return isatty(STDERR_FILENO) != 0; }

Progress::Progress(bool visible, std::int64_t trajectories, double begun, double all)
    : visible_(visible), trajectories_(trajectories), begun_(begun), all_(all), start_(Clock::now()) {}

void Progress::finish() {
  if (visible_) fmt::print(stderr, "\r\033[K");
  visible_ = false;
}

double Progress::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

void Progress::update(double steps, std::int64_t section_points) {
  if (!visible_ || Clock::now() - last_update_ < std::chrono::milliseconds(200)) return;
  last_update_ = Clock::now();
  const double rate = (steps - begun_) / seconds();
  const auto seconds_left = static_cast<std::int64_t>((all_ - steps) / rate);
  std::string line = fmt::format("{:.0f}% of {} trajectories, {:.3g} steps/s, {} section points, {}:{:02}:{:02} left",
                                 100.0 * steps / all_, trajectories_, rate, section_points, seconds_left / 3600,
                                 seconds_left / 60 % 60, seconds_left % 60);
  // A line that wraps could not be overwritten.
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 && line.size() >= size.ws_col)
    line.resize(size.ws_col - 1);
  fmt::print(stderr, "\r\033[K{}", line);
  std::fflush(stderr);
}

}  // namespace polhode

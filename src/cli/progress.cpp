#include "cli/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace polhode {

bool is_terminal() { return isatty(STDERR_FILENO) != 0; }

void ProgressLine::clear() const {
  if (visible_) fmt::print(stderr, "\r\033[K");
}

void ProgressLine::update(const RunProgress& progress) {
  if (progress.steps == progress.all) return clear();
  const auto now = std::chrono::steady_clock::now();
  if (!visible_ || !(progress.steps > progress.begun) || now - last_update_ < std::chrono::milliseconds(200)) return;
  last_update_ = now;
  const double rate = (progress.steps - progress.begun) / progress.seconds;
  const auto seconds_left = static_cast<std::int64_t>((progress.all - progress.steps) / rate);
  std::string line = fmt::format("{:.0f}% of {} trajectories, {:.3g} steps/s, {} section points, {}:{:02}:{:02} left",
                                 100.0 * progress.steps / progress.all, progress.trajectories, rate, progress.points,
                                 seconds_left / 3600, seconds_left / 60 % 60, seconds_left % 60);
  // A line that wraps could not be overwritten.
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 && line.size() >= size.ws_col)
    line.resize(size.ws_col - 1);
  fmt::print(stderr, "\r\033[K{}", line);
  std::fflush(stderr);
}

}  // namespace polhode

#include "cli/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace polhode {
namespace {

/// Steps per second, of all trajectories together.
double rate_of(const RunProgress& progress) {
  return (progress.steps - progress.steps_before) / std::max(progress.seconds, 1e-9);
}

double seconds_left(const RunProgress& progress) {
  const double left = progress.all - progress.steps;
  return left > 0 ? left / rate_of(progress) : 0;
}

std::string in_words(const RunProgress& progress) {
  const auto left = static_cast<std::int64_t>(seconds_left(progress));
  return fmt::format("{:.0f}% of {} trajectories, {:.3g} steps/s, {} section points, {}:{:02}:{:02} left",
                     100.0 * progress.steps / progress.all, progress.trajectories, rate_of(progress), progress.points,
                     left / 3600, left / 60 % 60, left % 60);
}

std::string in_json(const RunProgress& progress) {
  return fmt::format(R"({{"trajectories": {}, "steps": {}, "fraction": {:.6g}, "eta": {:.3g}, "rate": {:.4g}}})",
                     progress.trajectories, static_cast<std::int64_t>(std::min(progress.steps, 0x1p62)),
                     progress.steps / progress.all, seconds_left(progress), rate_of(progress));
}

}  // namespace

bool is_terminal() { return isatty(STDERR_FILENO) != 0; }

void ProgressLine::clear() const {
  if (visible_) fmt::print(stderr, "{}", erase_line);
}

void ProgressLine::show(std::string text) const {
  if (!visible_) return;
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 && text.size() >= size.ws_col)
    text.resize(size.ws_col - 1);
  fmt::print(stderr, "{}{}", erase_line, text);
  std::fflush(stderr);
}

bool Pace::due() {
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < std::chrono::milliseconds(200)) return false;
  last_ = now;
  return true;
}

void RunProgressReport::update_starts(std::int64_t done, std::int64_t all) {
  if (done > 0 && pace_.due())
    line_.show(fmt::format("starts: {:.0f} %", 100 * static_cast<double>(done) / static_cast<double>(all)));
}

void RunProgressReport::update(const RunProgress& progress) {
  const bool at_end = progress.steps == progress.all;
  if (!at_end && (!(progress.steps > progress.steps_before) || !pace_.due())) return;
  if (form_ == ProgressForm::json)
    fmt::print(stderr, "{}\n", in_json(progress));
  else if (at_end)
    line_.clear();
  else
    line_.show(in_words(progress));
}

}  // namespace polhode

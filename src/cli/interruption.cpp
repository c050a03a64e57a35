#include "cli/interruption.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>

#include "cli/progress.hpp"
#include "error.hpp"
#include "modules/process.hpp"

namespace polhode {
namespace {

std::atomic<bool> end_is_requested{false};

/// Line that the handler of ExitOnInterrupt writes, made before a signal comes: a handler must not allocate.
std::string last_words;

auto handler_that_says(const std::string& message) {
  last_words = message.empty() ? "" : fmt::format("{}polhode: {}\n", is_terminal() ? erase_line : "", message);
  return [](int) {
    kill_jobs();
    [[maybe_unused]] const auto ignored = write(STDERR_FILENO, last_words.data(), last_words.size());
    _exit(static_cast<int>(ExitCode::interrupted));
  };
}

}  // namespace

SignalHandlers::SignalHandlers(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  for (int i = 0; i < n_signals; ++i) sigaction(signals[i], &action, &previous_[i]);
}

SignalHandlers::~SignalHandlers() {
  for (int i = 0; i < n_signals; ++i) sigaction(signals[i], &previous_[i], nullptr);
}

InterruptGuard::InterruptGuard() : SignalHandlers([](int) { end_is_requested = true; }) {}

bool InterruptGuard::interrupted() { return end_is_requested; }

ExitOnInterrupt::ExitOnInterrupt(const std::string& message) : SignalHandlers(handler_that_says(message)) {}

}  // namespace polhode

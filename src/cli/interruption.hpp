// Ctrl-C, the end of a session, and SIGUSR1, which launchers of many processes pass on without killing them soon after.
#pragma once

#include <csignal>
#include <string>

namespace polhode {

/// Handlers of SIGINT, SIGTERM, SIGHUP and SIGUSR1 while the object lives, each for the first signal of its kind alone;
/// the destructor restores the former handlers.
class SignalHandlers {
 public:
  SignalHandlers(const SignalHandlers&) = delete;
  SignalHandlers& operator=(const SignalHandlers&) = delete;

 protected:
  explicit SignalHandlers(void (*handler)(int));
  ~SignalHandlers();

 private:
  static constexpr int n_signals = 4;
  static constexpr int signals[n_signals] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
  struct sigaction previous_[n_signals];
};

/// Guard against signals: while it lives, a first signal only asks for an orderly end; the same signal again has its
/// default effect. There may be only one in a process.
class InterruptGuard : SignalHandlers {
 public:
  InterruptGuard();

  static bool interrupted();
};

/// Guard for work that leaves nothing behind: while it lives, a signal ends the program at once, with one line on
/// standard error and ExitCode::interrupted. Only one may live at a time.
class ExitOnInterrupt : SignalHandlers {
 public:
  /// message: "PROBLEM (WHY). SUGGESTION."; empty for no line, where another process prints it.
  explicit ExitOnInterrupt(const std::string& message);
};

}  // namespace polhode

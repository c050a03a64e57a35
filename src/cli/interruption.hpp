// Ctrl-C, the end of a session, and SIGUSR1, which launchers of many processes pass on without killing them soon after.
#pragma once

#include <csignal>
#include <string>

namespace polhode {

/// Handlers of these signals in place of the former ones, which are restored at the end.
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

/// The first signal asks for an orderly end; the second one has its usual effect. One at a time.
class InterruptGuard : SignalHandlers {
 public:
  InterruptGuard();

  static bool interrupted();
};

/// The first signal ends the program at once, with a line and ExitCode::interrupted: for work that leaves nothing
/// behind. One at a time.
class ExitOnInterrupt : SignalHandlers {
 public:
  /// message: "PROBLEM (WHY). SUGGESTION."; empty: none, where another process says it.
  explicit ExitOnInterrupt(const std::string& message);
};

}  // namespace polhode

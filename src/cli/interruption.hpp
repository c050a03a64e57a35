// Ctrl-C, the end of a session, and SIGUSR1, which launchers of many processes pass on without killing them soon after.
#pragma once

#include <csignal>

namespace polhode {

/// The first signal asks for an orderly end; the second one has its usual effect. One at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  static bool interrupted();

 private:
  static constexpr int n_signals = 4;
  static constexpr int signals[n_signals] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
  struct sigaction previous_[n_signals];
};

}  // namespace polhode

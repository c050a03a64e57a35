#include "cli/interruption.hpp"

#include <atomic>

namespace polhode {
namespace {

std::atomic<bool> requested{false};

}  // namespace

InterruptGuard::InterruptGuard() {
  requested = false;
  struct sigaction action = {};
  action.sa_handler = [](int) { requested = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  for (int i = 0; i < n_signals; ++i) sigaction(signals[i], &action, &previous_[i]);
}

InterruptGuard::~InterruptGuard() {
  for (int i = 0; i < n_signals; ++i) sigaction(signals[i], &previous_[i], nullptr);
}

bool InterruptGuard::interrupted() { return requested; }

}  // namespace polhode

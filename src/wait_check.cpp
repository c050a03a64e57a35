#include "wait_check.hpp"

#include <atomic>

namespace polhode {
namespace {

constexpr auto between_checks = std::chrono::milliseconds(50);

std::atomic<WaitCheck> wait_check{nullptr};

}  // namespace

void set_wait_check(WaitCheck function) { wait_check = function; }

void WaitChecks::operator()() {
  const WaitCheck check = wait_check;
  if (!check || Clock::now() - last_ < between_checks) return;
  check();
  last_ = Clock::now();
}

}  // namespace polhode

// Question of a caller's, e.g. whether a signal has come, that is asked while polhode waits or works before a run.
#pragma once

#include <chrono>
#include <thread>

namespace polhode {

using WaitCheck = void (*)();

/// Sets the function that is asked; what it throws ends the wait or the work. Unless one is set there is none.
void set_wait_check(WaitCheck function);

/// Asks the function of set_wait_check(), twenty times a second at most, however often it is called.
class WaitChecks {
 public:
  void operator()();

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_ = Clock::now();
};

/// Tries, every other millisecond, until it succeeds.
template <class Try>
void wait_until(const Try& succeeds) {
  WaitChecks check;
  while (!succeeds()) {
    check();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

}  // namespace polhode

// The interpreter while polhode works: its lock is free, its signals are looked for, and what they raise is raised.
#pragma once

#include <nanobind/nanobind.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <thread>
#include <utility>

#include "polhode/core/error.hpp"

namespace polhode::python {

/// Exception of Python that was raised on this thread while polhode worked: polhode itself knows that it was
/// interrupted, and no more.
inline thread_local std::exception_ptr raised;

/// Works that go on without the interpreter's lock. At the interpreter's end they are ended: threads that came back to
/// it later would abort the process.
class Works {
 public:
  /// One of them, from its beginning until it has the lock again; none begins any more once all have been ended.
  class Work {
   public:
    Work() {
      if (are_ended()) throw Error(ExitCode::interrupted, "interrupted");
      ++all().going_;
    }
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;
    ~Work() { --all().going_; }
  };

  /// Has all of them end at their next look for signals, and waits for that. Called with the lock.
  static void end() {
    all().are_ended_ = true;
    const nanobind::gil_scoped_release unlocked;
    while (all().going_ > 0 && getpid() == all().process_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  static bool are_ended() { return all().are_ended_; }

 private:
  static Works& all() {
    static Works works;
    return works;
  }

  const pid_t process_ = getpid();  ///< a child of it has none of its threads
  std::atomic<int> going_{0};
  std::atomic<bool> are_ended_{false};
};

/// Calls what may raise an exception of Python, with the interpreter's lock; throws that polhode is interrupted where
/// it does.
template <class Call>
auto with_lock(const Call& call) {
  if (Works::are_ended()) throw Error(ExitCode::interrupted, "interrupted");
  const nanobind::gil_scoped_acquire lock;
  try {
    return call();
  } catch (nanobind::python_error&) {
    raised = std::current_exception();
  }
  throw Error(ExitCode::interrupted, "interrupted");
}

/// Calls the handlers of signals that have come.
inline void check_signals() {
  with_lock([] {
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
  });
}

/// Does the work without the interpreter's lock.
template <class Work>
auto without_lock(const Work& work) {
  const Works::Work going;
  const nanobind::gil_scoped_release unlocked;
  try {
    return work();
  } catch (const Error& error) {
    if (error.code() == ExitCode::interrupted && raised) std::rethrow_exception(std::exchange(raised, nullptr));
    throw;
  }
}

}  // namespace polhode::python

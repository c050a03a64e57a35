// A run that asks a caller's function for its progress.
#pragma once

#include <exception>

#include "error.hpp"
#include "polhode/core/report.hpp"

namespace polhode {

/// task(ask), where `ask` is the caller's function, or lets the run go on where that is empty. What the function throws
/// stops the run, and is thrown as it is once the run has ended, also where that ends with an error. All else that is
/// thrown is an Error.
template <class Task>
auto ask_caller(const Progress& progress, const Task& task) {
  std::exception_ptr thrown;
  const Progress ask = [&](const RunProgress& now) {
    try {
      return !progress || progress(now);
    } catch (...) {
      thrown = std::current_exception();
      return false;
    }
  };
  try {
    auto result = task(ask);
    if (!thrown) return result;
  } catch (...) {
    if (!thrown) throw current_error();
  }
  std::rethrow_exception(thrown);
}

}  // namespace polhode

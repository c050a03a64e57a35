// A run that asks a caller's function for its progress.
#pragma once

#include <exception>

#include "error.hpp"
#include "polhode/core/report.hpp"

namespace polhode {

/// Returns task(ask), where `ask` is a Progress that calls `progress`, or returns true if `progress` is empty. An
/// exception that `progress` throws stops the run and is rethrown unchanged after the run, even if that then fails,
/// too. Any other exception becomes an Error.
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

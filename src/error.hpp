// Errors by the class of their exit code.
#pragma once

#include <string>

#include "polhode/core/error.hpp"

namespace polhode {

/// The input is wrong; nothing has been written.
struct InputError : Error {
  explicit InputError(const std::string& message) : Error(ExitCode::bad_input, message) {}
};
/// A backend or module is not there.
struct UnavailableError : Error {
  explicit UnavailableError(const std::string& message) : Error(ExitCode::unavailable, message) {}
};
/// A file could not be written or read, or memory ran out.
struct IoError : Error {
  explicit IoError(const std::string& message) : Error(ExitCode::io, message) {}
};

/// The exception that is being handled, as an Error: an IoError where it is none.
Error current_error();

/// Result of a task, whose exceptions are thrown on as Errors, whatever they were.
template <class Task>
auto with_errors(const Task& task) {
  try {
    return task();
  } catch (...) {
    throw current_error();
  }
}

}  // namespace polhode

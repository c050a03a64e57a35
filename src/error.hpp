// Errors by the class of their exit code.
#pragma once

#include <string>

#include "polhode/core/error.hpp"

namespace polhode {

/// Error in what a user gives: a configuration, arguments, or a file that is read.
struct InputError : Error {
  explicit InputError(const std::string& message) : Error(ExitCode::bad_input, message) {}
};
/// Error where a backend, a module, or something that one of them needs is missing or cannot be used.
struct UnavailableError : Error {
  explicit UnavailableError(const std::string& message) : Error(ExitCode::unavailable, message) {}
};
/// Error where a file cannot be written or read, where memory or the disk is full, or in the program itself.
struct IoError : Error {
  explicit IoError(const std::string& message) : Error(ExitCode::io, message) {}
};

/// Error that is being handled, in a catch block; for any other std::exception, an IoError in its place.
Error current_error();

/// Result of a task. A std::exception that the task throws is thrown on as an Error (current_error()).
template <class Task>
auto with_errors(const Task& task) {
  try {
    return task();
  } catch (...) {
    throw current_error();
  }
}

}  // namespace polhode

// What can go wrong for a user, with the exit code of the command line. Messages follow the grammar
// "PROBLEM (WHY). SUGGESTION." on one line.
#pragma once

#include <stdexcept>
#include <string>

namespace polhode {

/// failed: a promise is broken, nothing could be compared, or every trajectory of a run failed.
enum class ExitCode { done = 0, failed = 1, bad_input = 2, unavailable = 3, io = 4, interrupted = 130 };

class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

/// The input is wrong; nothing has been written.
struct InputError : Error {
  explicit InputError(const std::string& message) : Error(ExitCode::bad_input, message) {}
};
/// A backend or module is not there.
struct UnavailableError : Error {
  explicit UnavailableError(const std::string& message) : Error(ExitCode::unavailable, message) {}
};
/// A file could not be written or read.
struct IoError : Error {
  explicit IoError(const std::string& message) : Error(ExitCode::io, message) {}
};

/// The exception that is being handled, whatever it is, as one of these.
Error current_error();

}  // namespace polhode

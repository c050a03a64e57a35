// Errors that a user can cause or meet. Messages are one line, "PROBLEM (WHY). SUGGESTION.", and the same from code and
// from the command line.
#pragma once

#include <stdexcept>
#include <string>

namespace polhode {

/// Exit codes of the command line, which classify errors. failed: a check failed, nothing could be compared, or every
/// trajectory of a run failed.
enum class ExitCode { done = 0, failed = 1, bad_input = 2, unavailable = 3, io = 4, interrupted = 130 };

class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

}  // namespace polhode

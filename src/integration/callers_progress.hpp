// A caller's function of the progress of a run. What it throws is the caller's, whatever it is: it stops the run, and
// is thrown again after it.
#pragma once

#include <exception>

#include "polhode/core/report.hpp"

namespace polhode {

class CallersProgress {
 public:
  /// An empty function lets the run go on.
  explicit CallersProgress(const Progress& progress) : progress_(progress) {}

  bool operator()(const RunProgress& now) {
    try {
      return !progress_ || progress_(now);
    } catch (...) {
      thrown_ = std::current_exception();
      return false;
    }
  }
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  const Progress& progress_;
  std::exception_ptr thrown_;
};

}  // namespace polhode

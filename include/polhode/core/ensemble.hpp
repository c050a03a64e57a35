// Runs from code: an ensemble in, arrays out, no file. Link polhode::core; see examples/ensemble.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "polhode/core/array.hpp"
#include "polhode/core/error.hpp"
#include "polhode/core/read_states.hpp"
#include "polhode/core/report.hpp"
#include "polhode/core/run_spec.hpp"

namespace polhode {

/// Result of a run: the arrays that its file would hold, bitwise identical and by the same names, e.g. "/final/state"
/// [n][dim] or "/section/time" [points]. Times are in the system's unit of time, steps are int64, status codes uint8.
struct Result {
  RunReport report;
  std::map<std::string, Array> arrays;           ///< empty if the run was stopped
  std::map<std::string, Attributes> attributes;  ///< attributes of the root "/" and of groups, e.g. "/section"

  /// Elements of an array, the last dimension fastest: double, std::int64_t, std::uint8_t or std::string. Throws Error
  /// if there is no such array or its elements have another type.
  template <class T>
  const Elements<T>& values(const std::string& path) const {
    const auto found = arrays.find(path);
    const auto* values = found == arrays.end() ? nullptr : std::get_if<Elements<T>>(&found->second.values);
    if (!values)
      throw Error(ExitCode::bad_input,
                  "cannot use '" + path + "' (the result has no such array of this type). Correct it.");
    return *values;
  }
};

/// An ensemble that is ready to be integrated: its specification has passed all checks.
class Ensemble {
 public:
  /// Resolves the names, computes the starts and opens the backend. Starts from a file need a reader: polhode::files
  /// has read_states. most_bytes: bound on a result, its arrays and the records of the run from which they are made;
  /// memory in use during the run (starts, states of a slice, points and snapshots of a segment) is not counted. Throws
  /// Error with the message that the command line prints, also if the arrays certainly exceed the bound.
  explicit Ensemble(const RunSpec& spec, const ReadStates& read = {},
                    std::uint64_t most_bytes = std::uint64_t{4} << 30);
  Ensemble(Ensemble&&) noexcept;
  Ensemble& operator=(Ensemble&&) noexcept;
  ~Ensemble();

  /// Report of the run before its first step.
  RunReport report() const;

  /// Integrates all trajectories from their starts to the last step, or until `progress`, which is called on this
  /// thread, returns false or throws. Can be repeated, with bitwise identical results, but not concurrently. Throws
  /// Error if the result exceeds its bound, before the first step unless section points exceed it.
  Result run(const Progress& progress = {});

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace polhode

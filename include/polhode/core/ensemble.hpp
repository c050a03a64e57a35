// Runs from code: an ensemble in, arrays out, no file. Link polhode::core; examples/ensemble.cpp is one.
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

/// What a run leaves: what its file would hold, to the bit and by the same names, e.g. "/final/state" [n][dim] or
/// "/section/time" [points]; times are in the unit of the system, steps are int64, status codes uint8.
struct Result {
  RunReport report;
  std::map<std::string, Array> arrays;           ///< none where the run was stopped
  std::map<std::string, Attributes> attributes;  ///< of the root "/", and of groups, e.g. "/section"

  /// The elements of an array, the last dimension fastest: double, std::int64_t, std::uint8_t or std::string. Throws
  /// Error where there is no such array, or one of another type.
  template <class T>
  const std::vector<T>& values(const std::string& path) const {
    const auto found = arrays.find(path);
    const auto* values = found == arrays.end() ? nullptr : std::get_if<std::vector<T>>(&found->second.values);
    if (!values)
      throw Error(ExitCode::bad_input,
                  "cannot use '" + path + "' (the result has no such array of this type). Correct it.");
    return *values;
  }
};

/// An ensemble that can be integrated: everything that can be wrong with a specification has been found.
class Ensemble {
 public:
  /// Looks the names up, makes the starts, and the backend. Throws Error, as the command line reports it. Starts from
  /// a file need something that reads it: polhode::files has read_states.
  explicit Ensemble(const RunSpec& spec, const ReadStates& read = {});
  Ensemble(Ensemble&&) noexcept;
  Ensemble& operator=(Ensemble&&) noexcept;
  ~Ensemble();

  /// What is to be run, before any step of it.
  RunReport report() const;

  /// Integrates all trajectories from their starts to the last step, or until `progress`, which is called on this
  /// thread, returns false or throws. Can be repeated, with the same bits; one at a time. Throws Error, at once where
  /// that is known, if the result takes more than `most_bytes`: its arrays, and the records of the run that they are
  /// made of. What is under way (starts, a slice's states, a segment's points and snapshots) is not counted.
  Result run(const Progress& progress = {}, std::uint64_t most_bytes = std::uint64_t{4} << 30);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace polhode

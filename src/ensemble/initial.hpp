// Initial states of the trajectories.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "ensemble/point_counts.hpp"
#include "ensemble/starts.hpp"
#include "ensemble/starts_progress.hpp"
#include "polhode/core/read_states.hpp"
#include "process_share.hpp"
#include "state_columns.hpp"

namespace polhode {

/// Findings about starts, from all of them or from the share of a process.
struct StartFindings {
  /// The farthest that one was moved to the constraints, of its length, and the first that was.
  struct Move {
    double by = 0;
    std::int64_t trajectory = 0;
  };
  Move position, momentum;   ///< position: also unit vectors and quaternions
  Move doubtful;             ///< the largest value that is asked about (start_doubts.hpp), and the first that has it
  Move reach;                ///< the farthest that a free system's centre of mass gets from the origin, over its size
  std::int64_t tangent = 0;  ///< how many have momenta that look like velocities
  std::uint32_t invariants = ~0u;  ///< bit i: invariant i of the system is one on the orbits of all of them

  /// Adds the findings about other starts.
  void add(const StartFindings& others);
};

struct InitialStates {
  Starts starts;
  PointCounts points;  ///< of starts on a section
  StartFindings findings;
  std::vector<std::string> remarks;  ///< what a user should know, e.g. how many grid points have none
};

/// Makes the starts of a run. Throws InputError when there are none, or one that the system does not allow.
InitialStates make_initial_states(const ResolvedRun& run, const ReadStates& read, const StartsProgress& progress = {});

// The same in two halves, for processes that share the starts.

/// Reads a process's part of the states [n][dim] in a dataset of a file; throws Error, also where they are wrong as a
/// whole.
using ReadPart = std::function<std::vector<double>(const std::filesystem::path& path, const std::string& dataset,
                                                   const StateColumns& columns, const ProcessShare& share)>;

/// Lower bound on the number of starts of all processes together, as far as it is known before they are made.
std::int64_t least_count(const ResolvedRun& run, const ProcessShare& share);

/// Starts as they are given, read, computed or drawn; those that are held are this process's, without their place.
InitialStates make_share(const ResolvedRun& run, const ReadPart& read, const StartsProgress& progress,
                         const ProcessShare& share);
/// Makes initial states of a share, once its place is known, and the points of all processes. Throws InputError when
/// there are none at all, or one in the share that the system does not allow.
void examine_share(const ResolvedRun& run, InitialStates& initial, const StartsProgress& progress,
                   const ProcessShare& share);

/// Adds to the remarks what is known once all starts have been examined.
void complete_remarks(const ResolvedRun& run, InitialStates& initial);

/// Bit i: invariant i of the system is one on the orbits of all states [n][dim].
std::uint32_t invariants_of(const ResolvedRun& run, const std::vector<double>& states);

}  // namespace polhode

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
  /// The largest value of a quantity over the starts, and the first trajectory that has it.
  struct Largest {
    double value = 0;
    std::int64_t trajectory = 0;
  };
  /// Displacements to the constraints, relative to the length; position: also of unit vectors and quaternions.
  Largest position, momentum;
  /// Values of the observable that is asked about (start_doubts.hpp).
  Largest doubtful;
  /// Distances that the centre of mass of a free system gets from the origin, in sizes of the system.
  Largest reach;
  std::int64_t tangent = 0;  ///< number of starts whose momenta look like velocities
  /// Bit i: invariant i of the system is conserved on the orbits of all the starts.
  std::uint32_t invariants = ~0u;

  /// Adds the findings about other starts.
  void add(const StartFindings& others);
};

struct InitialStates {
  Starts starts;
  PointCounts points;  ///< of starts on a section
  StartFindings findings;
  std::vector<std::string> remarks;  ///< what a user should know, e.g. how many grid points have no start
};

/// Makes the starts of a run. Throws InputError when there are none, or one that the system does not allow.
InitialStates make_initial_states(const ResolvedRun& run, const ReadStates& read, const StartsProgress& progress = {});

// The same in two halves, for processes that share the starts.

/// Reads a process's part of the states [n][dim] in a dataset of a file. Throws Error, on every process where the
/// dataset as a whole is wrong.
using ReadPart = std::function<std::vector<double>(const std::filesystem::path& path, const std::string& dataset,
                                                   const StateColumns& columns, const ProcessShare& share)>;

/// Lower bound on the number of starts of all processes together, as far as it is known before they are made.
std::int64_t least_count(const ResolvedRun& run, const ProcessShare& share);

/// Starts as they are given, read, computed or drawn, before they are made initial states. Starts that are held are
/// this process's share, whose place in the ensemble is still to be set.
InitialStates make_share(const ResolvedRun& run, const ReadPart& read, const StartsProgress& progress,
                         const ProcessShare& share);
/// Makes initial states of the starts of a share, once their place in the ensemble and the counts of points of all
/// processes are known. Throws InputError when the ensemble is empty, or the system does not allow a start of the
/// share.
void examine_share(const ResolvedRun& run, InitialStates& initial, const StartsProgress& progress,
                   const ProcessShare& share);

/// Adds to the remarks what is known once all starts have been examined.
void complete_remarks(const ResolvedRun& run, InitialStates& initial);

/// Bits of the invariants that are conserved on the orbits of all states [n][dim]: bit i for invariant i of the system.
std::uint32_t invariants_of(const ResolvedRun& run, const std::vector<double>& states);

}  // namespace polhode

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
  /// Displacements of the starts to the constraints, relative to their length: of positions, unit vectors and
  /// quaternions, and of momenta or velocities.
  Largest position, momentum;
  /// Values of the observable that the system's StartDoubt names (start_doubts.hpp).
  Largest doubtful;
  /// Distances from the origin that the centre of mass of a free system reaches during the run, in sizes of the system.
  Largest reach;
  std::int64_t tangent = 0;  ///< number of starts whose momenta look like velocities
  /// Bit i: invariant i of the system is conserved on the orbits of all the starts.
  std::uint32_t invariants = ~0u;

  /// Adds the findings about other starts.
  void add(const StartFindings& others);
};

struct InitialStates {
  Starts starts;
  PointCounts points;  ///< counts of the points of the plane, for starts on a section
  StartFindings findings;
  std::vector<std::string> remarks;  ///< what a user should know, e.g. how many grid points have no start
};

/// Makes the starts of a run. Throws InputError where they cannot be made, there are none, or the system does not allow
/// one of them; and what `read` and `progress` throw.
InitialStates make_initial_states(const ResolvedRun& run, const ReadStates& read, const StartsProgress& progress = {});

// The same in two halves, for processes that share the starts.

/// Reader of a process's share of the states [n][dim] in a dataset of a file. Throws Error; where the dataset as a
/// whole is wrong, on every process.
using ReadPart = std::function<std::vector<double>(const std::filesystem::path& path, const std::string& dataset,
                                                   const StateColumns& columns, const ProcessShare& share)>;

/// Lower bound on the number of starts of all processes together, known before they are made; for starts on a section
/// only a likely one. Throws InputError where starts on a section cannot be made or do not fit into memory.
std::int64_t least_count(const ResolvedRun& run, const ProcessShare& share);

/// Starts as they are given, read, computed or drawn, before they are made initial states. Starts that are held are
/// this process's share, whose place in the ensemble is still to be set.
InitialStates make_share(const ResolvedRun& run, const ReadPart& read, const StartsProgress& progress,
                         const ProcessShare& share);
/// Makes initial states of the starts of a share, once their place in the ensemble and the counts of points of all
/// processes are known. Throws InputError where the ensemble is empty, or a start of the share cannot be used.
void examine_share(const ResolvedRun& run, InitialStates& initial, const StartsProgress& progress,
                   const ProcessShare& share);

/// Adds to the remarks what is known once all starts have been examined.
void complete_remarks(const ResolvedRun& run, InitialStates& initial);

/// Bits of the invariants that are conserved on the orbits of all states [n][dim]: bit i for invariant i of the system.
std::uint32_t invariants_of(const ResolvedRun& run, const std::vector<double>& states);

}  // namespace polhode

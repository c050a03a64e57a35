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
  /// Largest displacements by which starts were moved to the constraints, relative to the length of what was moved.
  /// position: of positions, or of a unit vector or quaternion; momentum: of momenta or velocities.
  Largest position, momentum;
  /// Largest value of the observable that the system's StartDoubt names (start_doubts.hpp).
  Largest doubtful;
  /// Largest distance of the centre of mass of a free system from the origin during the run, in sizes of the system
  /// (SystemEntry::reach).
  Largest reach;
  /// Number of starts whose momenta were tangent to the constraints, G p = 0, and not on the hidden constraint, as if
  /// they were velocities.
  std::int64_t tangent = 0;
  /// Bits of the invariants that are conserved on the orbits of all the starts: bit i for invariant i of the system.
  std::uint32_t invariants = ~0u;

  /// Adds the findings about other starts.
  void add(const StartFindings& others);
};

struct InitialStates {
  Starts starts;
  PointCounts points;  ///< counts of the points of the plane, for starts on a section; else 0
  StartFindings findings;
  std::vector<std::string> remarks;  ///< remarks for the user, e.g. how many grid points have no start
};

/// Makes the starts of a run and examines them; complete_remarks() is still to be called. Throws InputError where they
/// cannot be made, there are none, or the system does not allow one of them; and what `read` and `progress` throw.
InitialStates make_initial_states(const ResolvedRun& run, const ReadStates& read, const StartsProgress& progress = {});

// The same in two halves, for processes that share the starts.

/// Function that reads a process's share of the states [n][dim] in a dataset of a file. Throws Error where it cannot;
/// if the dataset as a whole is wrong, on every process.
using ReadPart = std::function<std::vector<double>(const std::filesystem::path& path, const std::string& dataset,
                                                   const StateColumns& columns, const ProcessShare& share)>;

/// Lower bound on the number of starts of all processes together, known before they are made; for starts on a section
/// the bound is likely, not certain. Throws InputError where starts on a section cannot be made or would not fit into
/// memory.
std::int64_t least_count(const ResolvedRun& run, const ProcessShare& share);

/// Starts as they are given, read, computed or drawn, before they are made initial states. Starts that are held are
/// this process's share, whose place in the ensemble is still to be set by Starts::place(). Throws InputError where
/// they cannot be made, and what `read` and `progress` throw.
InitialStates make_share(const ResolvedRun& run, const ReadPart& read, const StartsProgress& progress,
                         const ProcessShare& share);
/// Makes initial states of the held starts of a share, in place, or draws the share's random ones to look at them, and
/// sets initial.findings and the remarks on points of a plane. Requires that the starts have their place in the
/// ensemble and that initial.points is summed over all processes. Throws InputError where the ensemble is empty, or a
/// start of the share cannot be used; and what `progress` throws.
void examine_share(const ResolvedRun& run, InitialStates& initial, const StartsProgress& progress,
                   const ProcessShare& share);

/// Adds remarks on initial.findings, once these are joined over all processes, and on the run's section, parameters and
/// table.
void complete_remarks(const ResolvedRun& run, InitialStates& initial);

/// Bits of the invariants that are conserved on the orbits of all states [n][dim]: bit i for invariant i of the system.
std::uint32_t invariants_of(const ResolvedRun& run, const std::vector<double>& states);

}  // namespace polhode

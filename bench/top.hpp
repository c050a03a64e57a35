// What is measured: the heavy top of McLachlan & Scovel 1995, Figure 1, started on its section at energy 1.
#pragma once

#include <cstdint>
#include <vector>

#include "backend/batch.hpp"
#include "catalog/catalog.hpp"

namespace polhode::bench {

inline constexpr double parameters[] = {1.5, 1.44, 0.94, 0, 0, 1, 1};  ///< I1 I2 I3, chi, c
inline constexpr double step = 0.05;
inline constexpr std::int64_t default_invariants_every = 16;
inline constexpr int default_solver = 0;
inline constexpr std::int64_t small_ensemble = 256;    ///< stays in the first cache
inline constexpr std::int64_t large_ensemble = 65536;  ///< a picture of Figure 1 with all its detail

/// What a run does beside stepping.
struct Observers {
  enum class Section {
    none,
    detected,  ///< what the time loop does: looks, and captures the state before a crossing; then the crossing is
               ///< dropped
    points,    ///< refined and handed over
  };
  Section section = Section::none;  ///< gamma3 = 0, upwards
  std::int64_t invariants_every = 0;
};

const SystemEntry& system();
const MethodEntry& rattle();

int sweeps(int solver, Precision precision, double h = step);
RunPlan plan(int solver, Precision precision, const Observers& observers, double h = step);

/// n starts, spread evenly over those points of a grid on the section that lie on the energy surface; with so many
/// invariants as the plan records.
Batch starts(std::int64_t n, int n_invariants = 0);
/// The same, trajectory after trajectory: [n][6].
std::vector<double> interleaved(const Batch& batch);
/// Whether no trajectory has failed.
bool all_ok(const Batch& batch);

}  // namespace polhode::bench

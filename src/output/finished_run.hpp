// The result file of a finished run that a longer one goes on from: its trajectories at the end, and what it has
// recorded of them on the way, as a sink takes it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "result/sink.hpp"

namespace polhode {

/// Run whose result is a file. The identity of a longer run that goes on from it may differ in run.steps alone.
struct FinishedRun {
  std::string identity;  ///< identity of the run; empty where the file does not say
  std::string created;
  std::int64_t steps = 0;
};

/// Reads what a result says of its run. Throws InputError where the file is no result of polhode.
FinishedRun read_finished_run(const std::filesystem::path& path);

/// Opens a result as the beginning of a longer run, for a sink of `layout`. h: length of a step; invariants_every:
/// steps between comparisons of invariants. The file must have final states and invariants.
std::unique_ptr<EarlierRun> open_finished_run(const std::filesystem::path& path, const RunLayout& layout, double h,
                                              std::int64_t invariants_every);

}  // namespace polhode

// Results as HDF5 files, of one process or of several.
#pragma once

#include <filesystem>

#include "parallel/ranks.hpp"
#include "result/assembly.hpp"

namespace polhode {

/// Writes the result file from the `records` of each rank's share, in the order of ranks, and waits until it is on
/// disk. Collective: an error on one rank is thrown on all. earlier: the result of the run that this one goes on from,
/// or empty.
void assemble(const std::filesystem::path& path, const RunRecords& records, Ranks& ranks,
              const std::filesystem::path& earlier = {});

}  // namespace polhode

// Results as HDF5 files, of one process or of several.
#pragma once

#include <filesystem>

#include "parallel/ranks.hpp"
#include "result/assembly.hpp"

namespace polhode {

/// Writes the result file of all ranks' shares, in the order of ranks, and waits until it is on disk. Collective: an
/// error on one rank is an error on all. earlier: the result of the run that this one goes on from, or empty.
void assemble(const std::filesystem::path& path, const RunRecords& result, Ranks& ranks,
              const std::filesystem::path& earlier = {});

}  // namespace polhode

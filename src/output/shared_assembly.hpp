// A common result file of all ranks, by parallel HDF5.
#pragma once

#include <filesystem>

#include "output/assembly.hpp"
#include "parallel/ranks.hpp"

namespace polhode {

/// Collective: writes the file of the ranks' shares, in the order of ranks, and waits until it is on disk. An error on
/// one rank is an error on all.
void assemble_shared(const std::filesystem::path& path, const RunResult& result, Ranks& ranks);

}  // namespace polhode

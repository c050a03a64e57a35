// One result file of all ranks, by parallel HDF5.
#pragma once

#include <filesystem>

#include "output/assembly.hpp"
#include "parallel/ranks.hpp"

namespace polhode {

/// On all ranks: writes the file of their shares, which follow one another in the order of ranks, and waits until it is
/// on the disk. An error is one on all ranks.
void assemble_shared(const std::filesystem::path& path, const RunResult& result, Ranks& ranks);

}  // namespace polhode

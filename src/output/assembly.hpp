// Results as HDF5 files.
#pragma once

#include <filesystem>

#include "output/h5.hpp"
#include "result/assembly.hpp"

namespace polhode {

/// Writes the file and waits until it is on the disk.
void assemble(const std::filesystem::path& path, const RunResult& result);

/// Creates the file of all ranks with everything but the datasets that have rows for trajectories or section points.
/// For the first rank.
void create_shared(const std::filesystem::path& path, const RunResult& result, const Share& share);
/// Writes those rows of these datasets that are this rank's.
void fill_shared(h5::File& file, const RunResult& result, const Share& share);

}  // namespace polhode

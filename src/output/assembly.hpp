// Results as HDF5 files.
#pragma once

#include <filesystem>

#include "output/h5.hpp"
#include "result/assembly.hpp"

namespace polhode {

/// Writes the file and waits until it is on disk.
void assemble(const std::filesystem::path& path, const RunResult& result);

/// Creates the common file of all ranks with everything but the datasets that have rows for trajectories or section
/// points. For the first rank only.
void create_shared(const std::filesystem::path& path, const RunResult& result, const Share& share);
/// Writes this rank's rows of those datasets.
void fill_shared(h5::File& file, const RunResult& result, const Share& share);

}  // namespace polhode

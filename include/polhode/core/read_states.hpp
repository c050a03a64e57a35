// Reader of starts from files; polhode::core itself reads no file.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace polhode {

/// Reads states [n][dim] from a dataset of a file; throws Error.
using ReadStates =
    std::function<std::vector<double>(const std::filesystem::path& path, const std::string& dataset, int dim)>;

}  // namespace polhode

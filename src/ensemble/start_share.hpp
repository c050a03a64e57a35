// Starts that several processes share: each reads or computes a part of them, and examines it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace polhode {

/// The part of a process: parts follow one another, and are alike but for one.
struct StartShare {
  int index = 0, of = 1;
  int on_machine = 1;  ///< processes that share the memory of this machine

  std::int64_t first(std::int64_t n) const { return n / of * index + std::min<std::int64_t>(index, n % of); }
  std::int64_t count(std::int64_t n) const { return n / of + (index < n % of ? 1 : 0); }
};

/// Reads that part of the states [n][dim] in a dataset of a file; throws Error, also where they are wrong as a whole.
using ReadPart = std::function<std::vector<double>(const std::filesystem::path& path, const std::string& dataset,
                                                   int dim, const StartShare& share)>;

}  // namespace polhode

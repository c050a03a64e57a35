#include <fmt/format.h>

#include <fstream>
#include <ios>
#include <iterator>

#include "checksum.hpp"
#include "modules/headers.hpp"

namespace polhode {

std::string hash_of_files(const HeaderFolders& folders, std::span<const char* const> files) {
  Checksum sum;
  for (const char* const name : files) {
    std::ifstream file;
    for (const auto& folder : {folders.include, folders.sources, folders.device})
      if (file.open(folder / name, std::ios::binary); file) break;
    if (!file) return {};
    const std::string content{std::istreambuf_iterator<char>(file), {}};
    sum.add(std::as_bytes(std::span(content)));
    sum.add(std::as_bytes(std::span("", 1)));  // the end of a file
  }
  return fmt::format("{:016x}", sum.value());
}

}  // namespace polhode

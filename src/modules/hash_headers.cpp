// A program of the build: hash_headers INCLUDE SOURCES DEVICE writes the C++ source of headers_hash() and
// hashes_of_headers().
#include <fmt/format.h>

#include <cstddef>
#include <cstdio>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include "modules/headers.hpp"

int main(int, char** argv) {
  try {
    const polhode::HeaderFolders folders{argv[1], argv[2], argv[3]};
    const std::span<const char* const> headers = polhode::shared_headers();
    const std::vector<std::string> hashes = polhode::hashes_of_closures(folders, headers);
    std::string rows;
    for (std::size_t i = 0; i < headers.size(); ++i)
      rows += fmt::format("      {{\"{}\", \"{}\"}},\n", headers[i], hashes[i]);
    fmt::print(R"(#include "modules/headers.hpp"

namespace polhode {{

const char* headers_hash() {{ return "{}"; }}

std::span<const HeaderHash> hashes_of_headers() {{
  static constexpr HeaderHash all[] = {{
{}  }};
  return all;
}}

}}  // namespace polhode
)",
               polhode::hash_of_all(folders, headers), rows);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "hash_headers: {}\n", error.what());
    return 1;
  }
}

// A program of the build: hash_headers INCLUDE SOURCES DEVICE writes the C++ source of headers_hash().
#include <fmt/format.h>

#include <string>

#include "modules/headers.hpp"

int main(int, char** argv) {
  const std::string hash = polhode::hash_of_files({argv[1], argv[2], argv[3]}, polhode::shared_headers());
  fmt::print(
      "#include \"modules/headers.hpp\"\n\nnamespace polhode {{\n\nconst char* headers_hash() {{ return \"{}\"; "
      "}}\n\n}}\n",
      hash);
  return hash.empty();
}

// A run and where its result goes, as a configuration has both.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "polhode/core/run_spec.hpp"

namespace polhode {

/// The file of a run.
struct OutputSpec {
  std::filesystem::path file;
  std::int64_t compression = 0;  ///< deflate's level, 0 (none) to 9
};

struct Configuration {
  RunSpec run;
  OutputSpec output;
  std::string text;              ///< in full, as it goes into the file; empty: as configuration_text() has it
  std::filesystem::path source;  ///< the file that it came from; may be empty
};

/// A run that has been resolved as TOML, by the schema; or one table of it.
std::string configuration_text(const RunSpec& spec, std::string_view only = {});

}  // namespace polhode

// A run and where its result goes, as a configuration has both.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "polhode/core/run_spec.hpp"

namespace polhode {

/// Result file of a run.
struct OutputSpec {
  std::filesystem::path file;
  std::int64_t compression = 0;  ///< deflate's level, 0 (none) to 9
};

struct Configuration {
  RunSpec run;
  OutputSpec output;
  std::string text;              ///< TOML, as it goes into the result; empty: what configuration_text() returns
  std::filesystem::path source;  ///< the file that the configuration came from; empty if it came from none
};

/// TOML of the specification of a resolved run, without [output]. Starts that are a list of more than 1000 states are
/// those of a file without a name, the result that the text is in, if the run records its initial states.
/// only: name of the one table to write; empty: all.
std::string configuration_text(const RunSpec& spec, std::string_view only = {});

}  // namespace polhode

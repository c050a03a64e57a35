// Configuration files: TOML and --set to a RunSpec.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ensemble/run_spec.hpp"

namespace polhode {

/// Command-line options that override the configuration.
struct Overrides {
  std::vector<std::string> set;  ///< key.path=value
  std::optional<std::string> output, backend, precision, isa;
  std::optional<int> threads;
};

/// Reads and validates a configuration. Throws InputError.
RunSpec read_config(const std::filesystem::path& file, const Overrides& overrides);

}  // namespace polhode

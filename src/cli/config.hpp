// Configuration files: TOML, --unset and --set to a Configuration.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "spec/configuration.hpp"

namespace polhode {

/// What the command line says in place of the file, later ones in place of earlier ones.
struct Overrides {
  struct Option {
    const char *table, *key;
    std::string value;
  };
  std::vector<std::string> unset;  ///< tables, or TABLE.KEY, that are removed before all else
  std::vector<Option> options;     ///< that stand for a key
  std::vector<std::string> set;    ///< key.path=value
};

/// Reads a configuration by the schema. Throws InputError about keys and types; what values mean is looked at later.
Configuration read_config(const std::filesystem::path& file, const Overrides& overrides);

}  // namespace polhode

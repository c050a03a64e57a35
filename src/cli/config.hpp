// Configuration files: TOML, --unset and --set to a Configuration.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "spec/configuration.hpp"

namespace polhode {

/// Changes of a configuration by the command line, which are made in the order of the members.
struct Overrides {
  struct Option {
    const char *table, *key;
    std::string value;
  };
  std::vector<std::string> unset;    ///< tables, or TABLE.KEY, removed before anything is set
  std::vector<std::string> systems;  ///< headers with systems of the user's own
  std::vector<Option> options;       ///< options that stand for a key
  std::vector<std::string> set;      ///< key.path=value
};

/// Names in a configuration that decide which keys it may have; empty where it has none.
struct NamedParts {
  std::string system, method;
  std::string starts;  ///< ensemble.from, or of random starts ensemble.distribution
};
/// Names in a configuration, which need not be complete. A system of the user's own is put into the catalog.
NamedParts read_names(const std::filesystem::path& file, const Overrides& overrides);

/// Configuration in a TOML file, or the one that a result was made with. Throws InputError for wrong keys and types;
/// values are judged later.
Configuration read_config(const std::filesystem::path& file, const Overrides& overrides);
/// Configuration of a text in memory, which is valid TOML.
Configuration read_own_config(std::string_view text, const Overrides& overrides);

}  // namespace polhode

// Configuration files: TOML, --unset and --set to a Configuration.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "spec/configuration.hpp"

namespace polhode {

/// Changes that the command line makes to a configuration. They are made in the order of the members.
struct Overrides {
  struct Option {
    const char *table, *key;
    std::string value;
  };
  std::vector<std::string> unset;    ///< tables, TABLE.KEY or TABLE.KEY.NAME, removed before anything is set
  std::vector<std::string> systems;  ///< headers with systems of the user's own
  std::vector<Option> options;       ///< options that stand for a key
  std::vector<std::string> set;      ///< TABLE.KEY=VALUE or TABLE.KEY.NAME=VALUE
};

/// Names in a configuration that decide which keys it may have; each is empty where the configuration lacks it.
struct NamedParts {
  std::string system, method;
  std::string starts;  ///< ensemble.distribution, or ensemble.from where that is not given
};
/// Names in the configuration in a file, after `overrides`; keys that are required may be missing in it. A system of
/// the user's own is added to the catalog. Throws InputError where the file cannot be read, and as require_system()
/// (catalog/own_systems.hpp).
NamedParts read_names(const std::filesystem::path& file, const Overrides& overrides);
/// Names in a configuration that is a text of TOML, which a program has made; otherwise as read_names().
NamedParts read_own_names(std::string_view text);

/// Configuration in a TOML file, or the one that a result was made with, after `overrides`. Throws InputError where the
/// file cannot be read, and for unknown or missing keys, wrong types, choices and lengths of lists; the limits of
/// numbers and the names of the catalog are checked by resolve() (spec/resolved_run.hpp).
Configuration read_config(const std::filesystem::path& file, const Overrides& overrides);
/// Configuration in a text of TOML that a program has made; throws like read_config().
Configuration read_own_config(std::string_view text, const Overrides& overrides);

}  // namespace polhode

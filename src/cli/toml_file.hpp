// A configuration as tables, before anything is known of what they mean. Errors are InputErrors.
#pragma once

#include <toml++/toml.h>

#include <filesystem>
#include <string>

namespace polhode {

toml::table parse_toml(const std::filesystem::path& file);

/// The table of that name, made if it is not there.
toml::table& subtable(toml::table& config, const std::string& name);

/// key.path=value, where value is TOML, or else taken as a string.
void set_value(toml::table& config, const std::string& assignment);

/// Removes a table, or one of its keys, TABLE.KEY. There must be one.
void remove_value(toml::table& config, const std::string& path);

}  // namespace polhode

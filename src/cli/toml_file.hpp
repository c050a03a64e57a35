// Configuration as TOML tables, not interpreted yet. Errors are InputErrors.
#pragma once

#include <toml++/toml.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace polhode {

toml::table parse_toml(const std::filesystem::path& file);
/// The configuration that a result was made with.
toml::table parse_toml_of_result(const std::filesystem::path& file);
/// Tables in a text of TOML that a program has made.
toml::table parse_own_toml(std::string_view text);

/// Table of a configuration, created if there is none of that name.
toml::table& subtable(toml::table& config, const std::string& name);

/// Sets a key by TABLE.KEY=VALUE, or one of a key that is a table by TABLE.KEY.NAME=VALUE, where VALUE is TOML, or else
/// a string.
void set_value(toml::table& config, const std::string& assignment);

/// Removes a table, a key TABLE.KEY, or TABLE.KEY.NAME, which must be there.
void remove_value(toml::table& config, const std::string& path);

}  // namespace polhode

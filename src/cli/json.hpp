// JSON as the commands write it.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "polhode/core/run_spec.hpp"

namespace polhode {

using Json = nlohmann::ordered_json;

/// Number, or null where it is not finite, which JSON cannot express.
Json number(double value);
/// Value of a key as JSON: null for none, a list of lists of numbers for rows.
Json to_json(const Value& value);

/// Throws InputError where `file` does not end in .json, where its folder cannot be written to, where it is a folder,
/// and where it is there, unless `replace`. Does nothing without a name.
void check_json_file(const std::filesystem::path& file, bool replace);
/// Writes the whole file, or nothing and throws IoError. Does nothing without a name.
void write_json_file(const std::filesystem::path& file, const Json& json);

}  // namespace polhode

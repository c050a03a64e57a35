// JSON as the commands write it.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "polhode/core/run_spec.hpp"

namespace polhode {

using Json = nlohmann::ordered_json;

/// Number, or null where it is not finite, which JSON cannot express.
Json number(double value);
/// Value of a key as JSON: null for std::monostate, a list of lists of numbers for Rows.
Json to_json(const Value& value);

/// Throws InputError where `file` does not end in .json, is a folder, is in a folder that is missing or cannot be
/// written to, or exists and `replace` is false. Does nothing where `file` is empty.
void check_json_file(const std::filesystem::path& file, bool replace);
/// Writes the whole file, or nothing and throws IoError. Does nothing without a name.
void write_json_file(const std::filesystem::path& file, const Json& json);

}  // namespace polhode

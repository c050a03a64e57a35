// JSON as the commands write it.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "polhode/core/run_spec.hpp"

namespace polhode {

using Json = nlohmann::ordered_json;

/// Number, or null where it is not finite, which JSON cannot express.
Json number(double value);
/// Value of a key; null for none, lists of numbers for rows.
Json to_json(const Value& value);

/// Refuses a name that does not end in .json, a folder that cannot be written to, and a file that is there, unless it
/// is to be replaced. Does nothing without a name.
void check_json_file(const std::filesystem::path& file, bool replace);
/// Writes the whole file or nothing. Throws IoError. Does nothing without a name.
void write_json_file(const std::filesystem::path& file, const Json& json);

}  // namespace polhode

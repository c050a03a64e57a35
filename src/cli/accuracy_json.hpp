// Measurements of accuracy as JSON, which plot draws (python/polhode/measurements.py).
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "accuracy/order.hpp"
#include "accuracy/work_precision.hpp"

namespace polhode {

/// Number, or null for NaN, which JSON does not have.
nlohmann::ordered_json number(double value);
nlohmann::ordered_json to_json(const Orbits& orbits, const OrderReport& report);
nlohmann::ordered_json to_json(const Orbits& orbits, const WorkPrecisionReport& report);

/// Refuses a name that does not end in .json, a folder that cannot be written to, and a file that is there, unless it
/// is to be replaced. Does nothing without a name.
void check_json_file(const std::filesystem::path& file, bool replace);
/// Writes all of it or nothing. Throws IoError.
void write_json_file(const std::filesystem::path& file, const nlohmann::ordered_json& json);

}  // namespace polhode

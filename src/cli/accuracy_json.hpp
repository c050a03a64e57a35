// Measurements of accuracy as JSON, which plot draws (python/polhode/measurements.py).
#pragma once

#include "accuracy/order.hpp"
#include "accuracy/work_precision.hpp"
#include "cli/json.hpp"

namespace polhode {

Json to_json(const Orbits& orbits, const OrderReport& report);
Json to_json(const Orbits& orbits, const WorkPrecisionReport& report);

}  // namespace polhode

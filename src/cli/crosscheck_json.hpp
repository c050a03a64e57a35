// The report of a cross-check as JSON.
#pragma once

#include "cli/json.hpp"
#include "crosscheck/crosscheck.hpp"

namespace polhode {

Json to_json(const CrosscheckReport& report);

}  // namespace polhode

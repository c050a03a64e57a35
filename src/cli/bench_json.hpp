// The measurements of `polhode bench` as JSON.
#pragma once

#include <cstdint>
#include <vector>

#include "cli/json.hpp"
#include "spec/resolved_run.hpp"
#include "throughput/throughput.hpp"

namespace polhode {

/// JSON of the throughput of a run on each backend. repetitions: how often each figure was measured.
Json to_json(const ResolvedRun& run, const std::vector<Throughput>& reports, std::int64_t repetitions);

}  // namespace polhode

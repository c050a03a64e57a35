// The memory that starts take.
#pragma once

#include "spec/resolved_run.hpp"

namespace polhode {

/// Throws InputError where n starts, which may be the first of more, cannot fit into the machine's memory. They are
/// gathered in a vector, which takes twice as much again while it grows.
void require_memory(std::int64_t n, const ResolvedRun& run);

}  // namespace polhode

// Progress while the starts of an ensemble are computed.
#pragma once

#include <cstdint>
#include <functional>

namespace polhode {

/// Observer, called by the thread that asks for the starts, with the number of candidates that have been looked at, and
/// of all: random states, or points of a grid. It may throw.
using StartsProgress = std::function<void(std::int64_t done, std::int64_t all)>;

/// Candidates between two calls.
inline constexpr std::int64_t starts_between_calls = 4096;

}  // namespace polhode

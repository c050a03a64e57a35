// Progress while the starts of an ensemble are computed.
#pragma once

#include <cstdint>
#include <functional>

namespace polhode {

/// Function that is told how many candidates this process has looked at, and how many it has: random states, or points
/// of a grid or line. It is called by the thread that asks for the starts, and may throw.
using StartsProgress = std::function<void(std::int64_t done, std::int64_t all)>;

/// Number of candidates that the calling thread looks at between its calls of a StartsProgress.
inline constexpr std::int64_t starts_between_calls = 4096;

}  // namespace polhode

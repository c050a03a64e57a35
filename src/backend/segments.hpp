// Segments whose crossings fit: one with too many for a backend is repeated with fewer steps, which affects no bit.
#pragma once

#include <algorithm>
#include <utility>

#include "backend/backend.hpp"
#include "contract.hpp"

namespace polhode {

/// Fill of the room for crossings (SegmentResult::fill) for which the length of segments is chosen: below 1, because
/// the number of crossings varies, and because the last segment may be longer than the others by a half.
inline constexpr double planned_fill = 0.6;

/// Number of steps, 1 at least, in which crossings fill their room to planned_fill, if those of `count` steps have
/// filled it to `fill` (SegmentResult).
inline std::int64_t steps_that_fit(std::int64_t count, double fill) {
  return static_cast<std::int64_t>(std::clamp(planned_fill / fill * static_cast<double>(count), 1.0, 0x1p53));
}

/// A segment that has ended.
struct CompletedSegment {
  Segment segment;
  LentResult result;
};

/// Advances a backend over the segment or, where the crossings do not fit, over fewer steps from its beginning; returns
/// the segment that has been completed, with its result.
inline CompletedSegment advance_as_far_as_fits(Backend& backend, Segment segment) {
  for (;;) {
    LentResult result = backend.advance(segment);
    if (!result->overflow) return {segment, std::move(result)};
    POLHODE_ENSURE(segment.count > 1 && result->fill >= 1);
    segment.count = steps_that_fit(segment.count, result->fill);
  }
}

}  // namespace polhode

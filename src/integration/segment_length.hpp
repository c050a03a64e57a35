// How many steps the next segment takes. Its length changes no bit, so it may follow the clock: a tenth of a second is
// short enough to stop, to show progress and to stay in the caches, and long enough to cost nothing.
#pragma once

#include <algorithm>
#include <cstdint>

#include "integration/sink.hpp"
#include "polhode/core/run_spec.hpp"

namespace polhode {

class SegmentLength {
 public:
  SegmentLength(const IntegrationSpec& spec, std::int64_t snapshots_every, const RunLayout& layout)
      : longest_(spec.segment > 0 ? spec.segment : spec.steps) {
    if (const std::int64_t every = snapshots_every; every > 0) {
      // Snapshots of a segment are held in memory: at most 256 MiB, unless a single one is larger.
      const std::int64_t bytes = std::min(layout.n, layout.slice) * (layout.dim + layout.n_invariants) *
                                 static_cast<std::int64_t>(sizeof(double));
      const std::int64_t fitting = std::max<std::int64_t>(1, (std::int64_t{256} << 20) / bytes);
      if (every < longest_ / fitting) longest_ = every * fitting;
    }
  }

  /// With so many steps left, of which no short rest shall be left over.
  std::int64_t next(std::int64_t left) const {
    const std::int64_t length = std::min(length_, longest_);
    return left <= std::min(length + length / 2, longest_) ? left : length;
  }
  /// To what has turned out to fit.
  void shorten(std::int64_t fits) { length_ = fits; }
  void learn(std::int64_t steps, double seconds) {
    if (steps < std::min(length_, longest_)) return;  // cut short by the end
    const double factor = std::clamp(0.1 / std::max(seconds, 1e-6), 0.5, 2.0);
    length_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(steps) * factor));
  }

 private:
  std::int64_t length_ = 64, longest_;
};

}  // namespace polhode

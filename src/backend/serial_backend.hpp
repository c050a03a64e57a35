// A backend that computes one segment at a time, when it is asked for the results.
#pragma once

#include <chrono>
#include <utility>

#include "backend/backend.hpp"
#include "backend/pool.hpp"
#include "contract.hpp"

namespace polhode {

class SerialBackend : public Backend {
 public:
  std::size_t most_in_flight() const final { return 1; }
  void start(const Segment& segment, const BoundaryRequest& kept = {}) final {
    POLHODE_EXPECT(segment_.count == 0 && segment.count > 0);
    segment_ = segment;
    kept_ = kept;
  }
  LentResult finish() final {
    POLHODE_EXPECT(segment_.count > 0);
    using Clock = std::chrono::steady_clock;
    const Segment segment = std::exchange(segment_, {});
    LentResult result = results_.take();
    const Clock::time_point begin = Clock::now();
    compute(segment, *result);
    result->seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (result->overflow) return result;
    if (kept_.batch) keep_batch(segment, result->batch);
    if (kept_.counts) result->counts = counts();
    return result;
  }

 protected:
  /// Advances the trajectories over the segment, and fills in all of `result` but seconds, batch and counts; may reuse
  /// the memory of `result`. Where the crossings do not fit, only overflow and fill need be filled in, and the
  /// backend's batch stays where the segment began.
  virtual void compute(const Segment& segment, SegmentResult& result) = 0;
  /// Copies the backend's batch, now at the end of the segment, to `batch`; the old contents of `batch` are lost. If
  /// the segment ends at the last step of the plan, the backend's batch may be moved instead.
  virtual void keep_batch(const Segment& segment, Batch& batch) {
    static_cast<void>(segment);
    store(batch);
  }

 private:
  Segment segment_{};  ///< segment that was started; count = 0: none
  BoundaryRequest kept_;
  /// Two results: one is filled while the caller still has the other.
  Pool<SegmentResult, 2> results_{[] { return SegmentResult(); }};
};

}  // namespace polhode

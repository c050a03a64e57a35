// The integration of a toy from a checkpoint on, through a pipeline, as the program has it: a loop that starts and
// finishes segments, a writer beside it, and whatever may go wrong.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <stdexcept>
#include <thread>
#include <utility>

#include "backend/pipeline.hpp"
#include "backend/segments.hpp"
#include "pipeline/toy_run.hpp"
#include "pipeline/writer.hpp"

namespace polhode::test {

struct WriteFailure : std::runtime_error {
  WriteFailure() : std::runtime_error("the disk is full") {}
};

/// How often has occurred what is to be tested.
struct Tally {
  std::atomic<int> overflows, forgotten_slices, checkpoints, interruptions, kills, failed_writes, device_failures,
      resumed_slices;
};

/// What ends a session early. Negative numbers: nothing does.
struct Faults {
  int segments = -1;    ///< until it is interrupted
  bool killed = false;  ///< instead, with all that is in flight
  int writes = -1;      ///< that succeed
};

/// Runs from a checkpoint on.
template <class Device>
class Session {
 public:
  Session(const ToyRun& run, Device& device, Schedule& schedule, const Faults& faults, Tally& tally, ToyPlace& place,
          Record& checkpoint)
      : run_(run),
        schedule_(schedule),
        faults_(faults),
        tally_(tally),
        next_(place),
        start_(checkpoint),
        record_(checkpoint),
        place_(place),
        checkpoint_(checkpoint),
        pipeline_(device),
        writer_(schedule, [this](Written& written) { write(written); }) {}

  void integrate() {
    while (fill_pipeline()) {
      finish_one();
      if (--faults_.segments != 0) continue;
      ++(faults_.killed ? tally_.kills : tally_.interruptions);
      if (faults_.killed) return;
      interrupted_ = true;
    }
    writer_.finish();
    keep_checkpoint(next_, Device::boundary(pipeline_.store().results()));
  }

 private:
  struct Started {
    ToyPlace begin;
    bool stored;
  };
  struct Written {
    Started started;
    typename Pipeline<Device>::Finished finished;
  };

  ToyPlace after(const ToyPlace& begin, const Segment& segment) const {
    const std::int64_t step = begin.step + segment.count;
    return step == run_.steps ? ToyPlace{begin.slice + 1, 0} : ToyPlace{begin.slice, step};
  }

  /// False when everything has come to its end.
  bool fill_pipeline() {
    while (pipeline_.in_flight() < pipeline_.most_in_flight && next_.slice < run_.slices() && !interrupted_) {
      if (pipeline_.in_flight() > 0 && schedule_.draw(8) == 0) break;
      if (!loaded_) {
        if (schedule_.draw(4) == 0) pipeline_.load(run_.start_of(0));  // and forget it
        pipeline_.load(next_.step > 0 ? start_.batch : run_.start_of(next_.slice));
        loaded_ = true;
      }
      const std::int64_t left = run_.steps - next_.step;
      const Segment segment{next_.step, 1 + schedule_.draw(static_cast<unsigned>(std::min(longest_, left)))};
      const ToyPlace end = after(next_, segment);
      const bool stored = end.step == 0 || schedule_.draw(4) == 0;
      pipeline_.start(segment, stored);
      started_.push_back({next_, stored});
      loaded_ = end.step > 0;
      next_ = end;
    }
    return pipeline_.in_flight() > 0;
  }

  void finish_one() {
    auto finished = pipeline_.finish();
    const Started started = started_.at(0);
    started_.pop_front();
    EXPECT_EQ(finished.segment.first, started.begin.step);
    if (finished.overflow()) {
      ++tally_.overflows;
      if (next_.slice > started.begin.slice && loaded_) ++tally_.forgotten_slices;
      longest_ = steps_that_fit(finished.segment.count, finished.fill);
      if (longest_ >= finished.segment.count) throw std::logic_error("a single step overflows");
      next_ = started.begin;
      loaded_ = true;
      started_.clear();
      return;
    }
    longest_ = std::min(2 * longest_, run_.steps);
    writer_.add({started, std::move(finished)});
  }

  void write(Written& written) {
    if (faults_.writes == 0) {
      ++tally_.failed_writes;
      throw WriteFailure();
    }
    --faults_.writes;
    const ToySelection selection = Device::selection(written.finished.results());
    if (schedule_.threads && selection.points.size() % 4 == 3)
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    record_.lost += selection.lost;
    for (ToyPoint point : selection.points) {
      point.trajectory += written.started.begin.slice * run_.slice;
      record_.points.push_back(point);
    }
    if (!written.started.stored) return;
    const ToyPlace end = after(written.started.begin, written.finished.segment);
    const ToyBoundary boundary = Device::boundary(written.finished.results());
    if (end.step == 0) record_.finals.push_back(boundary.batch);
    keep_checkpoint(end, boundary);
  }

  void keep_checkpoint(const ToyPlace& place, const ToyBoundary& boundary) {
    ++tally_.checkpoints;
    place_ = place;
    checkpoint_ = record_;
    std::ranges::transform(boundary.counts, start_.counts, checkpoint_.counts.begin(), std::plus());
    checkpoint_.batch = place.step > 0 ? boundary.batch : ToyBatch{};
    checkpoint_.sort();
    EXPECT_TRUE(checkpoint_ == computed_serially(run_, place)) << "slice " << place.slice << ", step " << place.step;
  }

  const ToyRun& run_;
  Schedule& schedule_;
  Faults faults_;
  Tally& tally_;
  ToyPlace next_;        ///< where the next segment begins
  bool loaded_ = false;  ///< whether the device has the batch at that place
  bool interrupted_ = false;
  std::int64_t longest_ = run_.steps;
  std::deque<Started> started_;  ///< that are in flight
  const Record start_;
  Record record_;  ///< what is written; with the counts and the batch of the start
  ToyPlace& place_;
  Record& checkpoint_;  ///< up to that place
  Pipeline<Device> pipeline_;
  Writer<Written> writer_;  ///< last: it ends before what it writes from
};

}  // namespace polhode::test

// Segments that overlap: while one is computed, the results of the segment before it are copied out, and those of the
// segment before that are written.
//
// A device has two streams, on each of which work is done in the order in which it was queued. All computing is on one,
// which never waits for the host. What is large is copied on the other, once the host knows its size:
//
//   compute  | segment k | segment k + 1       | segment k + 2       |
//   copy                 | results k |         | results k + 1 |
//   host     start k + 1, finish k   start k + 2, finish k + 1       start k + 3, finish k + 2
//   writer                           | results k |                   | results k + 1 |
//
// Whether the crossings of a segment fitted is known only when it has been computed, and then others are queued behind
// it. Therefore the device is marked as overflowed if they did not: from there on the queue changes nothing. So the
// batch that the segment began with is still there, however many segments are queued behind it, since none writes the
// batch that it reads: two batches would do. The third is loaded with the next slice while the last segment of a slice
// is computed.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <deque>
#include <utility>

#include "backend/pool.hpp"
#include "contract.hpp"
#include "polhode/run/plan.hpp"

namespace polhode {

/// Device that a pipeline works with.
///   Stream  does its work in order, concurrently with other streams. Its destructor waits for all of it.
///   Event   the point of a stream at which it was last recorded. A stream, or the host, waits for it; a
///           wait for one that was never recorded returns at once.
///   Batch   trajectories at a boundary of segments, and the counts of their points; on the device.
///   HostBatch   a batch in memory of the host, from which upload() fills a Batch.
///   Slot    results of one segment: on the device and, for the caller, in pinned memory of the host.
/// The device itself has the running counts of a density, and a mark that it has overflowed. A function that takes a
/// stream queues work there and returns; until that work is done, nobody touches what the function was given. On a
/// device that has overflowed, propagate and select change neither trajectories nor counts.
template <class D>
concept PipelineDevice = requires(D device, typename D::Stream stream, typename D::Event event, typename D::Batch batch,
                                  typename D::Slot slot, const typename D::HostBatch host, const Segment segment) {
  { device.make_stream() } -> std::same_as<typename D::Stream>;
  { device.make_event() } -> std::same_as<typename D::Event>;
  { device.make_batch() } -> std::same_as<typename D::Batch>;
  { device.make_slot() } -> std::same_as<typename D::Slot>;

  event.record(stream);
  event.wait();
  stream.wait(event);

  // A segment, in this order.
  device.propagate(stream, segment, std::as_const(batch), batch, slot);  // captures crossings, as many as fit
  device.check(stream, slot);                                            // marks the device if some did not
  device.select(stream, batch, slot);  // refines crossings; adds them to the counts of batch and density
  device.keep_counts(stream, slot);    // of the density, in the slot, for copy_boundary
  device.copy_numbers(stream, slot);   // to the host: how many crossings and points there are

  // The following are queued beside later segments, when the host has the numbers.
  device.copy_results(stream, slot);                         // to the host: the points, and whatever else there is
  device.copy_boundary(stream, std::as_const(batch), slot);  // to the host: the batch, and the counts that were kept
  device.upload(stream, host, batch);  // by way of pinned memory of its own: `host` is free at once

  // Clears the mark. The batch is again the one that the segment of the slot began with.
  device.go_back(stream, batch, slot);

  /// Number of crossings of the slot's segment, divided by the number that there is room for; above 1 if they did not
  /// fit. Valid once the host has the numbers.
  { device.fill(std::as_const(slot)) } -> std::convertible_to<double>;
};

/// Pipeline of the segments of one slice after another on a device, which must outlive it. Its functions throw what the
/// device throws; after that the pipeline can only be destroyed. Its destructor waits for all queued work.
template <PipelineDevice Device>
class Pipeline {
  struct Slot {
    typename Device::Slot results;
    typename Device::Event computed;
  };
  using Slots = Pool<Slot, 3>;  // of the two segments in flight, and of one whose results the caller has

 public:
  static constexpr std::size_t most_in_flight = 2;

  /// A segment that has ended, with its results unless its crossings did not fit. The results are the caller's, in any
  /// thread, until this object is destroyed; that must happen before the pipeline is destroyed.
  class Finished {
   public:
    Finished(const Segment& segment, double fill) : segment(segment), fill(fill) {}
    Finished(const Segment& segment, double fill, typename Slots::Lent slot)
        : segment(segment), fill(fill), slot_(std::move(slot)) {}

    bool overflow() const { return slot_ == nullptr; }
    typename Device::Slot& results() const { return slot_->results; }

    Segment segment;
    double fill;  ///< number of crossings, divided by the number that there is room for; above 1 if they did not fit

   private:
    typename Slots::Lent slot_;
  };

  explicit Pipeline(Device& device)
      : device_(device),
        batches_{device.make_batch(), device.make_batch(), device.make_batch()},
        slots_([&] {
          return Slot{device.make_slot(), device.make_event()};
        }),
        uploaded_(device.make_event()),
        copied_(device.make_event()),
        compute_(device.make_stream()),
        copy_(device.make_stream()) {}

  std::size_t in_flight() const { return queue_.size(); }

  /// Loads a batch, with which the next segment begins. One segment may be in flight, the last of another slice; should
  /// it overflow, the batch has to be loaded again.
  void load(const typename Device::HostBatch& batch) {
    POLHODE_EXPECT(in_flight() < most_in_flight);
    // The batch that the segment in flight neither reads nor writes. All others have ended.
    now_ = after(queue_.empty() ? now_ : queue_.back().end);
    uploaded_.wait();  // one at a time
    device_.upload(copy_, batch, batches_[now_]);
    uploaded_.record(copy_);
    compute_.wait(uploaded_);
  }

  /// Queues a segment, which goes on from the segment queued before it, or from a batch loaded since. Waits while all
  /// slots are taken, by segments in flight or by results that the caller has. keeps_boundary: whether the results of
  /// the segment include the batch and the counts of the density at its end.
  void start(const Segment& segment, bool keeps_boundary = false) {
    POLHODE_EXPECT(in_flight() < most_in_flight && segment.count > 0);
    queue_.push_back({segment, now_, after(now_), keeps_boundary, slots_.take()});
    const Started& started = queue_.back();
    typename Device::Slot& results = started.slot->results;
    device_.propagate(compute_, segment, batches_[started.begin], batches_[started.end], results);
    device_.check(compute_, results);  // before anything is added to counts
    device_.select(compute_, batches_[started.end], results);
    if (keeps_boundary) device_.keep_counts(compute_, results);  // before the next segment adds to them
    device_.copy_numbers(compute_, results);
    started.slot->computed.record(compute_);
    now_ = started.end;
  }

  /// Waits for the oldest segment in flight, and for the copy of its results to the host. If its crossings did not fit,
  /// the segments started and batches loaded after it are forgotten, and the next segment begins where it began.
  Finished finish() {
    POLHODE_EXPECT(in_flight() > 0);
    Started oldest = std::move(queue_.front());
    queue_.pop_front();
    oldest.slot->computed.wait();
    const double fill = device_.fill(oldest.slot->results);
    if (fill > 1) {
      go_back_to(oldest);
      return {oldest.segment, fill};
    }
    device_.copy_results(copy_, oldest.slot->results);
    if (oldest.keeps_boundary) device_.copy_boundary(copy_, batches_[oldest.end], oldest.slot->results);
    wait_for_copies();
    return {oldest.segment, fill, std::move(oldest.slot)};
  }

  /// Results that consist only of the batch with which the next segment begins, and of the counts of the density,
  /// copied to the host. No segment may be in flight.
  Finished store() {
    POLHODE_EXPECT(in_flight() == 0);
    typename Slots::Lent slot = slots_.take();
    device_.keep_counts(compute_, slot->results);
    slot->computed.record(compute_);
    slot->computed.wait();
    device_.copy_boundary(copy_, batches_[now_], slot->results);
    wait_for_copies();
    return {{}, 0, std::move(slot)};
  }

 private:
  struct Started {
    Segment segment;
    std::size_t begin, end;  ///< indices of the batches at its boundaries
    bool keeps_boundary;     ///< as in start()
    typename Slots::Lent slot;
  };

  std::size_t after(std::size_t batch) const { return (batch + 1) % batches_.size(); }

  void go_back_to(const Started& failed) {
    for (const Started& later : queue_) later.slot->computed.wait();  // nothing uses a slot that is free
    queue_.clear();
    device_.go_back(compute_, batches_[failed.begin], failed.slot->results);
    now_ = failed.begin;
  }

  void wait_for_copies() {
    copied_.record(copy_);
    copied_.wait();
  }

  Device& device_;
  std::array<typename Device::Batch, 3> batches_;
  std::size_t now_ = 0;  ///< index of the batch that the next segment begins with
  Slots slots_;
  std::deque<Started> queue_;  ///< segments in flight
  typename Device::Event uploaded_, copied_;
  /// Declared last, so that they are destroyed first: their destructors wait for all queued work.
  typename Device::Stream compute_, copy_;
};

}  // namespace polhode

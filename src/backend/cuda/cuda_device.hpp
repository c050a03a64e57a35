// GPU as the PipelineDevice of a pipeline of segments (backend/pipeline.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "backend/backend.hpp"
#include "backend/cuda/cuda_backend.hpp"
#include "backend/cuda/device_memory.hpp"
#include "backend/cuda/pinned_memory.hpp"
#include "backend/cuda/streams.hpp"
#include "backend/pipeline.hpp"
#include "error.hpp"
#include "kernels/device_code.hpp"
#include "kernels/kernels.hpp"

namespace polhode {

/// Memory for all columns of a batch, up to the shape for which it was made.
template <template <class> class Buffer>
struct Columns {
  BatchShape shape;  ///< of the batch in it
  Carried<Buffer> buffers;

  Columns() = default;  ///< no memory
  explicit Columns(const BatchShape& largest) : shape(largest) {
    for_carried(
        [&](const CarriedColumn& column, auto& buffer) {
          buffer = std::remove_reference_t<decltype(buffer)>(column.columns(largest) * largest.n);
        },
        buffers);
  }
  BatchView view() const {
    BatchView view{{}, shape.n};
    for_carried([](const CarriedColumn&, auto& pointer, const auto& buffer) { pointer = buffer.data(); }, view,
                buffers);
    return view;
  }
};

/// Numbers of a segment that the device counts and the host has to know: of crossings, also of those that did not fit
/// into the list, of section points, and of crossings that could not be refined.
struct SegmentNumbers {
  std::int64_t crossings, found, unrefined;
};

class CudaDevice {
 public:
  using Stream = CudaStream;
  using Event = CudaEvent;
  using Batch = Columns<DeviceBuffer>;
  using HostBatch = polhode::Batch;

  /// Results of a segment, in pinned memory of the host. Most of the memory is allocated when it is first needed (few
  /// slots ever have a boundary), and again, larger, when segments become longer.
  struct Results {
    PinnedBuffer<SegmentNumbers> numbers;
    SegmentResult result;                  ///< points and snapshots; the backend fills in the rest
    PinnedBuffer<SampleMoments> moments;   ///< [t][blocks][observables]
    PinnedBuffer<std::int64_t> histogram;  ///< [t][cells]
    Columns<PinnedBuffer> boundary;        ///< batch at the end of the segment
    PinnedBuffer<std::int64_t> density;    ///< counts of the density at the end of the segment
  };
  struct Slot {
    BatchShape shape;
    Segment segment;
    std::int64_t times;  ///< number of times at which statistics are taken
    DeviceBuffer<SegmentNumbers> numbers;
    DeviceCrossings selected;
    DeviceBuffer<double> states;  ///< [t][dim + n_invariants][n], stored by the segment
    DeviceBuffer<SampleMoments> moments;
    DeviceBuffer<std::int64_t> histogram;
    DeviceBuffer<std::int64_t> density;
    CudaEvent begun, ended;
    Results host;
  };

  /// Device for batches of up to the shape `largest`, and for up to `capacity` crossings in a segment. counts: those of
  /// the density at the beginning.
  CudaDevice(const RunPlan& plan, const CudaKernels& kernels, const BatchShape& largest, std::int64_t capacity,
             std::span<const std::int64_t> counts)
      : plan_(plan),
        kernels_(kernels),
        largest_(largest),
        captured_(capacity, largest.dim, plan.section.long_steps),
        density_(std::ssize(counts)),
        overflowed_(1),
        staged_(largest) {
    if (!counts.empty())
      cuda_check(cudaMemcpy(density_.data(), counts.data(), counts.size_bytes(), cudaMemcpyHostToDevice),
                 "take over the density");
    cuda_check(cudaMemset(overflowed_.data(), 0, sizeof(std::uint32_t)), "clear a flag");
    // For which the streams of a pipeline do not wait.
    cuda_check(cudaStreamSynchronize(cudaStreamLegacy), "clear a flag");
  }

  Stream make_stream() { return Stream(); }
  Event make_event() { return Event(); }
  Batch make_batch() { return Batch(largest_); }
  Slot make_slot() {
    const std::int64_t room = stores_points() ? captured_.capacity() : 0, cells = density_.size();
    return {.shape = {},
            .segment = {},
            .times = 0,
            .numbers = DeviceBuffer<SegmentNumbers>(1),
            .selected = DeviceCrossings(room, largest_.dim, false),
            .states = {},
            .moments = {},
            .histogram = {},
            .density = DeviceBuffer<std::int64_t>(cells),
            .begun = CudaEvent(CudaEvent::to_measure),
            .ended = CudaEvent(CudaEvent::to_measure),
            .host = {.numbers = PinnedBuffer<SegmentNumbers>(1),
                     .result = pinned_result(largest_.dim),
                     .moments = {},
                     .histogram = {},
                     .boundary = {},
                     .density = PinnedBuffer<std::int64_t>(cells)}};
  }

  /// Queues the copy of a batch to the device; counts of crossings are left out where the run has no section.
  void upload(Stream& stream, const HostBatch& host, Batch& batch) {
    staged_.shape = host.shape();
    staged_.shape.n_sections = std::min(host.n_sections, largest_.n_sections);
    for_carried(
        [this](const CarriedColumn& column, const auto& from, auto& to) {
          std::copy_n(from.data(), column.columns(staged_.shape) * staged_.shape.n, to.data());
        },
        host, staged_.buffers);
    copy(staged_, batch, stream);
  }
  void propagate(Stream& stream, const Segment& segment, const Batch& in, Batch& out, Slot& slot) {
    out.shape = slot.shape = in.shape;
    slot.segment = segment;
    reserve_states(count_stored(plan_, segment) * snapshot_size(in.shape), slot);
    slot.begun.record(stream);
    cuda_check(cudaMemsetAsync(slot.numbers.data(), 0, sizeof(SegmentNumbers), stream), "clear a counter");
    cuda_check(kernels_.kernel->propagate(plan_, segment, in.view(), out.view(), captured(slot), slot.states.data(),
                                          overflowed_.data(), stream),
               "start a segment");
    if (in.shape.n_sections > 0) {
      for_crossing_counts(
          [&](const CarriedColumn& column, const std::int64_t* counts, std::int64_t* next) {
            cuda_check(launch_carry_on(counts, next, in.shape.n, overflowed_.data(), stream), column.name);
          },
          in.view(), out.view());
    }
    take_statistics(stream, in, out, slot);
  }
  void check(Stream& stream, Slot& slot) {
    if (has_section())
      cuda_check(launch_check(&slot.numbers.data()->crossings, captured_.capacity(), overflowed_.data(), stream),
                 "count the crossings");
  }
  /// Queues the refinement of the crossings of a slot, and the selection of section points from them, which are added
  /// to the counts of `batch` and of the density. Finds none on a device that has overflowed: the list of crossings is
  /// then empty, or too long and left alone.
  void select(Stream& stream, Batch& batch, Slot& slot) {
    if (!has_section()) return;
    SegmentNumbers* const numbers = slot.numbers.data();
    cuda_check(kernels_.kernel->collect(plan_, plan_.selection, captured(slot),
                                        {.found = &numbers->found,
                                         .unrefined = &numbers->unrefined,
                                         .counts = batch.view(),
                                         .density = density_.data(),
                                         .points = slot.selected.view()},
                                        stream),
               "refine the section points");
  }
  void keep_counts(Stream& stream, Slot& slot) { copy(density_.data(), slot.density.data(), density_.size(), stream); }
  void copy_numbers(Stream& stream, Slot& slot) {
    copy(slot.numbers.data(), slot.host.numbers.data(), 1, stream);
    slot.ended.record(stream);
  }
  void copy_results(Stream& stream, Slot& slot) {
    if (stores_points()) copy_points(stream, slot);
    copy_snapshots(stream, slot);
    const std::int64_t moments = slot.times * moments_per_time(slot), cells = slot.times * cells_per_time();
    reserve(slot.host.moments, moments);
    reserve(slot.host.histogram, cells);
    copy(slot.moments.data(), slot.host.moments.data(), moments, stream);
    copy(slot.histogram.data(), slot.host.histogram.data(), cells, stream);
  }
  void copy_boundary(Stream& stream, const Batch& batch, Slot& slot) {
    if (slot.host.boundary.shape.n == 0) slot.host.boundary = Columns<PinnedBuffer>(largest_);
    copy(batch, slot.host.boundary, stream);
    copy(slot.density.data(), slot.host.density.data(), density_.size(), stream);
  }
  void go_back(Stream& stream, Batch& batch, Slot& slot) {
    batch.shape = slot.shape;  // which a segment of another slice may have replaced, without writing the batch
    cuda_check(cudaMemsetAsync(overflowed_.data(), 0, sizeof(std::uint32_t), stream), "repeat a segment");
  }

  /// Seconds on the device from the beginning to the end of a segment; copies of other segments may have gone on
  /// meanwhile.
  double seconds(const Slot& slot) const { return slot.ended.seconds_since(slot.begun); }
  double fill(const Slot& slot) const {
    if (!has_section()) return 0;
    return static_cast<double>(slot.host.numbers.data()->crossings) / static_cast<double>(captured_.capacity());
  }
  /// Statistics of a segment at each of its times; its results must have been copied to the host.
  std::vector<SliceStatistics> statistics(const Slot& slot) const {
    const std::int64_t moments = moments_per_time(slot), cells = cells_per_time();
    std::vector<SliceStatistics> all;
    for (std::int64_t t = 0; t < slot.times; ++t) {
      const std::int64_t* const counts = slot.host.histogram.data() + t * cells;
      all.push_back(
          {merge_blocks(plan_.statistics, {slot.host.moments.data() + t * moments, static_cast<std::size_t>(moments)}),
           {counts, counts + cells}});
    }
    return all;
  }

 private:
  SegmentResult pinned_result(int dim) const {
    std::pmr::memory_resource* const pinned = PinnedMemory::instance();
    SegmentResult result{
        .section = {}, .snapshots = std::pmr::vector<double>(pinned), .statistics = {}, .batch = {}, .counts = {}};
    if (stores_points())
      result.section.emplace_back(SectionPoints{.dim = dim,
                                                .trajectory = std::pmr::vector<std::int64_t>(pinned),
                                                .step = std::pmr::vector<std::int64_t>(pinned),
                                                .theta = std::pmr::vector<double>(pinned),
                                                .state = std::pmr::vector<double>(pinned)});
    return result;
  }

  /// Makes a buffer hold at least `size` elements; one that must grow loses its contents. No queued work may use the
  /// old memory any more; freeing it waits for the device.
  template <class Buffer>
  static void reserve(Buffer& buffer, std::int64_t size) {
    if (size <= buffer.size()) return;
    buffer = {};
    buffer = Buffer(size);
  }
  void reserve_states(std::int64_t size, Slot& slot) const {
    if (size <= slot.states.size()) return;
    slot.states = {};
    const std::int64_t bytes = size * std::int64_t{sizeof(double)}, free = free_device_bytes();
    if (bytes > free)
      throw UnavailableError("the snapshots of a segment do not fit on the GPU (" + std::to_string(slot.segment.count) +
                             " steps leave " + megabytes(bytes) + ", " + megabytes(free) +
                             " are free). Choose a shorter run.segment.");
    slot.states = DeviceBuffer<double>(size);
  }

  /// Queues the statistics of a segment, into moments and histogram of the slot; on a device that has overflowed, those
  /// of whatever states there are.
  void take_statistics(Stream& stream, const Batch& in, const Batch& out, Slot& slot) const {
    const std::vector<StatesAt> all =
        states_for_statistics(plan_, slot.segment, in.shape, in.view(), out.view(), slot.states.data());
    slot.times = std::ssize(all);
    const std::int64_t moments = moments_per_time(slot), cells = cells_per_time();
    reserve(slot.moments, slot.times * moments);
    reserve(slot.histogram, slot.times * cells);
    if (slot.times * cells > 0)
      cuda_check(cudaMemsetAsync(slot.histogram.data(), 0, slot.times * cells * sizeof(std::int64_t), stream),
                 "clear the histograms");
    for (std::int64_t t = 0; t < slot.times; ++t)
      cuda_check(kernels_.observers->statistics(plan_, plan_.statistics, all[t], slot.moments.data() + t * moments,
                                                slot.histogram.data() + t * cells, stream),
                 "take statistics");
  }
  std::int64_t moments_per_time(const Slot& slot) const { return count_blocks(slot.shape.n) * plan_.statistics.count; }
  std::int64_t cells_per_time() const { return count_cells(plan_.statistics); }

  void copy_points(Stream& stream, Slot& slot) const {
    const std::int64_t found = slot.host.numbers.data()->found;
    const CrossingView from = slot.selected.view();
    SectionPoints& to = slot.host.result.section.front();
    const std::int64_t room = std::min(2 * found, captured_.capacity());
    resize_pinned(to.trajectory, found, room);
    resize_pinned(to.step, found, room);
    resize_pinned(to.theta, found, room);
    resize_pinned(to.state, found * largest_.dim, room * largest_.dim);
    copy(from.trajectory, to.trajectory.data(), found, stream);
    copy(from.step, to.step.data(), found, stream);
    copy(from.theta, to.theta.data(), found, stream);
    copy(from.state, to.state.data(), found * largest_.dim, stream);
  }
  void copy_snapshots(Stream& stream, Slot& slot) const {
    const std::int64_t size = snapshot_size(slot.shape);
    std::int64_t handed_out = 0;
    for_stored(plan_, slot.segment, [&](std::int64_t step) { handed_out += hands_out(plan_, step); });
    resize_pinned(slot.host.result.snapshots, handed_out * size, 0);
    const double* from = slot.states.data();
    double* to = slot.host.result.snapshots.data();
    for_stored(plan_, slot.segment, [&](std::int64_t step) {
      if (hands_out(plan_, step)) {
        copy(from, to, size, stream);
        to += size;
      }
      from += size;
    });
  }

  template <class T>
  static void copy(const T* from, T* to, std::int64_t size, const Stream& stream) {
    if (size == 0) return;
    cuda_check(cudaMemcpyAsync(to, from, size * sizeof(T), cudaMemcpyDefault, stream), "copy its results");
  }
  template <template <class> class From, template <class> class To>
  static void copy(const Columns<From>& from, Columns<To>& to, const Stream& stream) {
    to.shape = from.shape;
    for_carried(
        [&](const CarriedColumn& column, const auto& source, auto& destination) {
          copy(source.data(), destination.data(), column.columns(from.shape) * from.shape.n, stream);
        },
        from.buffers, to.buffers);
  }

  bool has_section() const { return plan_.section.observable >= 0; }
  bool stores_points() const { return has_section() && plan_.selection.points; }
  CrossingView captured(const Slot& slot) const { return captured_.view(&slot.numbers.data()->crossings); }

  RunPlan plan_;
  CudaKernels kernels_;
  BatchShape largest_;
  DeviceCrossings captured_;  ///< crossings of the segment that is computed
  DeviceBuffer<std::int64_t> density_;
  DeviceBuffer<std::uint32_t> overflowed_;
  Columns<PinnedBuffer> staged_;  ///< batch on its way to the device
};

static_assert(PipelineDevice<CudaDevice>);

}  // namespace polhode

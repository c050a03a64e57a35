// A GPU as a pipeline of segments asks for it (backend/pipeline.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>

#include "backend/batch.hpp"
#include "backend/cuda/device_memory.hpp"
#include "backend/cuda/pinned_memory.hpp"
#include "backend/cuda/streams.hpp"
#include "backend/pipeline.hpp"

namespace polhode {

/// All columns of batches up to a shape.
template <template <class> class Buffer>
struct Columns {
  BatchShape shape;  ///< of the batch in it
  Carried<Buffer> buffers;

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

/// What the host has to know of a segment.
struct SegmentNumbers {
  std::int64_t crossings, found, unrefined;
};

/// Launches of the kernels of a segment; each returns the status of its launch. Where `poison` is set, kernels return
/// at once.
struct SegmentKernels {
  cudaError_t (*propagate)(const Plan& plan, const Segment& segment, const BatchView& in, const BatchView& out,
                           const CrossingView& captured, const std::uint32_t* poison, cudaStream_t stream);
  /// Sets `poison` if there are more crossings than room.
  cudaError_t (*check)(const CrossingView& captured, std::uint32_t* poison, cudaStream_t stream);
  /// Refines as many crossings as were captured, which the host does not know.
  cudaError_t (*select)(const Plan& plan, const CrossingView& captured, const CrossingView& selected,
                        SegmentNumbers* numbers, const BatchView& batch, std::int64_t* density,
                        const std::uint32_t* poison, cudaStream_t stream);
};

class CudaDevice {
 public:
  using Stream = CudaStream;
  using Event = CudaEvent;
  using Batch = Columns<DeviceBuffer>;
  using HostBatch = polhode::Batch;

  struct Points {
    PinnedBuffer<std::int64_t> trajectory, step;  ///< [capacity], the first numbers.found are points
    PinnedBuffer<double> theta, state;            ///< [capacity], [capacity][dim]
  };
  /// In memory of the host.
  struct Results {
    PinnedBuffer<SegmentNumbers> numbers;
    Points points;
    Columns<PinnedBuffer> boundary;
    PinnedBuffer<std::int64_t> density;  ///< counts at that boundary
  };
  struct Slot {
    BatchShape shape;
    DeviceBuffer<SegmentNumbers> numbers;
    DeviceCrossings selected;
    DeviceBuffer<std::int64_t> density;
    CudaEvent begun, ended;
    Results host;
  };

  /// For batches up to a shape; `cells` is the number of counts of the density.
  CudaDevice(const Plan& plan, const SegmentKernels& kernels, const BatchShape& largest, std::int64_t capacity,
             std::int64_t cells)
      : plan_(plan),
        kernels_(kernels),
        largest_(largest),
        captured_(capacity, largest.dim, plan.section.long_steps),
        density_(cells),
        poison_(1),
        staged_(largest) {
    if (cells > 0) cuda_check(cudaMemset(density_.data(), 0, cells * sizeof(std::int64_t)), "clear its counts");
    cuda_check(cudaMemset(poison_.data(), 0, sizeof(std::uint32_t)), "clear its counts");
    // For which the streams of a pipeline do not wait.
    cuda_check(cudaStreamSynchronize(cudaStreamLegacy), "clear its counts");
  }

  Stream make_stream() { return Stream(); }
  Event make_event() { return Event(); }
  Batch make_batch() { return Batch(largest_); }
  Slot make_slot() {
    const std::int64_t room = plan_.selection.points ? captured_.capacity() : 0, cells = density_.size();
    const auto integers = [](std::int64_t size) { return PinnedBuffer<std::int64_t>(size); };
    return {.shape = {},
            .numbers = DeviceBuffer<SegmentNumbers>(1),
            .selected = DeviceCrossings(room, largest_.dim, false),
            .density = DeviceBuffer<std::int64_t>(cells),
            .begun = CudaEvent(CudaEvent::to_measure),
            .ended = CudaEvent(CudaEvent::to_measure),
            .host = {.numbers = PinnedBuffer<SegmentNumbers>(1),
                     .points = {integers(room), integers(room), PinnedBuffer<double>(room),
                                PinnedBuffer<double>(room * largest_.dim)},
                     .boundary = Columns<PinnedBuffer>(largest_),
                     .density = integers(cells)}};
  }

  void upload(Stream& stream, const HostBatch& host, Batch& batch) {
    staged_.shape = host.shape();
    for_carried([](const CarriedColumn&, const auto& from, auto& to) { std::ranges::copy(from, to.data()); }, host,
                staged_.buffers);
    copy(staged_, batch, stream);
  }
  void propagate(Stream& stream, const Segment& segment, const Batch& in, Batch& out, Slot& slot) {
    out.shape = slot.shape = in.shape;
    slot.begun.record(stream);
    cuda_check(cudaMemsetAsync(slot.numbers.data(), 0, sizeof(SegmentNumbers), stream), "clear a counter");
    cuda_check(kernels_.propagate(plan_, segment, in.view(), out.view(), captured(slot), poison_.data(), stream),
               "start a segment");
  }
  void check(Stream& stream, Slot& slot) {
    cuda_check(kernels_.check(captured(slot), poison_.data(), stream), "count the crossings");
  }
  void select(Stream& stream, Batch& batch, Slot& slot) {
    cuda_check(kernels_.select(plan_, captured(slot), slot.selected.view(), slot.numbers.data(), batch.view(),
                               density_.data(), poison_.data(), stream),
               "select the section points");
  }
  void keep_counts(Stream& stream, Slot& slot) { copy(density_, slot.density, density_.size(), stream); }
  void copy_numbers(Stream& stream, Slot& slot) {
    copy(slot.numbers, slot.host.numbers, 1, stream);
    slot.ended.record(stream);
  }
  void copy_results(Stream& stream, Slot& slot) {
    if (!plan_.selection.points) return;
    const std::int64_t found = slot.host.numbers.data()->found;
    const CrossingView from = slot.selected.view();
    const Points& to = slot.host.points;
    copy_to_host(to.trajectory.data(), from.trajectory, found, stream);
    copy_to_host(to.step.data(), from.step, found, stream);
    copy_to_host(to.theta.data(), from.theta, found, stream);
    copy_to_host(to.state.data(), from.state, found * largest_.dim, stream);
  }
  void copy_boundary(Stream& stream, const Batch& batch, Slot& slot) {
    copy(batch, slot.host.boundary, stream);
    copy(slot.density, slot.host.density, density_.size(), stream);
  }
  void go_back(Stream& stream, Batch& batch, Slot& slot) {
    batch.shape = slot.shape;  // which a segment of another slice may have replaced, without writing the batch
    cuda_check(cudaMemsetAsync(poison_.data(), 0, sizeof(std::uint32_t), stream), "repeat a segment");
  }

  /// Time that a segment took, beside whatever else the device did.
  double seconds(const Slot& slot) const { return slot.ended.seconds_since(slot.begun); }
  double fill(const Slot& slot) const {
    return static_cast<double>(slot.host.numbers.data()->crossings) / static_cast<double>(captured_.capacity());
  }

 private:
  template <class From, class To>
  static void copy(const From& from, To& to, std::int64_t size, const Stream& stream) {
    if (size == 0) return;
    cuda_check(cudaMemcpyAsync(to.data(), from.data(), size * sizeof(*to.data()), cudaMemcpyDefault, stream),
               "copy its results");
  }
  template <template <class> class From, template <class> class To>
  static void copy(const Columns<From>& from, Columns<To>& to, const Stream& stream) {
    to.shape = from.shape;
    for_carried(
        [&](const CarriedColumn& column, const auto& source, auto& destination) {
          copy(source, destination, column.columns(from.shape) * from.shape.n, stream);
        },
        from.buffers, to.buffers);
  }

  CrossingView captured(const Slot& slot) const { return captured_.view(&slot.numbers.data()->crossings); }

  Plan plan_;
  SegmentKernels kernels_;
  BatchShape largest_;
  DeviceCrossings captured_;  ///< of the segment that is computed
  DeviceBuffer<std::int64_t> density_;
  DeviceBuffer<std::uint32_t> poison_;
  Columns<PinnedBuffer> staged_;  ///< of an upload
};

static_assert(PipelineDevice<CudaDevice>);

}  // namespace polhode

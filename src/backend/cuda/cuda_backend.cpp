// Synchronous: all work is queued on one stream, for which the host waits once after the time loop, for the number of
// crossings captured, and once after these are refined and copied out.
#include "backend/cuda/cuda_backend.hpp"

#include <unistd.h>

#include <algorithm>
#include <memory_resource>
#include <ranges>
#include <utility>

#include "backend/consistency.hpp"
#include "backend/cuda/device_memory.hpp"
#include "backend/select_points.hpp"
#include "contract.hpp"
#include "error.hpp"
#include "kernels/kernels.hpp"
#include "kernels/ordering.hpp"

namespace polhode {
namespace {

struct DestroyStream {
  void operator()(cudaStream_t stream) const { cudaStreamDestroy(stream); }
};

/// A stream of its own, so that others can be added later.
class Stream {
 public:
  Stream() {
    cudaStream_t stream = nullptr;
    cuda_check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "create a stream");
    stream_.reset(stream);
  }
  operator cudaStream_t() const { return stream_.get(); }
  void wait(const char* what) const { cuda_check(cudaStreamSynchronize(stream_.get()), what); }

 private:
  std::unique_ptr<std::remove_pointer_t<cudaStream_t>, DestroyStream> stream_;
};

/// Pinned host memory, to which a device writes directly: several times faster than through the driver's buffers.
/// Ordinary memory if the driver refuses that. Whole pages, because a copy must not touch both kinds.
class PinnedMemory final : public std::pmr::memory_resource {
  static constexpr std::size_t page = 4096;
  static std::size_t whole_pages(std::size_t bytes) { return (bytes + page - 1) / page * page; }

  void* do_allocate(std::size_t bytes, std::size_t) override {
    void* const memory = std::pmr::new_delete_resource()->allocate(whole_pages(bytes), page);
    if (cudaHostRegister(memory, whole_pages(bytes), cudaHostRegisterDefault) != cudaSuccess) cudaGetLastError();
    return memory;
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t) override {
    if (cudaHostUnregister(memory) != cudaSuccess) cudaGetLastError();
    std::pmr::new_delete_resource()->deallocate(memory, whole_pages(bytes), page);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

/// Empty list of points whose arrays will be in pinned memory.
SectionPoints pinned_points() {
  static PinnedMemory memory;
  return {.dim = 0,
          .trajectory = std::pmr::vector<std::int64_t>(&memory),
          .step = std::pmr::vector<std::int64_t>(&memory),
          .theta = std::pmr::vector<double>(&memory),
          .state = std::pmr::vector<double>(&memory)};
}

/// Free device memory, less a reserve for the rounding of allocations and for the runtime itself.
std::int64_t free_bytes() {
  constexpr std::int64_t reserve = std::int64_t{64} << 20;
  std::size_t free = 0, total = 0;
  cuda_check(cudaMemGetInfo(&free, &total), "report its memory");
  return std::max<std::int64_t>(0, static_cast<std::int64_t>(free) - reserve);
}

std::string megabytes(std::int64_t bytes) { return std::to_string((bytes + 999'999) / 1'000'000) + " MB"; }

class CudaBackend final : public Backend {
 public:
  CudaBackend(const Plan& plan, const CudaKernels& kernels, int dim, const CudaOptions& options)
      : plan_(plan), kernels_(kernels), dim_(dim), capacity_(options.capacity) {
    int device = 0;
    cuda_check(cudaGetDevice(&device), "be chosen");
    cuda_check(cudaGetDeviceProperties(&properties_, device), "report its properties");
  }

  /// Enough to occupy every multiprocessor many times over, if there is memory left for snapshots.
  std::int64_t preferred_batch() const override {
    std::int64_t batch = std::int64_t{1} << 22;
    while (batch > 1024 && bytes_for(batch) > free_bytes() / 4 * 3) batch /= 2;
    return batch;
  }
  void require(std::int64_t n) const override {
    const std::int64_t free = free_bytes();
    if (bytes_for(n) <= free) return;
    const auto fewer = std::views::iota(std::int64_t{1}, n);
    const auto too_many = std::ranges::partition_point(fewer, [&](std::int64_t k) { return bytes_for(k) <= free; });
    throw UnavailableError(std::to_string(n) + " trajectories at a time do not fit on the GPU (they need " +
                           megabytes(bytes_for(n)) + ", " + megabytes(free) + " are free). Set run.slice, to " +
                           std::to_string(std::bit_floor(static_cast<std::uint64_t>(*too_many - 1))) +
                           " at most; or use --backend cpu.");
  }
  void load(Batch batch) override {
    POLHODE_EXPECT(is_complete(batch) && batch.dim == dim_ && batch.n_invariants == shape(batch.n).n_invariants);
    release();
    require(batch.n);
    now_ = DeviceBatch(batch.shape());
    next_ = DeviceBatch(batch.shape());
    if (with_section()) {
      count_ = DeviceBuffer<std::int64_t>(1);
      const std::int64_t capacity = roomy_capacity(batch.n);
      captured_ = DeviceCrossings(capacity, dim_, plan_.section.long_steps);
      ordered_ = DeviceCrossings(capacity, dim_, plan_.section.long_steps);
      scratch_ = DeviceBuffer<std::byte>(scratch_bytes(capacity));
    }
    now_.upload(batch, stream_);
    next_.upload(batch, stream_);  // defines what a segment does not write
    stream_.wait("take over the ensemble");
  }

  using Backend::advance;
  void advance(const Segment& segment, SegmentResult& result) override {
    POLHODE_EXPECT(segment.first >= 0 && segment.count > 0 && segment.first + segment.count <= plan_.last_step);
    POLHODE_EXPECT(n() > 0);
    result.overflow = false;
    result.section.resize(std::min<std::size_t>(result.section.size(), with_section() ? 1 : 0));
    if (with_section() && result.section.empty()) result.section.push_back(pinned_points());
    result.start_counts(plan_, result.section.size(), n());
    result.snapshots.resize(snapshot_size(plan_, segment, now_.shape()));
    const auto n_snapshots = static_cast<std::int64_t>(result.snapshots.size());
    reserve_snapshots(n_snapshots, segment);

    if (with_section()) cuda_check(cudaMemsetAsync(count_.data(), 0, sizeof(std::int64_t), stream_), "clear a counter");
    cuda_check(kernels_.propagate(plan_, segment, now_.view(), next_.view(), captured_.view(count_.data()),
                                  snapshots_.data(), stream_),
               "start a segment");
    stream_.wait("finish a segment");
    if (with_section()) {
      std::int64_t count = 0;
      copy_to_host(&count, count_.data(), 1, stream_);
      stream_.wait("count the section points");
      result.overflow = count > captured_.capacity();
      result.fill = static_cast<double>(count) / static_cast<double>(captured_.capacity());
      if (result.overflow) return;
      collect(count, crossings_in(result));
    }
    std::swap(now_, next_);
    copy_to_host(result.snapshots.data(), snapshots_.data(), n_snapshots, stream_);
    if (n_snapshots > 0) {
      result.steps.resize(n());
      copy_to_host(result.steps.data(), now_.view().steps, n(), stream_);
    }
    stream_.wait("hand out a segment");
    if (with_section()) select(result);
  }

  void store(Batch& batch) const override {
    batch = Batch(now_.shape());
    now_.download(batch, stream_);
    stream_.wait("hand out the ensemble");
  }

  std::string device() const override { return properties_.name; }
  std::string isa() const override {
    return "sm_" + std::to_string(properties_.major) + std::to_string(properties_.minor);
  }

 private:
  static constexpr std::int64_t fewest_crossings = std::int64_t{1} << 22, most_crossings = std::int64_t{1} << 25;

  bool with_section() const { return plan_.section.observable >= 0; }
  std::int64_t n() const { return now_.shape().n; }
  BatchShape shape(std::int64_t n) const { return shape_of(plan_, n, dim_); }

  /// Destination of the crossings of a segment: the result, unless it stores no points.
  SectionPoints& crossings_in(SegmentResult& result) {
    return plan_.selection.points ? result.section.front() : crossings_;
  }

  /// Orders and refines the crossings of a segment and starts copying them out.
  void collect(std::int64_t count, SectionPoints& points) {
    const CrossingView ordered = ordered_.view();
    cuda_check(order_crossings(captured_.view(), ordered, count, dim_, n(), scratch_.data(), scratch_.size(), stream_),
               "order the section points");
    cuda_check(kernels_.refine(plan_, ordered, count, stream_), "refine the section points");
    // The list is overwritten without being cleared, which would set it to zero first. If it is too small, its contents
    // are not copied either.
    if (const auto room = static_cast<std::size_t>(count); room > points.trajectory.capacity()) {
      points = pinned_points();
      points.trajectory.reserve(room + room / 4);
      points.step.reserve(room + room / 4);
      points.theta.reserve(room + room / 4);
      points.state.reserve((room + room / 4) * dim_);
    }
    points.dim = dim_;
    points.resize(count);
    copy_to_host(points.trajectory.data(), ordered.trajectory, count, stream_);
    copy_to_host(points.step.data(), ordered.step, count, stream_);
    copy_to_host(points.theta.data(), ordered.theta, count, stream_);
    copy_to_host(points.state.data(), ordered.state, count * dim_, stream_);
  }

  /// Leaves the points that the plan selects from the crossings of a segment. On the host.
  void select(SegmentResult& result) {
    SectionPoints& points = crossings_in(result);
    std::int64_t count = points.size();
    const CrossingView list{
        count, &count, points.trajectory.data(), points.step.data(), points.theta.data(), points.state.data()};
    const std::int64_t kept = select_points(kernels_.select_points, plan_, list, count, 0, result);
    if (plan_.selection.points) points.resize(kept);
  }

  std::int64_t capacity_for(std::int64_t n) const {
    return std::max(capacity_ > 0 ? capacity_ : fewest_crossings, least_capacity(plan_.section, n));
  }
  /// More where there is memory for it: a segment of a tenth of a second has tens of millions of crossings.
  std::int64_t roomy_capacity(std::int64_t n) const {
    std::int64_t capacity = capacity_for(n);
    if (capacity_ > 0) return capacity;
    // Of the device a quarter, beside one snapshot; of the host's memory, where two lists of points are pinned, an
    // eighth.
    const std::int64_t numbers = plan_.snapshots_every > 0 ? (dim_ + shape(n).n_invariants) * n : 0;
    const std::int64_t room = (free_bytes() - numbers * std::int64_t{sizeof(double)}) / 4;
    const std::int64_t host_room = std::int64_t{sysconf(_SC_PHYS_PAGES)} / 8 * sysconf(_SC_PAGESIZE);
    const auto fits = [&](std::int64_t more) {
      return crossing_bytes(more) <= room && 2 * DeviceCrossings::bytes(more, dim_, false) <= host_room;
    };
    while (2 * capacity <= most_crossings && fits(2 * capacity)) capacity *= 2;
    return capacity;
  }
  std::int64_t crossing_bytes(std::int64_t capacity) const {
    return 2 * DeviceCrossings::bytes(capacity, dim_, plan_.section.long_steps) + scratch_bytes(capacity);
  }
  static std::int64_t scratch_bytes(std::int64_t capacity) {
    std::size_t bytes = 0;
    cuda_check(ordering_scratch(capacity, &bytes), "plan the ordering of section points");
    return static_cast<std::int64_t>(bytes);
  }
  std::int64_t bytes_for(std::int64_t n) const {
    const std::int64_t batches = 2 * DeviceBatch::bytes(shape(n));
    if (!with_section()) return batches;
    return batches + crossing_bytes(capacity_for(n));
  }

  void reserve_snapshots(std::int64_t size, const Segment& segment) {
    if (size <= snapshots_.size()) return;
    snapshots_ = {};
    const std::int64_t bytes = size * std::int64_t{sizeof(double)}, free = free_bytes();
    if (bytes > free)
      throw UnavailableError("the snapshots of a segment do not fit on the GPU (" + std::to_string(segment.count) +
                             " steps leave " + megabytes(bytes) + ", " + megabytes(free) +
                             " are free). Choose a shorter run.segment.");
    snapshots_ = DeviceBuffer<double>(size);
  }

  /// Frees the memory of an earlier ensemble before another one is allocated.
  void release() {
    now_ = {};
    next_ = {};
    captured_ = {};
    ordered_ = {};
    scratch_ = {};
    snapshots_ = {};
  }

  Plan plan_;
  CudaKernels kernels_;
  int dim_;
  std::int64_t capacity_;  ///< 0: what there is memory for
  cudaDeviceProp properties_{};
  Stream stream_;
  DeviceBatch now_, next_;
  DeviceBuffer<double> snapshots_;
  DeviceBuffer<std::int64_t> count_;  ///< crossings captured in a segment, including those that did not fit
  DeviceCrossings captured_, ordered_;
  SectionPoints crossings_ = pinned_points();  ///< those of a segment, if the result stores no points
  DeviceBuffer<std::byte> scratch_;
};

}  // namespace

std::string cuda_problem() {
  int devices = 0;
  cudaError_t status = cudaGetDeviceCount(&devices);
  if (status == cudaSuccess) status = devices > 0 ? find_device_code() : cudaErrorNoDevice;
  if (status == cudaSuccess) return {};
  cudaGetLastError();  // reported here; it must not appear again at the next launch
  return std::string("CUDA is compiled in, but no usable device was found: ") + cudaGetErrorString(status);
}

void choose_cuda_device(int process) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0) cudaSetDevice(process % devices);
  cudaGetLastError();  // cuda_problem() reports the problem if CUDA is asked for
}

std::unique_ptr<Backend> make_cuda_backend(const Plan& plan, const CudaKernels* kernels, int dim,
                                           const CudaOptions& options) {
  if (const std::string problem = cuda_problem(); !problem.empty())
    throw UnavailableError("backend cuda is unavailable (" + problem + "). Use --backend cpu.");
  return std::make_unique<CudaBackend>(plan, *kernels, dim, options);
}

}  // namespace polhode

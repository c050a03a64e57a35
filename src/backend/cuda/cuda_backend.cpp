// Synchronous: all work of a segment is queued on one stream, for which the host waits once, for the numbers of
// crossings and points, and once more after the points are copied out.
#include "backend/cuda/cuda_backend.hpp"

#include <unistd.h>

#include <algorithm>
#include <memory_resource>
#include <ranges>
#include <utility>

#include "backend/consistency.hpp"
#include "backend/cuda/device_memory.hpp"
#include "backend/cuda/fma_units.hpp"
#include "contract.hpp"
#include "error.hpp"
#include "kernels/device_code.hpp"
#include "kernels/kernels.hpp"

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

/// Counts of a segment, on the device.
struct Tally {
  std::int64_t crossings = 0;  ///< captured, including those that did not fit
  std::int64_t found = 0, unrefined = 0;
};

class CudaBackend final : public Backend {
 public:
  CudaBackend(const Plan& plan, const CudaKernels& kernels, int dim, const CudaOptions& options)
      : plan_(plan), kernels_(kernels), dim_(dim), capacity_(options.capacity) {
    set_counts(std::vector<std::int64_t>(count_cells(plan.selection)));
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
      const std::int64_t capacity = roomy_capacity(batch.n);
      crossings_ = DeviceCrossings(capacity, dim_, plan_.section.long_steps);
      if (plan_.selection.points) points_ = DeviceCrossings(capacity, dim_, false);
    }
    now_.upload(batch, stream_);
    next_.upload(batch, stream_);  // defines what a segment does not write
    stream_.wait("take over the ensemble");
  }

  using Backend::advance;
  void advance(const Segment& segment, SegmentResult& result) override {
    POLHODE_EXPECT(segment.first >= 0 && segment.count > 0 && segment.first + segment.count <= plan_.last_step);
    POLHODE_EXPECT(n() > 0);
    result.section.resize(std::min<std::size_t>(result.section.size(), stores_points() ? 1 : 0));
    if (stores_points() && result.section.empty()) result.section.push_back(pinned_points());
    const std::int64_t n_stored = count_stored(plan_, segment) * snapshot_size(now_.shape());
    reserve_snapshots(n_stored, segment);

    const BatchView in = now_.view(), out = next_.view();
    Tally tally;
    copy_to_device(tally_.data(), &tally, 1, stream_);
    cuda_check(kernels_.propagate(plan_, segment, in, out, crossings_.view(&tally_.data()->crossings),
                                  snapshots_.data(), stream_),
               "start a segment");
    if (with_section()) collect(in, out);
    const std::vector<StatesAt> states =
        states_for_statistics(plan_, segment, now_.shape(), in, out, snapshots_.data());
    take_statistics(states);
    copy_to_host(&tally, tally_.data(), 1, stream_);
    stream_.wait("finish a segment");

    result.fill =
        with_section() ? static_cast<double>(tally.crossings) / static_cast<double>(crossings_.capacity()) : 0;
    result.overflow = result.fill > 1;
    if (result.overflow) return;
    result.found = tally.found;
    result.unrefined = tally.unrefined;
    std::swap(now_, next_);
    if (stores_points()) hand_out_points(tally.found, result.section.front());
    hand_out_snapshots(segment, result.snapshots);
    hand_out_statistics(states.size(), result.statistics);
    stream_.wait("hand out a segment");
    merge_statistics(result.statistics);
  }

  std::vector<std::int64_t> counts() override {
    std::vector<std::int64_t> counts(counts_.size());
    copy_to_host(counts.data(), counts_.data(), counts_.size(), stream_);
    stream_.wait("hand out the density");
    return counts;
  }
  void set_counts(std::vector<std::int64_t> counts) override {
    if (counts_.size() != std::ssize(counts)) counts_ = DeviceBuffer<std::int64_t>(std::ssize(counts));
    copy_to_device(counts_.data(), counts.data(), counts_.size(), stream_);
    stream_.wait("take over the density");
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

  bool stores_points() const { return with_section() && plan_.selection.points; }

  /// Refines the crossings of a segment and selects from them.
  void collect(const BatchView& in, const BatchView& out) {
    const bool counted = now_.shape().n_sections > 0;
    if (counted)
      cuda_check(cudaMemcpyAsync(out.section_count, in.section_count, n() * sizeof(std::int64_t),
                                 cudaMemcpyDeviceToDevice, stream_),
                 "carry on the counts of section points");
    Tally* const tally = tally_.data();
    cuda_check(kernels_.collect(plan_, crossings_.view(&tally->crossings),
                                {.found = &tally->found,
                                 .unrefined = &tally->unrefined,
                                 .section_count = counted ? out.section_count : nullptr,
                                 .counts = counts_.data(),
                                 .points = points_.view()},
                                stream_),
               "refine the section points");
  }

  void take_statistics(const std::vector<StatesAt>& all) {
    const std::int64_t moments = count_blocks(n()) * plan_.statistics.count, cells = count_cells(plan_.statistics);
    const std::int64_t times = std::ssize(all);
    if (times * moments > moments_.size()) moments_ = DeviceBuffer<SampleMoments>(times * moments);
    if (times * cells > histograms_.size()) histograms_ = DeviceBuffer<std::int64_t>(times * cells);
    if (times * cells > 0)
      cuda_check(cudaMemsetAsync(histograms_.data(), 0, times * cells * sizeof(std::int64_t), stream_),
                 "clear the histograms");
    for (std::int64_t time = 0; time < times; ++time)
      cuda_check(kernels_.statistics(plan_, all[time], moments_.data() + time * moments,
                                     histograms_.data() + time * cells, stream_),
                 "take statistics");
  }

  void hand_out_points(std::int64_t count, SectionPoints& points) {
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
    const CrossingView selected = points_.view();
    copy_to_host(points.trajectory.data(), selected.trajectory, count, stream_);
    copy_to_host(points.step.data(), selected.step, count, stream_);
    copy_to_host(points.theta.data(), selected.theta, count, stream_);
    copy_to_host(points.state.data(), selected.state, count * dim_, stream_);
  }

  void hand_out_snapshots(const Segment& segment, std::vector<double>& snapshots) {
    const std::int64_t size = snapshot_size(now_.shape());
    std::int64_t handed_out = 0;
    for_stored(plan_, segment, [&](std::int64_t step) { handed_out += hands_out(plan_, step); });
    snapshots.resize(handed_out * size);
    const double* from = snapshots_.data();
    double* to = snapshots.data();
    for_stored(plan_, segment, [&](std::int64_t step) {
      if (hands_out(plan_, step)) {
        copy_to_host(to, from, size, stream_);
        to += size;
      }
      from += size;
    });
  }

  /// Starts copying the moments of all blocks.
  void hand_out_statistics(std::size_t times, std::vector<SliceStatistics>& statistics) {
    statistics.resize(times);
    const std::int64_t moments = count_blocks(n()) * plan_.statistics.count, cells = count_cells(plan_.statistics);
    for (std::size_t time = 0; time < times; ++time) {
      const auto t = static_cast<std::int64_t>(time);
      statistics[time].moments.resize(moments);
      statistics[time].counts.resize(cells);
      copy_to_host(statistics[time].moments.data(), moments_.data() + t * moments, moments, stream_);
      copy_to_host(statistics[time].counts.data(), histograms_.data() + t * cells, cells, stream_);
    }
  }
  void merge_statistics(std::vector<SliceStatistics>& statistics) const {
    for (SliceStatistics& slice : statistics)
      slice.moments = merge_blocks(slice.moments, static_cast<std::size_t>(plan_.statistics.count));
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
    const bool stores = plan_.snapshots_every > 0 || plan_.statistics.every > 0;
    const std::int64_t numbers = stores ? snapshot_size(shape(n)) : 0;
    const std::int64_t room = (free_bytes() - numbers * std::int64_t{sizeof(double)}) / 4;
    const std::int64_t host_room = std::int64_t{sysconf(_SC_PHYS_PAGES)} / 8 * sysconf(_SC_PAGESIZE);
    const auto fits = [&](std::int64_t more) {
      return crossing_bytes(more) <= room && 2 * DeviceCrossings::bytes(more, dim_, false) <= host_room;
    };
    while (2 * capacity <= most_crossings && fits(2 * capacity)) capacity *= 2;
    return capacity;
  }
  std::int64_t crossing_bytes(std::int64_t capacity) const {
    return DeviceCrossings::bytes(capacity, dim_, plan_.section.long_steps) +
           (plan_.selection.points ? DeviceCrossings::bytes(capacity, dim_, false) : 0);
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
    crossings_ = {};
    points_ = {};
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
  DeviceBuffer<Tally> tally_{1};
  DeviceCrossings crossings_, points_;   ///< captured; selected
  DeviceBuffer<std::int64_t> counts_;    ///< of the density
  DeviceBuffer<SampleMoments> moments_;  ///< [t][blocks][observables]
  DeviceBuffer<std::int64_t> histograms_;
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

double cuda_fma_peak(Precision precision) {
  int device = 0, major = 0, minor = 0, multiprocessors = 0, kilohertz = 0;
  cuda_check(cudaGetDevice(&device), "be chosen");
  const auto ask = [&](int& value, cudaDeviceAttr attribute) {
    cuda_check(cudaDeviceGetAttribute(&value, attribute, device), "report its properties");
  };
  ask(major, cudaDevAttrComputeCapabilityMajor);
  ask(minor, cudaDevAttrComputeCapabilityMinor);
  ask(multiprocessors, cudaDevAttrMultiProcessorCount);
  ask(kilohertz, cudaDevAttrClockRate);
  return fma_units(major, minor, precision) * multiprocessors * (1e3 * kilohertz);
}

std::unique_ptr<Backend> make_cuda_backend(const Plan& plan, const CudaKernels* kernels, int dim,
                                           const CudaOptions& options) {
  if (const std::string problem = cuda_problem(); !problem.empty())
    throw UnavailableError("backend cuda is unavailable (" + problem + "). Use --backend cpu.");
  return std::make_unique<CudaBackend>(plan, *kernels, dim, options);
}

}  // namespace polhode

#include "backend/cuda/cuda_backend.hpp"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <deque>
#include <memory>
#include <ranges>
#include <utility>

#include "backend/consistency.hpp"
#include "backend/cuda/cuda_device.hpp"
#include "backend/cuda/fma_units.hpp"
#include "contract.hpp"
#include "error.hpp"

namespace polhode {
namespace {

int chosen_device = 0;

int ask_device(cudaDeviceAttr attribute) {
  int value = 0;
  cuda_check(cudaDeviceGetAttribute(&value, attribute, chosen_device), "report its properties");
  return value;
}

class CudaBackend final : public Backend {
  using Segments = Pipeline<CudaDevice>;

 public:
  CudaBackend(const RunPlan& plan, const CudaKernels& kernels, int dim, const CudaOptions& options)
      : plan_(plan),
        kernels_(kernels),
        dim_(dim),
        capacity_(options.capacity),
        counts_(static_cast<std::size_t>(count_cells(plan.selection))) {
    cuda_check(cudaSetDevice(chosen_device), "be chosen");
    cuda_check(find_device_code(), "run this program");
    cuda_check(cudaGetDeviceProperties(&properties_, chosen_device), "report its properties");
  }

  /// Batch size of 2^22 trajectories, which occupy every multiprocessor many times over; halved, down to 1024, until at
  /// least a quarter of the free device memory is left for snapshots, and the host can pin a batch for every slot and
  /// one for uploads.
  std::int64_t preferred_batch() const override {
    std::int64_t batch = std::int64_t{1} << 22;
    const auto fits = [&](std::int64_t n) {
      return bytes_for(n) <= free_device_bytes() / 4 * 3 && (slots + 1) * batch_bytes(n) <= host_room();
    };
    while (batch > 1024 && !fits(batch)) batch /= 2;
    return batch;
  }
  void require(std::int64_t n) const override {
    const std::int64_t free = free_device_bytes();
    if (bytes_for(n) <= free) return;
    const auto fewer = std::views::iota(std::int64_t{1}, n);
    const auto too_many = std::ranges::partition_point(fewer, [&](std::int64_t k) { return bytes_for(k) <= free; });
    const auto most = std::bit_floor(static_cast<std::uint64_t>(*too_many - 1));
    throw UnavailableError(std::to_string(n) + " trajectories at a time do not fit on the GPU (they need " +
                           megabytes(bytes_for(n)) + ", " + megabytes(free) + " are free). " +
                           (most > 0 ? "Set run.slice, to " + std::to_string(most) + " at most; or use --backend cpu."
                                     : "Free memory of the GPU, or use --backend cpu."));
  }
  void load(Batch batch) override {
    POLHODE_EXPECT(is_complete(batch) && batch.dim == dim_ && batch.n_invariants == shape(batch.n).n_invariants);
    if (batch.n > most_trajectories_) reserve(batch.n);
    segments_->load(batch);
  }

  std::size_t most_in_flight() const override { return Segments::most_in_flight; }
  void start(const Segment& segment, const BoundaryRequest& kept) override {
    POLHODE_EXPECT(segment.first >= 0 && segment.count > 0 && segment.first + segment.count <= plan_.last_step);
    POLHODE_EXPECT(most_trajectories_ > 0);
    segments_->start(segment, kept.batch || kept.counts);
    kept_.push_back(kept);
  }
  LentResult finish() override {
    auto finished = std::make_shared<Segments::Finished>(segments_->finish());
    if (finished->overflow()) {
      kept_.clear();
      auto overflow = std::make_shared<SegmentResult>();
      overflow->overflow = true;
      overflow->fill = finished->fill;
      return overflow;
    }
    CudaDevice::Results& host = finished->results().host;
    SegmentResult& result = host.result;
    result.fill = finished->fill;
    result.seconds = device_->seconds(finished->results());
    result.found = host.numbers.data()->found;
    result.unrefined = host.numbers.data()->unrefined;
    result.statistics = device_->statistics(finished->results());
    if (kept_.front().batch) store(host, result.batch);
    if (kept_.front().counts) result.counts = counts(host);
    kept_.pop_front();
    return {finished, &result};
  }

  std::vector<std::int64_t> counts() override {
    return most_trajectories_ > 0 ? counts(segments_->store().results().host) : counts_;
  }
  void set_counts(std::vector<std::int64_t> counts) override {
    release();
    counts_ = std::move(counts);
  }
  void store(Batch& batch) const override { store(segments_->store().results().host, batch); }

  std::string device() const override { return properties_.name; }
  std::string isa() const override {
    return "sm_" + std::to_string(properties_.major) + std::to_string(properties_.minor);
  }

 private:
  static constexpr std::int64_t fewest_crossings = std::int64_t{1} << 22, most_crossings = std::int64_t{1} << 25;
  static constexpr int batches = 3, slots = 3;  ///< numbers of them that a pipeline has (backend/pipeline.hpp)

  bool has_section() const { return plan_.section.observable >= 0; }
  BatchShape shape(std::int64_t n) const { return shape_of(plan_, n, dim_); }

  /// Allocates memory for batches of up to n trajectories, in place of the memory that there is; once a run, since no
  /// later slice is larger. The counts of the density are kept. Throws UnavailableError where the batches do not fit.
  void reserve(std::int64_t n) {
    std::vector<std::int64_t> counts = this->counts();
    release();
    counts_ = std::move(counts);
    require(n);
    device_ = std::make_unique<CudaDevice>(plan_, kernels_, shape(n), has_section() ? roomy_capacity(n) : 0, counts_);
    segments_ = std::make_unique<Segments>(*device_);
    most_trajectories_ = n;
  }
  void release() {
    most_trajectories_ = 0;
    kept_.clear();
    segments_.reset();
    device_.reset();
  }

  static void store(const CudaDevice::Results& host, Batch& batch) {
    const Columns<PinnedBuffer>& from = host.boundary;
    if (batch.shape() != from.shape) batch = Batch(from.shape);
    for_carried([](const CarriedColumn&, const auto& column,
                   auto& array) { std::copy_n(column.data(), array.size(), array.data()); },
                from.buffers, batch);
  }
  static std::vector<std::int64_t> counts(const CudaDevice::Results& host) {
    return {host.density.data(), host.density.data() + host.density.size()};
  }

  std::int64_t capacity_for(std::int64_t n) const {
    const std::int64_t least = least_capacity(plan_.section, n);
    if (capacity_ > 0) return std::max(capacity_, least);
    // A short run of few trajectories cannot have more.
    return least < fewest_crossings / plan_.last_step ? least * plan_.last_step : std::max(fewest_crossings, least);
  }
  /// Capacity in crossings: capacity_for(n), which is doubled, up to most_crossings, while the crossings take at most a
  /// quarter of the memory that batches and stored states leave: a segment of a tenth of a second has tens of millions.
  /// Not doubled where the capacity is given or the run is short, nor where points are handed out: more points at once
  /// would save no time on the bus, and need more pinned memory.
  std::int64_t roomy_capacity(std::int64_t n) const {
    std::int64_t capacity = capacity_for(n);
    if (capacity_ > 0 || capacity < fewest_crossings || plan_.selection.points) return capacity;
    // A quarter of what is free beside batches, and beside the states of one time in every slot.
    const bool stores = plan_.snapshots_every > 0 || plan_.statistics_every > 0;
    const std::int64_t stored = stores ? slots * snapshot_size(shape(n)) : 0;
    const std::int64_t room =
        (free_device_bytes() - batches * batch_bytes(n) - stored * std::int64_t{sizeof(double)}) / 4;
    while (2 * capacity <= most_crossings && crossing_bytes(2 * capacity) <= room) capacity *= 2;
    return capacity;
  }
  /// Bytes of host memory that may be pinned for batches: an eighth of the host's memory.
  static std::int64_t host_room() { return std::int64_t{sysconf(_SC_PHYS_PAGES)} / 8 * sysconf(_SC_PAGESIZE); }
  std::int64_t batch_bytes(std::int64_t n) const { return n * static_cast<std::int64_t>(carried_bytes(shape(n))); }
  /// Bytes of device memory for the points in all slots; 0 where points are only counted.
  std::int64_t selected_bytes(std::int64_t capacity) const {
    return plan_.selection.points ? slots * DeviceCrossings::bytes(capacity, dim_, false) : 0;
  }
  std::int64_t crossing_bytes(std::int64_t capacity) const {
    return DeviceCrossings::bytes(capacity, dim_, plan_.section.long_steps) + selected_bytes(capacity);
  }
  std::int64_t bytes_for(std::int64_t n) const {
    return batches * batch_bytes(n) + (has_section() ? crossing_bytes(capacity_for(n)) : 0);
  }

  RunPlan plan_;
  CudaKernels kernels_;
  int dim_;
  std::int64_t capacity_;  ///< CudaOptions::capacity; 0: chosen for the run
  cudaDeviceProp properties_{};
  std::vector<std::int64_t> counts_;    ///< counts of the density, while there is no device_ to hold them
  std::int64_t most_trajectories_ = 0;  ///< largest batch that memory is allocated for; 0: no memory is allocated
  std::unique_ptr<CudaDevice> device_;
  std::unique_ptr<Segments> segments_;
  std::deque<BoundaryRequest> kept_;  ///< requests of the segments in flight, the oldest first
};

}  // namespace

std::string cuda_problem() {
  int devices = 0;
  cudaError_t status = cudaGetDeviceCount(&devices);
  if (status == cudaSuccess && devices == 0) status = cudaErrorNoDevice;
  if (status == cudaSuccess) return {};
  cudaGetLastError();  // reported here; it must not appear again at the next launch
  return std::string("CUDA is compiled in, but no usable device was found: ") + cudaGetErrorString(status);
}

void choose_cuda_device(int process) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0) chosen_device = process % devices;
  cudaGetLastError();  // cuda_problem() reports the problem if CUDA is asked for
}

int cuda_capability() {
  return 10 * ask_device(cudaDevAttrComputeCapabilityMajor) + ask_device(cudaDevAttrComputeCapabilityMinor);
}

double cuda_fma_peak(Precision precision) {
  return fma_units(ask_device(cudaDevAttrComputeCapabilityMajor), ask_device(cudaDevAttrComputeCapabilityMinor),
                   precision) *
         ask_device(cudaDevAttrMultiProcessorCount) * (1e3 * ask_device(cudaDevAttrClockRate));
}

std::unique_ptr<Backend> make_cuda_backend(const RunPlan& plan, const CudaKernels& kernels, int dim,
                                           const CudaOptions& options) {
  if (const std::string problem = cuda_problem(); !problem.empty())
    throw UnavailableError("backend cuda is unavailable (" + problem + "). Use --backend cpu.");
  return std::make_unique<CudaBackend>(plan, kernels, dim, options);
}

}  // namespace polhode

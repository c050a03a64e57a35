#include "backend/cpu/cpu_backend.hpp"

#include <algorithm>
#include <atomic>
#include <bit>

#include "backend/consistency.hpp"
#include "backend/serial_backend.hpp"
#include "contract.hpp"
#include "parallel_for.hpp"

namespace polhode {
namespace {

/// Alignment of data that a thread writes at every section point, against false sharing: two cache lines, which a
/// processor may fetch together.
constexpr std::size_t bytes_apart = 128;

/// Crossings of the block on which a thread works. Pages of its arrays take no memory until they are written.
class CrossingList {
 public:
  CrossingList(std::int64_t capacity, int dim, bool with_slopes)
      : capacity_(capacity),
        trajectory_(new std::int64_t[capacity]),
        step_(new std::int64_t[capacity]),
        theta_(new double[capacity]),
        state_(new double[capacity * dim]),
        slope_(with_slopes ? new double[capacity] : nullptr) {}

  std::int64_t count = 0;
  CrossingView view() {
    return {capacity_, &count, trajectory_.get(), step_.get(), theta_.get(), state_.get(), slope_.get()};
  }

 private:
  std::int64_t capacity_;
  std::unique_ptr<std::int64_t[]> trajectory_, step_;
  std::unique_ptr<double[]> theta_, state_, slope_;
};

/// Findings of a thread in a segment. Its `cells` are added to the counts of the density later: when the next segment
/// begins, or in load() or counts().
struct alignas(bytes_apart) ThreadOutput {
  CrossingList list;
  std::vector<std::uint32_t> cells = {};  ///< cell of the density of each point that is still to be counted
  std::int64_t found = 0, unrefined = 0;
  std::int64_t most_crossings = 0;  ///< largest number of crossings of a block
};

class CpuBackend final : public SerialBackend {
 public:
  CpuBackend(const RunPlan& plan, const CpuKernels& kernels, Isa isa, const CpuOptions& options)
      : plan_(plan),
        kernels_(kernels),
        isa_(isa),
        capacity_(options.capacity),
        threads_(static_cast<int>(threads_of(options.threads))),
        counts_(count_cells(plan.selection)) {}

  /// Batch size of 2^14 trajectories for each thread, the number of threads rounded up to a power of two: so large that
  /// starting and ending a slice costs nothing, and so small that a segment of a tenth of a second has many steps. With
  /// 2^18 trajectories a segment had 76 steps, and a run took a sixth longer (docs/decisions/time-loop.md).
  std::int64_t preferred_batch() const override {
    return static_cast<std::int64_t>(std::bit_ceil(static_cast<unsigned>(threads_))) << 14;
  }
  void load(Batch batch) override {
    POLHODE_EXPECT(is_complete(batch) && batch.n_invariants == std::popcount(plan_.invariants));
    now_ = std::move(batch);
    // A segment writes all of it, so that the pages of the slice before can be reused.
    if (next_.shape() != now_.shape()) next_ = Batch(now_.shape());
    if (plan_.section.observable < 0) return;
    const std::int64_t capacity = std::max(capacity_, least_capacity(plan_.section, now_.n));
    if (capacity == segment_capacity_) return;
    segment_capacity_ = capacity;
    count_all();
    finds_.clear();
    for (int t = 0; t < threads_; ++t)
      finds_.push_back({CrossingList(segment_capacity_, now_.dim, plan_.section.long_steps)});
  }

  std::vector<std::int64_t> counts() override {
    count_all();
    return counts_;
  }
  void set_counts(std::vector<std::int64_t> counts) override {
    for (ThreadOutput& finds : finds_) finds.cells.clear();
    counts_ = std::move(counts);
  }
  void store(Batch& batch) const override { batch = now_; }

  std::string device() const override {
    return "cpu, " + std::to_string(threads_) + (threads_ == 1 ? " thread" : " threads");
  }
  std::string isa() const override { return isa_names[static_cast<int>(isa_)]; }

 protected:
  void compute(const Segment& segment, SegmentResult& result) override {
    POLHODE_EXPECT(segment.count > 0 && segment.first + segment.count <= plan_.last_step);
    POLHODE_EXPECT(now_.n > 0 && has_completed(now_, segment.first));
    result.section.resize(finds_.size());
    for (SectionPoints& points : result.section) {
      points.resize(0);
      points.dim = now_.dim;  // a thread may get no block at all
    }
    result.snapshots.resize(count_stored(plan_, segment) * snapshot_size(now_));
    const BatchView in = now_.view(), out = next_.view();
    result.fill = advance_blocks(segment, in, out, result);
    result.overflow = result.fill > 1;
    if (result.overflow) {
      for (ThreadOutput& finds : finds_) finds.cells.clear();
      return;
    }
    result.found = result.unrefined = 0;
    for (const ThreadOutput& finds : finds_) {
      result.found += finds.found;
      result.unrefined += finds.unrefined;
    }
    take_statistics(states_for_statistics(plan_, segment, now_, in, out, result.snapshots.data()), result);
    keep_handed_out(plan_, segment, now_, result.snapshots);
    std::swap(now_, next_);
    POLHODE_ENSURE(has_completed(now_, segment.first + segment.count));
  }
  /// Copies the backend's batch, now at the end of the segment, to `batch`; at the last step of the plan swaps the two,
  /// because all threads would wait for a copy.
  void keep_batch(const Segment& segment, Batch& batch) override {
    if (segment.first + segment.count == plan_.last_step)
      std::swap(batch, now_);
    else
      store(batch);
  }

 private:
  /// Advances all trajectories from `in` to `out`, refines their crossings, selects from these, and appends the points
  /// to result.section. Returns SegmentResult::fill, for the fullest block or for the selected points of all threads,
  /// whichever is larger; 0 without a section. Above 1 the crossings do not fit, and some blocks may not be done.
  ///
  /// Threads take blocks of a few packs as they become free; which thread takes which block affects no bit. Blocks are
  /// small, so that their crossings are captured and refined in the cache (stores that miss it would stall the time
  /// loop), and of one pack at the end, so that no thread waits long for the last one.
  double advance_blocks(const Segment& segment, const BatchView& in, const BatchView& out, SegmentResult& result) {
    double* const snapshots = result.snapshots.empty() ? nullptr : result.snapshots.data();
    const std::int64_t packs = (now_.n + kernels_.lanes - 1) / kernels_.lanes;
    std::atomic<std::int64_t> taken{0};  // packs; every thread goes beyond the last one once
    struct Block {
      std::int64_t first, count;
    };
    const auto take_block = [&] {
      Block block{taken.load(), 0};
      do {
        block.count = std::clamp<std::int64_t>((packs - block.first) / (4 * threads_), 1, longest_block);
      } while (!taken.compare_exchange_weak(block.first, block.first + block.count));
      return block;
    };
    std::atomic<bool> overflow{false};
    std::atomic<std::int64_t> found{0};
    for (ThreadOutput& finds : finds_) finds.found = finds.unrefined = finds.most_crossings = 0;
    for (std::int64_t t = packs; t < std::ssize(finds_); ++t) count(finds_[t].cells);  // for which there is no pack
    parallel_for(std::min<std::int64_t>(threads_, packs), threads_, [&](std::int64_t thread) {
      ThreadOutput* const finds = finds_.empty() ? nullptr : &finds_[thread];
      const CrossingView crossings = finds ? finds->list.view() : CrossingView{};
      if (finds) count(finds->cells);
      while (!overflow) {
        const auto [first_pack, count] = take_block();
        if (first_pack >= packs) break;
        const std::int64_t first = first_pack * kernels_.lanes;
        const std::int64_t last = std::min(first + count * kernels_.lanes, now_.n);
        if (finds) finds->list.count = 0;
        kernels_.propagate(plan_, segment, in, out, crossings, snapshots, first, last);
        if (!finds) continue;
        finds->most_crossings = std::max(finds->most_crossings, finds->list.count);
        if (finds->list.count > segment_capacity_) {
          overflow = true;  // the segment will be repeated
          break;
        }
        kernels_.refine(plan_, crossings, 0, finds->list.count);
        if (now_.n_sections > 0) {
          for_crossing_counts([&](const CarriedColumn&, const std::int64_t* before,
                                  std::int64_t* after) { std::copy(before + first, before + last, after + first); },
                              in, out);
        }
        const std::int64_t selected = select(crossings, *finds, out, result.section[thread]);
        // Of all threads together, which share the blocks as they come.
        if ((found += selected) > std::ssize(finds_) * segment_capacity_) overflow = true;
      }
    });
    if (finds_.empty()) return 0;
    // As many of the rest, where not all blocks were done.
    const double done = static_cast<double>(std::clamp<std::int64_t>(taken, 1, packs)) / static_cast<double>(packs);
    const auto room = static_cast<double>(segment_capacity_), threads = static_cast<double>(finds_.size());
    const std::int64_t most = std::ranges::max_element(finds_, {}, &ThreadOutput::most_crossings)->most_crossings;
    return std::max(static_cast<double>(found) / (threads * room * (overflow ? done : 1)),
                    static_cast<double>(most) / room);
  }

  /// Selects points from `list`, the refined crossings of a block. Adds their number and cells to `finds`, with the
  /// number of crossings that could not be refined, and counts each trajectory's crossings in `out`. If the plan stores
  /// points, moves the selected ones to the front of `list` and appends them to `points`. Returns the number of
  /// selected points.
  std::int64_t select(const CrossingView& list, ThreadOutput& finds, const BatchView& out, SectionPoints& points) {
    const bool counted = has_density(plan_.selection);
    const std::size_t before = finds.cells.size();
    if (counted) finds.cells.resize(before + *list.count);
    SelectedPoints selected{.counts = {}, .cells = finds.cells.data() + before};
    if (now_.n_sections > 0) selected.counts = out;
    kernels_.select_points(plan_, plan_.selection, list, *list.count, selected);
    if (counted) finds.cells.resize(before + selected.found);
    finds.found += selected.found;
    finds.unrefined += selected.unrefined;
    if (plan_.selection.points) append(points, list, selected.found);
    return selected.found;
  }

  /// Appends the first k crossings of a list to `points`.
  void append(SectionPoints& points, const CrossingView& list, std::int64_t k) const {
    points.trajectory.insert(points.trajectory.end(), list.trajectory, list.trajectory + k);
    points.step.insert(points.step.end(), list.step, list.step + k);
    points.theta.insert(points.theta.end(), list.theta, list.theta + k);
    points.state.insert(points.state.end(), list.state, list.state + k * now_.dim);
  }

  /// Adds the cells that a thread found in a segment to the counts of the density, and clears them. Threads do so at
  /// the beginning of the next segment, when it is known that the segment need not be repeated.
  void count(std::vector<std::uint32_t>& cells) {
    for (const std::uint32_t cell : cells)
      std::atomic_ref(counts_[cell]).fetch_add(1, std::memory_order_relaxed);  // of other threads too
    cells.clear();
  }
  void count_all() {
    for (ThreadOutput& finds : finds_) count(finds.cells);
  }

  void take_statistics(const std::vector<StatesAt>& all, SegmentResult& result) const {
    result.statistics.assign(all.size(), {});
    if (all.empty()) return;
    const auto times = std::ssize(all);
    const std::int64_t blocks = count_blocks(now_.n), observables = plan_.statistics.count,
                       cells = count_cells(plan_.statistics);
    std::vector<SampleMoments> moments(times * blocks * observables);
    std::vector<std::vector<std::int64_t>> counts(threads_);
    std::atomic<std::int64_t> taken{0};
    parallel_for(std::min<std::int64_t>(threads_, times * blocks), threads_, [&](std::int64_t thread) {
      counts[thread].resize(times * cells);
      for (std::int64_t k; (k = taken++) < times * blocks;) {
        const std::int64_t time = k / blocks;
        kernels_.statistics(plan_, plan_.statistics, all[time], k % blocks, &moments[k * observables],
                            counts[thread].data() + time * cells);
      }
    });
    for (std::int64_t time = 0; time < times; ++time) {
      SliceStatistics& slice = result.statistics[time];
      slice.moments =
          merge_blocks(plan_.statistics, std::span(moments).subspan(time * blocks * observables, blocks * observables));
      slice.counts.assign(cells, 0);
      for (const auto& of_thread : counts)  // empty where there was nothing to do
        for (std::size_t i = 0; i < slice.counts.size() && !of_thread.empty(); ++i)
          slice.counts[i] += of_thread[time * cells + i];
    }
  }

  static constexpr std::int64_t longest_block = 4;  ///< in packs

  RunPlan plan_;
  CpuKernels kernels_;
  Isa isa_;
  std::int64_t capacity_, segment_capacity_ = 0;
  int threads_;
  Batch now_, next_;
  std::vector<ThreadOutput> finds_;   ///< one for each thread; empty without a section
  std::vector<std::int64_t> counts_;  ///< counts of the density
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend(const RunPlan& plan, const CpuKernels& kernels, Isa isa,
                                          const CpuOptions& options) {
  return std::make_unique<CpuBackend>(plan, kernels, isa, options);
}

}  // namespace polhode

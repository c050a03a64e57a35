#include "backend/cpu/cpu_backend.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <exception>
#include <thread>

#include "backend/consistency.hpp"
#include "backend/select_points.hpp"
#include "contract.hpp"

namespace polhode {
namespace {

/// Crossings of the block on which a thread works. Its pages cost nothing until they are used.
class alignas(bytes_apart) CrossingList {
 public:
  CrossingList(std::int64_t capacity, int dim, bool of_long_steps)
      : capacity_(capacity),
        trajectory_(new std::int64_t[capacity]),
        step_(new std::int64_t[capacity]),
        theta_(new double[capacity]),
        state_(new double[capacity * dim]),
        slope_(of_long_steps ? new double[capacity] : nullptr) {}

  std::int64_t count = 0;
  CrossingView view() {
    return {capacity_, &count, trajectory_.get(), step_.get(), theta_.get(), state_.get(), slope_.get()};
  }

 private:
  std::int64_t capacity_;
  std::unique_ptr<std::int64_t[]> trajectory_, step_;
  std::unique_ptr<double[]> theta_, state_, slope_;
};

class CpuBackend final : public Backend {
 public:
  CpuBackend(const Plan& plan, const CpuKernels& kernels, Isa isa, const CpuOptions& options)
      : plan_(plan),
        kernels_(kernels),
        isa_(isa),
        capacity_(options.capacity),
        threads_(options.threads > 0 ? options.threads
                                     : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()))) {}

  /// Large enough that starting and ending a slice costs nothing, and small enough that a segment of a tenth of a
  /// second has a thousand steps: with 2^18 trajectories it had 76, and segments took a sixth of the run.
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
    lists_.clear();
    for (int t = 0; t < threads_; ++t) lists_.emplace_back(segment_capacity_, now_.dim, plan_.section.long_steps);
  }

  using Backend::advance;
  void advance(const Segment& segment, SegmentResult& result) override {
    POLHODE_EXPECT(segment.count > 0 && segment.first + segment.count <= plan_.last_step);
    POLHODE_EXPECT(now_.n > 0 && has_completed(now_, segment.first));
    result.section.resize(lists_.size());
    for (SectionPoints& points : result.section) {
      points.resize(0);
      points.dim = now_.dim;  // a thread may get no block at all
    }
    result.start_counts(plan_, lists_.size(), now_.n);
    result.snapshots.resize(snapshot_size(plan_, segment, now_));
    double* const snapshots = result.snapshots.empty() ? nullptr : result.snapshots.data();

    // Blocks of a few packs, taken by threads as they become free; which thread takes which affects no bit. Small, so
    // that a block's crossings are captured and refined in the cache, because stores that miss it would stall the time
    // loop; and of one pack at the end, so that no thread waits long for the last one.
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
    std::atomic<bool> overflow{false}, failed{false};
    std::atomic<std::int64_t> found{0};
    std::vector<std::int64_t> most(lists_.size());  // crossings of a block, by thread
    std::exception_ptr thrown;                      // exception of the first thread that failed
    const auto work = [&](int thread) {
      CrossingList* const list = lists_.empty() ? nullptr : &lists_[thread];
      const CrossingView crossings = list ? list->view() : CrossingView{};
      std::int64_t most_here = 0;
      while (!overflow && !failed) {
        const auto [first, count] = take_block();
        if (first >= packs) break;
        if (list) list->count = 0;
        kernels_.propagate(plan_, segment, now_.view(), next_.view(), crossings, snapshots, first * kernels_.lanes,
                           std::min((first + count) * kernels_.lanes, now_.n));
        if (!list) continue;
        most_here = std::max(most_here, list->count);
        if (list->count > segment_capacity_) {
          overflow = true;  // the segment will be repeated
          break;
        }
        kernels_.refine(plan_, crossings, 0, list->count);
        const std::int64_t before = result.tallies[thread].found;
        const std::int64_t kept = select_points(kernels_.select_points, plan_, crossings, list->count, thread, result);
        // Of all threads together, which share the blocks as they come.
        if ((found += result.tallies[thread].found - before) > std::ssize(lists_) * segment_capacity_) overflow = true;
        append(result.section[thread], crossings, kept);
      }
      if (list) most[thread] = most_here;
    };
    const auto work_or_stop = [&](int thread) {
      try {
        work(thread);
      } catch (...) {
        if (!failed.exchange(true)) thrown = std::current_exception();
      }
    };
    {
      std::vector<std::jthread> helpers;
      for (int t = 1; t < std::min<std::int64_t>(threads_, packs); ++t) helpers.emplace_back(work_or_stop, t);
      work_or_stop(0);
    }
    if (thrown) std::rethrow_exception(thrown);

    result.overflow = overflow;
    result.fill = 0;
    if (!lists_.empty()) {
      // As many of the rest, where not all blocks were done.
      const double done = static_cast<double>(std::clamp<std::int64_t>(taken, 1, packs)) / static_cast<double>(packs);
      const auto room = static_cast<double>(segment_capacity_), threads = static_cast<double>(lists_.size());
      result.fill = std::max(static_cast<double>(found) / (threads * room * (overflow ? done : 1)),
                             static_cast<double>(std::ranges::max(most)) / room);
    }
    if (overflow) return;
    std::swap(now_, next_);
    if (snapshots) result.steps = now_.steps;
    POLHODE_ENSURE(has_completed(now_, segment.first + segment.count));
  }

  void store(Batch& batch) const override { batch = now_; }
  /// Swaps instead of copying, because all threads would wait for a copy.
  void unload(Batch& batch) override { std::swap(batch, now_); }

  std::string device() const override {
    return "cpu, " + std::to_string(threads_) + (threads_ == 1 ? " thread" : " threads");
  }
  std::string isa() const override { return isa_names[static_cast<int>(isa_)]; }

 private:
  /// Appends the first k crossings of a list.
  void append(SectionPoints& points, const CrossingView& list, std::int64_t k) const {
    points.trajectory.insert(points.trajectory.end(), list.trajectory, list.trajectory + k);
    points.step.insert(points.step.end(), list.step, list.step + k);
    points.theta.insert(points.theta.end(), list.theta, list.theta + k);
    points.state.insert(points.state.end(), list.state, list.state + k * now_.dim);
  }

  static constexpr std::int64_t longest_block = 4;  ///< packs

  Plan plan_;
  CpuKernels kernels_;
  Isa isa_;
  std::int64_t capacity_, segment_capacity_ = 0;
  int threads_;
  Batch now_, next_;
  std::vector<CrossingList> lists_;  ///< one for each thread; empty without a section
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend(const Plan& plan, const CpuKernels& kernels, Isa isa,
                                          const CpuOptions& options) {
  return std::make_unique<CpuBackend>(plan, kernels, isa, options);
}

}  // namespace polhode

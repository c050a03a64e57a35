// CudaDevice, with a fake runtime and the toy for kernels: what is copied, where to and how much of it, in any legal
// order.
#include "backend/cuda/cuda_device.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "pipeline/random_runs.hpp"
#include "pipeline/toy_kernels.hpp"

namespace polhode::test {
namespace {

/// States of a slice after a step.
std::vector<double> states_after(const ToyRun& run, std::int64_t slice, std::int64_t step) {
  std::vector<double> states;
  for (std::uint64_t state : run.start_of(slice).state) {
    for (std::int64_t n = 0; n < step; ++n) state = Toy::step(state);
    states.push_back(static_cast<double>(state));
  }
  return states;
}

/// Takes and gives batches of the toy.
class ToyOnCuda : public CudaDevice {
 public:
  using HostBatch = ToyBatch;

  ToyOnCuda(const ToyRun& run, std::int64_t capacity, Schedule& schedule)
      : CudaDevice((run_fake_cuda(schedule), plan_of(run.toy, run.steps)), toy_kernels, shape_of(run.slice), capacity,
                   ToyCounts(Toy::cells, 0)) {
    run_ = run;
  }

  void upload(Stream& stream, const ToyBatch& toy, Batch& batch) { CudaDevice::upload(stream, to_batch(toy), batch); }

  static ToySelection selection(const Slot& slot) {
    bool is_of_a_slice = false;
    for (std::int64_t slice = 0; slice < run_.slices(); ++slice) is_of_a_slice |= has_states_of(slice, slot);
    EXPECT_TRUE(is_of_a_slice);
    const SegmentNumbers& numbers = *slot.host.numbers.data();
    const SectionPoints& points = slot.host.result.section.at(0);
    EXPECT_EQ(points.size(), numbers.found);
    return {numbers.unrefined, to_toy(points)};
  }
  static ToyBoundary boundary(const Slot& slot) {
    return {to_toy(slot.host.boundary.view()), {slot.host.density.data(), slot.host.density.data() + Toy::cells}};
  }

 private:
  /// Whether the snapshots and the statistics of a segment are those of a slice.
  static bool has_states_of(std::int64_t slice, const Slot& slot) {
    std::vector<double> snapshots, means;
    std::vector<std::int64_t> histogram;
    const auto [first, count] = slot.segment;
    for (std::int64_t step = first; step <= first + count; ++step) {
      const std::vector<double> states = states_after(run_, slice, step);
      if (step > first && step % snapshots_every == 0) {
        snapshots.insert(snapshots.end(), states.begin(), states.end());
        std::ranges::transform(states, std::back_inserter(snapshots), second);
      }
      if (step % statistics_every == 0 && (step > first || step == 0)) {
        means.push_back(static_cast<double>(step));
        const auto odd = std::ranges::count_if(states, [](double state) { return whole(state) % 2 == 1; });
        histogram.insert(histogram.end(), {std::ssize(states) - odd, odd, 0, 0});
      }
    }
    const std::int64_t cells = std::ssize(histogram);
    bool same = slot.shape.n == std::ssize(run_.start_of(slice).state) && slot.times == std::ssize(means) &&
                std::ranges::equal(snapshots, slot.host.result.snapshots) &&
                std::ranges::equal(histogram, std::span(slot.host.histogram.data(), static_cast<std::size_t>(cells)));
    for (std::int64_t t = 0; same && t < slot.times; ++t)
      same = slot.host.moments.data()[t].mean == means[t] &&
             slot.host.moments.data()[t].count == static_cast<double>(slot.shape.n);
    return same;
  }

  inline static ToyRun run_;
};

TEST(CudaDevice, LeavesWhatSegmentsInTurnDoInAnyOrder) { expect_same_as_serial<ToyOnCuda>(1000, false); }
TEST(CudaDevice, LeavesWhatSegmentsInTurnDoInThreads) { expect_same_as_serial<ToyOnCuda>(10, true); }

}  // namespace
}  // namespace polhode::test

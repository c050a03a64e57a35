// CudaDevice, with a fake runtime and the toy for kernels: what is copied, where to and how much of it, in any legal
// order.
#include "backend/cuda/cuda_device.hpp"

#include <gtest/gtest.h>

#include "pipeline/fake_cuda_runtime.hpp"
#include "pipeline/random_runs.hpp"

namespace polhode::test {
namespace {

std::uint64_t whole(double number) { return static_cast<std::uint64_t>(number); }

/// A state and a column that follows it, so that columns can be confused.
constexpr int dim = 2;
double second(double state) { return -1 - state; }

cudaError_t propagate(const Plan& plan, const Segment& segment, const BatchView& in, const BatchView& out,
                      const CrossingView& captured, const std::uint32_t* poison, cudaStream_t stream) {
  const Toy toy{.crossings_every = whole(plan.parameters[0])};
  return launch(stream, [=] {
    if (*poison) return;
    for (std::int64_t k = 0; k < in.n; ++k) {
      double state = in.state[k];
      for (std::int64_t step = segment.first; step < segment.first + segment.count; ++step) {
        state = static_cast<double>(Toy::step(whole(state)));
        if (!toy.crosses(whole(state))) continue;
        const std::int64_t place = (*captured.count)++;
        if (place >= captured.capacity) continue;
        captured.trajectory[place] = k;
        captured.step[place] = step;
        captured.state[dim * place] = state;
      }
      out.state[k] = state;
      out.state[in.n + k] = second(state);
      out.steps[k] = in.steps[k] + segment.count;
      out.code[k] = in.code[k];
      out.section_count[k] = in.section_count[k];
    }
  });
}

cudaError_t check(const CrossingView& captured, std::uint32_t* poison, cudaStream_t stream) {
  return launch(stream, [=] {
    if (*captured.count > captured.capacity) *poison = 1;
  });
}

cudaError_t select(const Plan&, const CrossingView& captured, const CrossingView& selected, SegmentNumbers* numbers,
                   const BatchView& batch, std::int64_t* density, const std::uint32_t* poison, cudaStream_t stream) {
  return launch(stream, [=] {
    if (*poison) return;
    for (std::int64_t k = 0; k < *captured.count; ++k) {
      const std::uint64_t point = Toy::refined(whole(captured.state[dim * k]));
      numbers->unrefined += Toy::is_lost(point);
      if (Toy::is_lost(point) || !Toy::is_selected(point)) continue;
      ++batch.section_count[captured.trajectory[k]];
      ++density[Toy::cell(point)];
      const std::int64_t place = numbers->found++;
      selected.trajectory[place] = captured.trajectory[k];
      selected.step[place] = captured.step[k];
      selected.theta[place] = 0.5;
      selected.state[dim * place] = static_cast<double>(point);
      selected.state[dim * place + 1] = second(static_cast<double>(point));
    }
  });
}

constexpr SegmentKernels kernels{propagate, check, select};

Plan plan_of(const Toy& toy) {
  Plan plan{};
  plan.parameters[0] = static_cast<double>(toy.crossings_every);
  plan.selection.points = true;
  return plan;
}

BatchShape shape_of(std::int64_t n) { return {.n = n, .dim = dim, .n_invariants = 0, .n_sections = 1}; }

/// Takes and gives batches of the toy.
class ToyOnCuda : public CudaDevice {
 public:
  using HostBatch = ToyBatch;

  ToyOnCuda(const ToyRun& run, std::int64_t capacity, Schedule& schedule)
      : CudaDevice((run_fake_cuda(schedule), plan_of(run.toy)), kernels, shape_of(run.slice), capacity, Toy::cells) {}

  void upload(Stream& stream, const ToyBatch& toy, Batch& batch) {
    const std::size_t n = toy.state.size();
    polhode::Batch host(shape_of(static_cast<std::int64_t>(n)));
    std::ranges::copy(toy.state, host.state.begin());
    std::ranges::transform(toy.state, host.state.begin() + n, [](std::uint64_t state) { return second(state); });
    host.section_count = toy.points;
    CudaDevice::upload(stream, host, batch);
  }

  static ToySelection selection(const Slot& slot) {
    const Points& points = slot.host.points;
    ToySelection selection{slot.host.numbers.data()->unrefined, {}};
    for (std::int64_t k = 0; k < slot.host.numbers.data()->found; ++k) {
      const double* const state = points.state.data() + dim * k;
      EXPECT_EQ(points.theta.data()[k], 0.5);
      EXPECT_EQ(state[1], second(state[0]));
      selection.points.push_back({points.trajectory.data()[k], points.step.data()[k], whole(state[0])});
    }
    return selection;
  }
  static ToyBoundary boundary(const Slot& slot) {
    const BatchView batch = slot.host.boundary.view();
    ToyBoundary boundary{{}, {slot.host.density.data(), slot.host.density.data() + Toy::cells}};
    for (std::int64_t k = 0; k < batch.n; ++k) {
      EXPECT_EQ(batch.state[batch.n + k], second(batch.state[k]));
      boundary.batch.state.push_back(whole(batch.state[k]));
      boundary.batch.points.push_back(batch.section_count[k]);
    }
    return boundary;
  }
};

TEST(CudaDevice, LeavesWhatSegmentsInTurnDoInAnyOrder) { expect_same_as_serial<ToyOnCuda>(1000, false); }
TEST(CudaDevice, LeavesWhatSegmentsInTurnDoInThreads) { expect_same_as_serial<ToyOnCuda>(10, true); }

}  // namespace
}  // namespace polhode::test

// The toy as a system of CUDA: its kernels, plan and batches.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "backend/batch.hpp"
#include "backend/cuda/cuda_backend.hpp"
#include "backend/section_points.hpp"
#include "kernels/kernels.hpp"
#include "pipeline/fake_cuda_runtime.hpp"
#include "pipeline/toy_run.hpp"

namespace polhode::test {

inline std::uint64_t whole(double number) { return static_cast<std::uint64_t>(number); }

/// A state and a column that follows it, so that columns can be confused.
inline constexpr int dim = 2;
inline double second(double state) { return -1 - state; }

/// The states after which steps are handed out, and statistics taken of: these tell of which trajectories they are.
inline constexpr std::int64_t snapshots_every = 3, statistics_every = 2;

inline cudaError_t propagate(const Plan& plan, const Segment& segment, const BatchView& in, const BatchView& out,
                             const CrossingView& captured, double* snapshots, const std::uint32_t* overflowed,
                             cudaStream_t stream) {
  const Toy toy{.crossings_every = whole(plan.parameters[0])};
  return launch(stream, [=] {
    if (*overflowed) return;
    for (std::int64_t k = 0; k < in.n; ++k) {
      double state = in.state[k];
      double* stored = snapshots;
      for (std::int64_t step = segment.first; step < segment.first + segment.count; ++step) {
        state = static_cast<double>(Toy::step(whole(state)));
        if (stores_after(plan, step + 1)) {
          stored[k] = state;
          stored[in.n + k] = second(state);
          stored += dim * in.n;
        }
        if (!toy.crosses(whole(state))) continue;
        const std::int64_t place = (*captured.count)++;
        if (place >= captured.capacity) continue;
        captured.trajectory[place] = k;
        captured.step[place] = step;
        captured.state[dim * place] = state;
      }
      out.state[k] = state;
      out.state[in.n + k] = second(state);
      out.steps[k] = segment.first + segment.count;
      out.code[k] = in.code[k];
    }
  });
}

inline cudaError_t collect(const Plan&, const PointSelection&, const CrossingView& captured, const DeviceSelection& to,
                           cudaStream_t stream) {
  return launch(stream, [=] {
    if (*captured.count > captured.capacity) return;
    for (std::int64_t k = 0; k < *captured.count; ++k) {
      const std::uint64_t point = Toy::refined(whole(captured.state[dim * k]));
      *to.unrefined += Toy::is_lost(point);
      if (Toy::is_lost(point) || !Toy::is_selected(point)) continue;
      ++to.counts.section_count[captured.trajectory[k]];
      ++to.density[Toy::cell(point)];
      const std::int64_t place = (*to.found)++;
      to.points.trajectory[place] = captured.trajectory[k];
      to.points.step[place] = captured.step[k];
      to.points.theta[place] = 0.5;
      to.points.state[dim * place] = static_cast<double>(point);
      to.points.state[dim * place + 1] = second(static_cast<double>(point));
    }
  });
}

/// Of a block: the step and the number of its trajectories that have come to it, and a count for each that has.
inline cudaError_t statistics(const Plan&, const StatisticsPlan&, const StatesAt& at, SampleMoments* moments,
                              std::int64_t* counts, cudaStream_t stream) {
  return launch(stream, [=] {
    SampleMoments sum{};
    for (std::int64_t k = 0; k < at.n; ++k) {
      if (at.steps[k] < at.step) continue;
      sum.count += 1;
      ++counts[whole(at.state[k]) % 2];
    }
    sum.mean = static_cast<double>(at.step);
    moments[0] = sum;
  });
}

inline constexpr CudaKernel toy_kernel{propagate, collect};
inline constexpr CudaObservers toy_observers{statistics};
inline constexpr CudaKernels toy_kernels{&toy_kernel, &toy_observers};

inline RunPlan plan_of(const Toy& toy, std::int64_t steps) {
  RunPlan plan{};
  plan.parameters[0] = static_cast<double>(toy.crossings_every);
  plan.section.observable = 0;
  plan.selection.points = true;
  for (CellAxis& axis : plan.selection.axes) axis.bins = 2;
  static_assert(Toy::cells == 2 * 2 + 1);  // and what is outside
  plan.last_step = steps;
  plan.snapshots_every = snapshots_every;
  plan.statistics_every = statistics_every;
  plan.statistics.count = 1;
  plan.statistics.bins = 2;  // and two counts for what is outside
  return plan;
}

inline BatchShape shape_of(std::int64_t n) { return {.n = n, .dim = dim, .n_invariants = 0, .n_sections = 1}; }

inline Batch to_batch(const ToyBatch& toy) {
  const std::size_t n = toy.state.size();
  Batch batch(shape_of(static_cast<std::int64_t>(n)));
  std::ranges::copy(toy.state, batch.state.begin());
  std::ranges::transform(toy.state, batch.state.begin() + static_cast<std::ptrdiff_t>(n),
                         [](std::uint64_t state) { return second(static_cast<double>(state)); });
  batch.section_count = toy.points;
  return batch;
}
inline ToyBatch to_toy(const BatchView& batch) {
  ToyBatch toy;
  for (std::int64_t k = 0; k < batch.n; ++k) {
    EXPECT_EQ(batch.state[batch.n + k], second(batch.state[k]));
    toy.state.push_back(whole(batch.state[k]));
    toy.points.push_back(batch.section_count[k]);
  }
  return toy;
}
inline std::vector<ToyPoint> to_toy(const SectionPoints& points) {
  std::vector<ToyPoint> toy;
  for (std::int64_t k = 0; k < points.size(); ++k) {
    const double* const state = points.state.data() + dim * k;
    EXPECT_EQ(points.theta[k], 0.5);
    EXPECT_EQ(state[1], second(state[0]));
    toy.push_back({points.trajectory[k], points.step[k], whole(state[0])});
  }
  return toy;
}

}  // namespace polhode::test

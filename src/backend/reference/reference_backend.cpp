#include "backend/reference/reference_backend.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "backend/reference/reference_heavy_top.hpp"

namespace polhode {
namespace {

using Top = ReferenceHeavyTop<double>;
constexpr int dim = HeavyTop::dim;
constexpr int n_invariants = HeavyTop::n_invariants;
using Invariants = std::array<double, n_invariants>;

struct Trajectory {
  Top top;           ///< (Q, P)
  Top::State state;  ///< its reduced state; as loaded until the first step
  Invariants invariants{}, max_drift{};
  std::int64_t steps = 0;
  Status status = Status::ok;
};

/// Where a step meets the section.
struct Crossing {
  Status status;
  double theta;
  Top::State state;
};

class ReferenceBackend final : public Backend {
 public:
  explicit ReferenceBackend(const Plan& plan) : plan_(plan), prototype_(plan.parameters, plan.step) {}

  void load(const Batch& batch) override {
    trajectories_.clear();
    for (std::int64_t i = 0; i < batch.n; ++i) {
      Trajectory t{.top = prototype_};
      for (int k = 0; k < dim; ++k) t.state[k] = batch.state[k * batch.n + i];
      for (int k = 0; k < n_invariants; ++k) {
        t.invariants[k] = batch.invariants[k * batch.n + i];
        t.max_drift[k] = batch.max_drift[k * batch.n + i];
      }
      t.steps = batch.steps[i];
      t.status = static_cast<Status>(batch.code[i]);
      t.top.set_state(t.state);
      trajectories_.push_back(t);
    }
  }

  SegmentResult advance(const Segment& segment) override {
    SegmentResult result;
    result.section.dim = dim;
    result.snapshots.resize(snapshots_in(plan_, segment) * dim * size());
    for (std::int64_t i = 0; i < size(); ++i) advance(segment, i, result);
    return result;
  }

  void store(Batch& batch) const override {
    batch = Batch(size(), dim, n_invariants);
    for (std::int64_t i = 0; i < size(); ++i) {
      const Trajectory& t = trajectories_[i];
      for (int k = 0; k < dim; ++k) batch.state[k * size() + i] = t.state[k];
      for (int k = 0; k < n_invariants; ++k) {
        batch.invariants[k * size() + i] = t.invariants[k];
        batch.max_drift[k * size() + i] = t.max_drift[k];
      }
      batch.steps[i] = t.steps;
      batch.code[i] = static_cast<std::uint8_t>(t.status);
    }
  }

  std::string device() const override { return "one CPU core, dense Newton iteration in double"; }
  std::string isa() const override { return "none"; }

 private:
  std::int64_t size() const { return static_cast<std::int64_t>(trajectories_.size()); }

  /// Takes trajectory i through the segment.
  void advance(const Segment& segment, std::int64_t i, SegmentResult& result) const;
  void advance(const Segment& segment, std::int64_t i, SegmentResult& result);

  Plan plan_;
  Top prototype_;
  std::vector<Trajectory> trajectories_;
};

}  // namespace
}  // namespace polhode

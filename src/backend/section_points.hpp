// Refined points of a Poincare section, as a value.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

namespace polhode {

/// Section points, in any order unless stated otherwise. The arrays have memory resources because a backend may place
/// them in its own kind of memory.
struct SectionPoints {
  int dim = 0;
  /// Trajectory and step [k] of point k, which lies between the trajectory's states after `step` and step + 1 steps.
  std::pmr::vector<std::int64_t> trajectory{}, step{};
  std::pmr::vector<double> theta{};  ///< [k], fraction in (0, 1] of the step after which point k is
  std::pmr::vector<double> state{};  ///< [k][dim]

  std::int64_t size() const { return static_cast<std::int64_t>(trajectory.size()); }
  void resize(std::int64_t n) {
    trajectory.resize(n);
    step.resize(n);
    theta.resize(n);
    state.resize(n * dim);
  }
  /// Appends points of the same system.
  void append(const SectionPoints& others) {
    dim = others.dim;
    const auto add = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    add(trajectory, others.trajectory);
    add(step, others.step);
    add(theta, others.theta);
    add(state, others.state);
  }
  /// The points order[0], order[1], ...: all or some of them.
  SectionPoints reordered(std::span<const std::int64_t> order) const {
    SectionPoints points{.dim = dim};
    for (const std::int64_t k : order) {
      points.trajectory.push_back(trajectory[k]);
      points.step.push_back(step[k]);
      points.theta.push_back(theta[k]);
      points.state.insert(points.state.end(), state.begin() + k * dim, state.begin() + (k + 1) * dim);
    }
    return points;
  }
};

}  // namespace polhode

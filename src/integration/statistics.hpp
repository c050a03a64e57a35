// Statistics of a slice of an ensemble at one time, over its trajectories that have come that far: moments, as
// result/moments.hpp sums them, and histograms. So they have the same bits for any threads, segments and slices.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spec/resolved_run.hpp"

namespace polhode {

class Statistics {
 public:
  /// Of a run with statistics; it must outlive this.
  explicit Statistics(const ResolvedRun& run);

  /// columns[dim][n]: states after `step` steps; steps[n]: how many steps each trajectory has completed, of which those
  /// with fewer than `step` are left out. The result, as result/records.hpp describes it, holds until the next call.
  std::span<const double> record(const double* columns, std::span<const std::int64_t> steps, std::int64_t step);

 private:
  void count(std::size_t observable, double value);

  const ResolvedRun& run_;
  std::vector<double> record_;
};

}  // namespace polhode

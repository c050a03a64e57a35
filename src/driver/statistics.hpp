// Statistics of an ensemble at one time, over the trajectories that have come that far.
//
// Sums are taken in an order that depends on nothing but the numbers of the trajectories: blocks of 1024, whose moments
// are merged two by two. So they have the same bits for any threads and segments, and for any division of the ensemble
// between the blocks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ensemble/run_spec.hpp"

namespace polhode {

class Statistics {
 public:
  /// Of a run with statistics; it must outlive this.
  explicit Statistics(const RunSpec& spec);

  /// columns[dim][n]: states after `step` steps; steps[n]: how many steps each trajectory has completed, of which those
  /// with fewer than `step` are left out. The result, as output/records.hpp describes it, holds until the next call.
  std::span<const double> record(const double* columns, std::span<const std::int64_t> steps, std::int64_t step);

 private:
  void count(std::size_t observable, double value);

  const RunSpec& spec_;
  std::vector<double> record_;
};

}  // namespace polhode

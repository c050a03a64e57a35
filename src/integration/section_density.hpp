// Section points counted in the cells of a plane. Counts are whole numbers: they do not depend on the order of points.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spec/resolved_run.hpp"

namespace polhode {

class SectionDensity {
 public:
  /// Of a run with a density; it must outlive this.
  explicit SectionDensity(const ResolvedRun& run);

  /// How many counts there are; none without a density.
  static std::size_t size_of(const RunSpec& spec) {
    return spec.density ? static_cast<std::size_t>(spec.density->bins[0] * spec.density->bins[1] + 1) : 0;
  }

  /// Appends the cell of each of `count` states [count][dim].
  void append_cells(const double* states, std::int64_t count, std::vector<std::uint32_t>& cells) const;
  void add(std::span<const std::uint32_t> cells);

  /// [bins 0][bins 1], then how many points were outside.
  const std::vector<std::int64_t>& counts() const { return counts_; }
  /// Goes on from counts of a run with the same density.
  void set_counts(std::vector<std::int64_t> counts) { counts_ = std::move(counts); }

 private:
  const ResolvedRun& run_;
  std::vector<std::int64_t> counts_;
};

}  // namespace polhode

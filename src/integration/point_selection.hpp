// What a run takes from the points of its section: those on which the condition holds, one by one or as cells of a
// density.
#pragma once

#include "backend/backend.hpp"
#include "integration/section_density.hpp"
#include "spec/condition.hpp"

namespace polhode {

class RunSelection final : public PointSelection {
 public:
  /// Of a run with a section; density: its own, or null. Both must outlive this.
  RunSelection(const ResolvedRun& run, const SectionDensity* density);

  std::int64_t select(const CrossingView& list, std::int64_t count, PointTally& tally,
                      std::int64_t* section_count) const override;
  /// The same for all points of a list, of a backend that has made no selection; what `tally` held is replaced.
  void select(SectionPoints& points, PointTally& tally, std::int64_t* section_count) const;

 private:
  const ResolvedRun& run_;
  const SectionDensity* density_;
  Condition where_;
};

}  // namespace polhode

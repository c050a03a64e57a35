#include "integration/point_selection.hpp"

#include <algorithm>
#include <cmath>

namespace polhode {

RunSelection::RunSelection(const ResolvedRun& run, const SectionDensity* density)
    : run_(run), density_(density), where_(*run.system, run.spec.section->where) {}

std::int64_t RunSelection::select(const CrossingView& list, std::int64_t count, PointTally& tally,
                                  std::int64_t* section_count) const {
  const int dim = run_.system->dim;
  std::int64_t kept = 0;
  for (std::int64_t k = 0; k < count; ++k) {
    const double* state = list.state + k * dim;
    if (std::isnan(list.theta[k])) ++tally.unrefined;
    if (!std::isfinite(list.theta[k])) continue;  // a jump is no crossing
    if (!where_.holds(run_.parameters.data(), state)) continue;
    ++section_count[list.trajectory[k]];
    if (kept < k) {
      list.trajectory[kept] = list.trajectory[k];
      list.step[kept] = list.step[k];
      list.theta[kept] = list.theta[k];
      std::copy_n(state, dim, list.state + kept * dim);
    }
    ++kept;
  }
  tally.found += kept;
  if (density_) density_->append_cells(list.state, kept, tally.cells);
  return run_.spec.section->points ? kept : 0;
}

void RunSelection::select(SectionPoints& points, PointTally& tally, std::int64_t* section_count) const {
  tally.clear();
  std::int64_t count = points.size();
  const CrossingView list{
      count, &count, points.trajectory.data(), points.step.data(), points.theta.data(), points.state.data()};
  const std::int64_t kept = select(list, count, tally, section_count);
  if (run_.spec.section->points) points.resize(kept);  // otherwise nobody reads them, and they would have to grow again
}

}  // namespace polhode

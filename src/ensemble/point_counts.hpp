// Counts of the points of a plane by the states on a section that lie over them.
#pragma once

#include <array>
#include <cstdint>

#include "polhode/system/description.hpp"

namespace polhode {

/// Numbers of points of a plane. on[k]: with a state on branch k (SectionPlane::branches()) that crosses the section in
/// its direction; other_way: with a state on the chosen branch that crosses the section the other way, or touches it;
/// off_section: over which no state of the section was found.
struct PointCounts {
  std::array<std::int64_t, max_chart_points> on{};
  std::int64_t other_way = 0, off_section = 0;
};

}  // namespace polhode

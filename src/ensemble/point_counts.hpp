// What was found over the points of the plane that starts on a section lie over.
#pragma once

#include <array>
#include <cstdint>

#include "polhode/system/description.hpp"

namespace polhode {

/// How many points have a state on each branch, and on the chosen one how many cross the other way.
struct PointCounts {
  std::array<std::int64_t, max_chart_points> on{};
  std::int64_t other_way = 0, off_section = 0;
};

}  // namespace polhode

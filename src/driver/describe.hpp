// What a result file says of its run.
#pragma once

#include "integration/describe.hpp"
#include "spec/configuration.hpp"

namespace polhode {

/// counts: of the density [bins 0][bins 1], then points outside; empty without one.
inline RunDescription describe(const Configuration& configuration, const Prepared& prepared,
                               const std::vector<std::int64_t>& counts) {
  RunDescription description = describe(prepared, counts);
  description.config = configuration.text;
  description.compression = static_cast<int>(configuration.output.compression);
  return description;
}

}  // namespace polhode

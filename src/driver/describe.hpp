// Description of a run in its result file.
#pragma once

#include "driver/inputs.hpp"
#include "integration/describe.hpp"

namespace polhode {

/// counts: as of the other describe().
inline RunDescription describe(const Inputs& inputs, const std::vector<std::int64_t>& counts) {
  RunDescription description = describe(inputs.prepared, counts);
  description.config = inputs.configuration_text;
  description.identity = inputs.identity;
  description.compression = static_cast<int>(inputs.output.compression);
  return description;
}

}  // namespace polhode

// The option `composition` of every method: how a step is made of applications of the method's map, and what is true of
// it then.
#pragma once

#include "catalog/catalog.hpp"
#include "polhode/core/run_spec.hpp"

namespace polhode {

/// Its row; the names are those of the tables (polhode/method/compositions.hpp).
const Option& composition_option();

struct ComposedStep {
  StepPlan step;  ///< its sweeps are still to be counted
  Properties properties;
};

/// composition: a name, or fractions of one's own. Throws InputError where the map or the fractions do not allow it.
ComposedStep compose(const MethodEntry& method, const OptionValue& composition);

}  // namespace polhode

// The option `composition` of every method: how a step is made of applications of the method's map, and what is true of
// it then.
#pragma once

#include <string_view>

#include "catalog/catalog.hpp"
#include "polhode/core/run_spec.hpp"
#include "polhode/method/compositions.hpp"

namespace polhode {

/// Its row; the names are those of the tables (polhode/method/compositions.hpp).
const Option& composition_option();

struct ComposedStep {
  StepPlan step;  ///< its sweeps are still to be counted
  Properties properties;
};

/// The table of that name, or null.
const CompositionTable* find_composition(std::string_view name);

/// composition: a name, or fractions of one's own. Throws InputError where the map or the fractions do not allow it.
ComposedStep compose(const MethodEntry& method, const OptionValue& composition);

}  // namespace polhode

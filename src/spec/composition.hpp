// The option `composition` of every method: a step made of steps of the method over fractions of it, and the properties
// of the whole.
#pragma once

#include <string_view>

#include "catalog/catalog.hpp"
#include "polhode/core/run_spec.hpp"
#include "polhode/method/compositions.hpp"
#include "spec/method_step.hpp"

namespace polhode {

/// The option `composition`: "none", the name of a table (polhode/method/compositions.hpp), or fractions.
const MethodOption& composition_option();

/// The table of compositions called `name`, or null.
const CompositionTable* find_composition(std::string_view name);

/// Step that consists of a method's `step`, applied over one fraction of the length after the other; `step` itself for
/// the composition "none". composition: a value of composition_option(). Throws InputError where the method cannot be
/// composed, the fractions cannot be used, or the stages are too many.
MethodStep compose(const MethodEntry& method, const MethodStep& step, const Value& composition);

}  // namespace polhode

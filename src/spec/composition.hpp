// The option `composition` of every method: a step made of steps of the method over fractions of it, and the properties
// of the whole.
#pragma once

#include <string_view>

#include "catalog/catalog.hpp"
#include "polhode/core/run_spec.hpp"
#include "polhode/method/compositions.hpp"
#include "spec/method_step.hpp"

namespace polhode {

/// Row of the option `composition`; the names are those of the tables (polhode/method/compositions.hpp).
const MethodOption& composition_option();

/// The table of that name, or null.
const CompositionTable* find_composition(std::string_view name);

/// Step made of steps of a method over fractions of it. composition: the name of a table, or the user's own fractions.
/// Throws InputError where the method or the fractions do not allow it.
MethodStep compose(const MethodEntry& method, const MethodStep& step, const Value& composition);

}  // namespace polhode

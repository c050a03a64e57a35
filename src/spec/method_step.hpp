// The step of a method as its options make it, and its properties.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "catalog/catalog.hpp"
#include "polhode/core/run_spec.hpp"
#include "polhode/method/splittings.hpp"

namespace polhode {

struct MethodStep {
  StepPlan step_plan;  ///< stages of the step; their sweeps are not set yet (MethodEntry::with_sweeps)
  Properties properties;
};

/// The splitting table called `name`, or null.
const SplittingTable* find_splitting(std::string_view name);

/// Appends a stage; it shares the constants of an earlier stage with the same fraction and kicks, if there is one.
void append_stage(StepPlan& step, double fraction, const Kicks& kicks);

/// Step of a method with these options, and with defaults for the others. Throws InputError where the method has no
/// such step.
MethodStep step_of(const MethodEntry& method, const std::map<std::string, Value>& options = {});

}  // namespace polhode

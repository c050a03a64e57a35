// The methods of a system with the options that change their order.
#pragma once

#include <string>
#include <vector>

#include "spec/resolved_run.hpp"

namespace polhode {

/// Name of a method with the options that differ from their defaults, e.g. "splitting, srkn6-11b".
std::string in_words(const MethodEntry& method, const MethodSpec& spec);

struct MethodVariant {
  std::string label;  ///< the method in words, with the option that makes the variant
  MethodSpec method;  ///< its step is still to be chosen
  int order = 0;
  std::string_view map{};  ///< name of the step map
};
struct UnusableMethod {
  std::string label, why;
};

struct MethodVariants {
  std::vector<MethodVariant> usable;  ///< variants of one method together, in the order of the catalog
  std::vector<UnusableMethod> others;
};

/// Variants of the methods called `names`, or of all methods of the run's system where that is empty: with each
/// splitting table, or a table of Runge-Kutta of each order from 4 on, or with each of the method's maps, or else with
/// its defaults and, if symmetric and of order 2, with a composition of each order. The run's own method is also there
/// as configured. Throws InputError where the system has no method of a name.
MethodVariants variants_for(const ResolvedRun& run, const std::vector<std::string>& names);

}  // namespace polhode

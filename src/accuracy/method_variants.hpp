// The methods of a system with the options that change their order.
#pragma once

#include <string>
#include <vector>

#include "spec/resolved_run.hpp"

namespace polhode {

/// A method with the options that are not their defaults, e.g. "splitting, srkn6-11b".
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
  std::vector<MethodVariant> usable;  ///< those of one method together, in the order of the catalog
  std::vector<UnusableMethod> others;
};

/// Every method of the run's system, or those of these names: with each of its splitting tables, or each order of its
/// map; symmetric maps of order 2 also with a composition of each order. The run's own method, as it is configured, is
/// among them if its name is. Throws InputError where the system has no method of a name.
MethodVariants variants_for(const ResolvedRun& run, const std::vector<std::string>& names);

}  // namespace polhode

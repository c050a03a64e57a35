// The methods of a system with the options that change their order.
#pragma once

#include <string>
#include <vector>

#include "spec/resolved_run.hpp"

namespace polhode {

/// Name of a method with the options that differ from their defaults, e.g. "splitting, srkn6-11b".
std::string in_words(const MethodEntry& method, const MethodSpec& spec);

struct MethodVariant {
  std::string label;  ///< the method in words, with the options that make the variant
  MethodSpec method;  ///< the method, with a step that is still to be chosen
  int order = 0;
  std::string_view map{};  ///< name of the step map
};
struct UnusableMethod {
  std::string label, why;
  bool operator==(const UnusableMethod&) const = default;
};

struct MethodVariants {
  std::vector<MethodVariant> usable;  ///< variants of one method together, in the order of the catalog
  std::vector<UnusableMethod> unusable;
};

/// Variants of the methods called `names`, or of all methods of the run's system where `names` is empty. A method that
/// takes a splitting table has a variant for each table, one that takes a Runge-Kutta table a variant for each order
/// from 4 on, one with several maps a variant for each map. Any other method has a variant with its defaults and, if it
/// is symmetric and of order 2, one with a composition of each order. The run's own method, if it is among them, also
/// has a variant as configured, unless another is the same. Methods that cannot be used with the run's parameters are
/// `unusable`. Throws InputError where the system lacks a named method.
MethodVariants variants_for(const ResolvedRun& run, const std::vector<std::string>& names);

}  // namespace polhode

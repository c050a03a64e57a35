// Modules that ranks share (modules/modules.hpp): the first rank compiles what none of them has, for the targets of
// all, and ranks whose machine lacks a module get it from a rank that has it.
#pragma once

#include <string>
#include <vector>

#include "modules/module_source.hpp"
#include "modules/own_header.hpp"
#include "parallel/ranks.hpp"
#include "spec/resolved_run.hpp"

namespace polhode {

/// Treatment of modules that no rank has.
enum class OnAbsent {
  compile,         ///< compile them; an error where that is not possible
  try_to_compile,  ///< compile those that can be compiled
  list             ///< list them, and compile none
};

// Collective; an error is the same on all ranks. A process that is alone compiles what it needs when it needs it.

/// Shares the compiled descriptions of users' systems, one for each header: without them a run cannot be resolved.
void share_descriptions(const std::vector<OwnHeader>& headers, Ranks& ranks);

/// Shares the kernels of a run. With OnAbsent::list, returns those that the run needs and no rank has, also for a
/// process that is alone; otherwise returns none.
std::vector<ModuleSource> share_kernels(const ResolvedRun& run, OnAbsent on_absent, Ranks& ranks);

}  // namespace polhode

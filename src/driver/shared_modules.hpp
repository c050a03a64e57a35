// Modules that ranks share (modules/modules.hpp): the first rank compiles what none of them has, for the targets of
// all, and those whose machine lacks a module get it from one that has it.
#pragma once

#include <string>
#include <vector>

#include "modules/module_source.hpp"
#include "parallel/ranks.hpp"
#include "spec/resolved_run.hpp"

namespace polhode {

/// Treatment of modules that no rank has.
enum class Absent {
  compiled,   ///< that they cannot be is an error
  attempted,  ///< that they cannot be is none
  told
};

// Collective; an error is the same on all ranks. A process that is alone compiles what it needs when it needs it.

/// Descriptions of the systems of users' headers, which are needed before a run can be resolved.
void share_descriptions(const std::vector<std::string>& headers, Ranks& ranks);

/// Kernels of a run. Returns those that no rank has, where they are to be told; also for a process that is alone.
std::vector<ModuleSource> share_kernels(const ResolvedRun& run, Absent absent, Ranks& ranks);

}  // namespace polhode

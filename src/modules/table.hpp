// Table of a module: a shared object with the code of one kernel, or with what a system needs besides, for one target.
// Only plain data and functions cross between a module and the program.
#pragma once

#include "backend/cpu/kernels.hpp"
#include "system/start_functions.hpp"

namespace polhode {

/// Table that a module exports under the name polhode_module.
struct ModuleTable {
  const char* key;        ///< key of its source (modules/module_source.hpp); stays the first member: no more is read of
                          ///< a module with another key
  const char* compiler;   ///< name and version of its compiler (Compiler::in_words())
  const void* functions;  ///< CpuKernel or ShadowKernel of a step map, SystemFunctions of a system, CatalogEntries or
                          ///< ValueTable of a user's system; for GPUs CudaKernel or CudaObservers
};

/// Functions of a system that do not depend on the step map, for processors.
struct SystemFunctions {
  CpuObservers observers;
  StartFunctions starts;
};

}  // namespace polhode

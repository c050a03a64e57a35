// Chooses and makes the backend of a run.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "backend/cpu/kernels.hpp"
#include "modules/module_source.hpp"
#include "spec/resolved_run.hpp"

namespace polhode {

struct ChosenBackend {
  std::string name;  ///< "reference", "cpu" or "cuda"
  std::unique_ptr<Backend> backend;
  std::string compiler{};  ///< name that the compiler of the kernel gives itself; empty without a kernel
};

/// Target of the GPU that a run takes if there are kernels for it; empty without a GPU, or if the run takes none.
std::optional<Target> gpu_of(const ResolvedRun& run);
/// The instruction set that a run takes on processors.
Isa processor_of(const ResolvedRun& run);
/// Whether a run on a GPU needs modules for processors: it computes some of its orbits there, to tell how many
/// crossings are missed (integration/missed_crossings.hpp), or shadow energies.
bool needs_processor(const ResolvedRun& run);
/// Modules that a resolved run loads for a target: gpu_of() or processor_of().
std::vector<ModuleSource> modules_of(const ResolvedRun& run, const Target& target);

enum class Kernels {
  loaded,
  absent  ///< the backend tells what it would be, and computes nothing
};

/// Backend that a run asks for; for "auto" cuda if it can be used and has kernels, else cpu. Throws UnavailableError
/// where the backend is unavailable, InputError where it does not support the run.
ChosenBackend make_backend(const ResolvedRun& run, const RunPlan& plan, Kernels kernels = Kernels::loaded);

/// Kernel of the shadow energies of a run that records them, for a processor, whatever its backend.
ShadowKernel load_shadow(const ResolvedRun& run);

}  // namespace polhode

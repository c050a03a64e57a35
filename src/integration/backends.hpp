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

/// Target for the GPU, for a run with backend cuda or auto; empty for other backends, and without a GPU.
std::optional<Target> gpu_of(const ResolvedRun& run);
/// Instruction set of the kernels that a run loads for processors: run.isa, or the best of this machine where that is
/// not set. Where this machine lacks run.isa, a run for which gpu_of() finds a GPU takes the best one, too.
Isa processor_of(const ResolvedRun& run);
/// Whether a run on a GPU needs modules for processors: for a sample of its orbits, which shows how many crossings are
/// missed (integration/missed_crossings.hpp), or for shadow energies.
bool needs_processor(const ResolvedRun& run);
/// Modules that a resolved run loads for a target: gpu_of() or processor_of().
std::vector<ModuleSource> modules_of(const ResolvedRun& run, const Target& target);

/// Presence of kernels in a backend that is made.
enum class Kernels {
  loaded,  ///< loaded, and compiled before where they are nowhere
  absent   ///< none: the backend says what it is, and cannot compute
};

/// Backend that a run asks for; for "auto" cuda if it can be used and has kernels, else cpu. Throws UnavailableError
/// where the backend or its kernels are unavailable, InputError where the backend does not support the run, IoError
/// where a kernel cannot be written.
ChosenBackend make_backend(const ResolvedRun& run, const RunPlan& plan, Kernels presence = Kernels::loaded);

/// Kernel that computes the shadow energies of a run on a processor, whatever the backend of the run; compiled if it is
/// nowhere. Throws as load_modules() (modules/modules.hpp).
ShadowKernel load_shadow(const ResolvedRun& run);

}  // namespace polhode

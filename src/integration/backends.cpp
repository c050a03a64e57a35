#include "integration/backends.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "backend/cpu/cpu_backend.hpp"
#include "backend/cuda/cuda_backend.hpp"
#include "error.hpp"
#include "modules/cache.hpp"
#include "modules/module_source.hpp"
#include "modules/modules.hpp"
#include "modules/own_header.hpp"
#include "modules/table.hpp"

namespace polhode {
namespace {

std::unique_ptr<Backend> make_cpu(const ResolvedRun& run, const RunPlan& plan, Kernels presence) {
  const Isa isa = processor_of(run);
  if (!isa_supported(isa))
    throw UnavailableError(fmt::format("instruction set {} is unavailable (this processor lacks it). Use --isa {}.",
                                       isa_names[static_cast<int>(isa)], isa_names[static_cast<int>(best_isa())]));
  const CpuKernels kernels = presence == Kernels::absent
                                 ? CpuKernels{}
                                 : run.method->kernels(run.solver_index, run.spec.execution.precision, isa, run.table);
  return make_cpu_backend(plan, kernels, isa, {.threads = static_cast<int>(run.spec.execution.threads)});
}

std::unique_ptr<Backend> make_cuda(const ResolvedRun& run, const RunPlan& plan, Kernels presence) {
  if (const std::string problem = cuda_problem(); !problem.empty())
    throw UnavailableError(fmt::format("backend cuda is unavailable ({}). Use --backend cpu.", problem));
  // Kernels that are missing are compiled before the device is taken, beside each other.
  if (presence == Kernels::loaded) {
    std::vector<ModuleSource> sources = modules_of(run, Target::gpu(cuda_capability()));
    if (needs_processor(run)) std::ranges::move(modules_of(run, processor_of(run)), std::back_inserter(sources));
    load_modules(without_copies(std::move(sources)));
  }
  const CudaKernels kernels =
      presence == Kernels::absent
          ? CudaKernels{}
          : run.method->cuda_kernels(run.solver_index, run.spec.execution.precision, cuda_capability(), run.table);
  return make_cuda_backend(plan, kernels, run.system->dim);
}

/// Backend for a GPU; null without a GPU, and where the kernels or the backend are unavailable: the first time in
/// this process, the user is told why.
std::unique_ptr<Backend> make_cuda_if_possible(const ResolvedRun& run, const RunPlan& plan) {
  if (!cuda_problem().empty()) return nullptr;
  try {
    return make_cuda(run, plan, Kernels::loaded);
  } catch (const UnavailableError& error) {
    static std::atomic<bool> is_told = false;
    if (!is_told.exchange(true)) tell(fmt::format("the CPU takes the place of the GPU: {}", error.what()));
    return nullptr;
  }
}

std::unique_ptr<Backend> make_reference(const ResolvedRun& run, const RunPlan& plan) {
  if (run.spec.execution.precision != Precision::binary64)
    throw InputError("backend reference has no single precision (it is there to be exact). Use --precision double.");
  if (const std::string problem = run.method->why_no_reference(); !problem.empty())
    throw UnavailableError(fmt::format("backend reference is unavailable ({}). Use --backend cpu.", problem));
  try {
    return run.method->make_reference(plan, run.table);
  } catch (const std::invalid_argument& error) {
    throw InputError(error.what());
  }
}

/// Name that the compiler of a loaded kernel gives itself; empty where the kernel is not loaded.
std::string compiler_of(const ResolvedRun& run, const Target& target) {
  const ModuleTable* const kernel = find_module(modules_of(run, target).front());
  return kernel ? kernel->compiler : "";
}

}  // namespace

std::optional<Target> gpu_of(const ResolvedRun& run) {
  const BackendChoice choice = run.spec.execution.backend;
  const bool may_take_it = choice == BackendChoice::cuda || choice == BackendChoice::automatic;
  if (!may_take_it || !cuda_problem().empty()) return {};
  return Target::gpu(cuda_capability());
}

Isa processor_of(const ResolvedRun& run) {
  const Isa isa = run.spec.execution.isa.value_or(best_isa());
  return isa_supported(isa) || !gpu_of(run) ? isa : best_isa();
}

bool needs_processor(const ResolvedRun& run) { return run.spec.section || run.spec.record.shadow_energy > 0; }

std::vector<ModuleSource> modules_of(const ResolvedRun& run, const Target& target) {
  const bool is_reference = run.spec.execution.backend == BackendChoice::reference;
  const SystemEntry& system = *run.system;
  std::vector<ModuleSource> sources;
  const Precision precision = run.spec.execution.precision;
  if (!is_reference) sources = run.method->modules(run.solver_index, precision, target, run.table);
  if (run.spec.record.shadow_energy > 0 && !target.is_gpu())
    sources.push_back(run.method->shadow_source(run.solver_index, precision, target.isa(), run.table));
  if (!system.own) return sources;
  if (is_reference && !system.own->formulas) sources.push_back(value_source_of(system.source, system.name));
  if (is_reference || target.is_gpu() || system.added)
    sources.push_back(source_of(system.source, system.name, Isa::scalar));  // starts, the same on all machines
  return sources;
}

ChosenBackend make_backend(const ResolvedRun& run, const RunPlan& plan, Kernels presence) {
  switch (run.spec.execution.backend) {
    case BackendChoice::reference: return {"reference", make_reference(run, plan), {}};
    case BackendChoice::cuda: return {"cuda", make_cuda(run, plan, presence), compiler_of(run, *gpu_of(run))};
    case BackendChoice::automatic:
      if (auto backend = make_cuda_if_possible(run, plan))
        return {"cuda", std::move(backend), compiler_of(run, *gpu_of(run))};
      [[fallthrough]];
    case BackendChoice::cpu: return {"cpu", make_cpu(run, plan, presence), compiler_of(run, processor_of(run))};
  }
  return {};
}

ShadowKernel load_shadow(const ResolvedRun& run) {
  return run.method->shadow(run.solver_index, run.spec.execution.precision, processor_of(run), run.table);
}

}  // namespace polhode

#include "integration/backends.hpp"

#include <fmt/format.h>

#include <atomic>
#include <stdexcept>
#include <utility>

#include "backend/cpu/cpu_backend.hpp"
#include "backend/cuda/cuda_backend.hpp"
#include "error.hpp"
#include "modules/cache.hpp"

namespace polhode {
namespace {

std::unique_ptr<Backend> make_cpu(const ResolvedRun& run, const RunPlan& plan) {
  const Isa isa = run.spec.integration.isa.value_or(best_isa());
  if (!isa_supported(isa))
    throw UnavailableError(fmt::format("instruction set {} is unavailable (this processor lacks it). Use --isa {}.",
                                       isa_names[static_cast<int>(isa)], isa_names[static_cast<int>(best_isa())]));
  const CpuKernels kernels = run.method->kernels(run.variant, run.spec.integration.precision, isa);
  return make_cpu_backend(plan, kernels, isa, {.threads = static_cast<int>(run.spec.integration.threads)});
}

std::unique_ptr<Backend> make_cuda(const ResolvedRun& run, const RunPlan& plan) {
  if (const std::string problem = cuda_problem(); !problem.empty())
    throw UnavailableError(fmt::format("backend cuda is unavailable ({}). Use --backend cpu.", problem));
  // Kernels that are missing are compiled before the device is taken.
  const CudaKernels kernels = run.method->cuda_kernels(run.variant, run.spec.integration.precision, cuda_capability());
  return make_cuda_backend(plan, kernels, run.system->dim);
}

/// The backend for a GPU where there is one. Null where there is none, and where it has no kernels, which is told once.
std::unique_ptr<Backend> make_cuda_if_possible(const ResolvedRun& run, const RunPlan& plan) {
  if (!cuda_problem().empty()) return nullptr;
  try {
    return make_cuda(run, plan);
  } catch (const UnavailableError& error) {
    static std::atomic<bool> is_told = false;
    if (!is_told.exchange(true)) tell(fmt::format("the CPU takes the place of the GPU: {}", error.what()));
    return nullptr;
  }
}

std::unique_ptr<Backend> make_reference(const ResolvedRun& run, const RunPlan& plan) {
  if (run.spec.integration.precision != Precision::binary64)
    throw InputError("backend reference has no single precision (it is there to be exact). Use --precision double.");
  if (const std::string problem = run.method->problem_with_reference(); !problem.empty())
    throw UnavailableError(fmt::format("backend reference is unavailable ({}). Use --backend cpu.", problem));
  try {
    return run.method->make_reference(plan);
  } catch (const std::invalid_argument& error) {
    throw InputError(error.what());
  }
}

}  // namespace

ChosenBackend make_backend(const ResolvedRun& run, const RunPlan& plan) {
  switch (run.spec.integration.backend) {
    case BackendChoice::reference: return {"reference", make_reference(run, plan)};
    case BackendChoice::cuda: return {"cuda", make_cuda(run, plan)};
    case BackendChoice::automatic:
      if (auto backend = make_cuda_if_possible(run, plan)) return {"cuda", std::move(backend)};
      [[fallthrough]];
    case BackendChoice::cpu: return {"cpu", make_cpu(run, plan)};
  }
  return {};
}

}  // namespace polhode

#include "integration/backends.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "backend/cpu/cpu_backend.hpp"
#include "backend/cuda/cuda_backend.hpp"
#include "error.hpp"

namespace polhode {
namespace {

/// Why something is missing that the program's own systems all have.
std::string built_without(const ResolvedRun& run, std::string_view what) {
  return fmt::format("{} was built without {}", run.system->plugin ? run.system->plugin->name : "polhode", what);
}

/// The best instruction set of those that the processor has and a plugin was compiled for.
Isa choose_isa(const ResolvedRun& run) {
  for (int i = n_isas; i-- > 0;)
    if (has_isa(run, Isa{i})) return Isa{i};
  throw UnavailableError(fmt::format("backend cpu is unavailable ({}). Build it for scalar too.",
                                     built_without(run, "any instruction set of this processor")));
}

/// The kernels of a table [solver][precision] that the run asks for.
template <class Kernels>
const Kernels& kernels_in(const Kernels (*table)[2], const ResolvedRun& run) {
  return table[run.variant][static_cast<int>(run.spec.integration.precision)];
}

[[noreturn]] void fail_without_precision(const ResolvedRun& run) {
  throw UnavailableError(
      fmt::format("this precision is unavailable ({}). Use the other --precision.", built_without(run, "it")));
}

std::unique_ptr<Backend> make_cpu(const ResolvedRun& run, const RunPlan& plan) {
  const Isa isa = run.spec.integration.isa.value_or(choose_isa(run));
  if (!has_isa(run, isa))
    throw UnavailableError(fmt::format("instruction set {} is unavailable ({}). Use --isa {}.",
                                       isa_names[static_cast<int>(isa)],
                                       isa_supported(isa) ? built_without(run, "it") : "this processor lacks it",
                                       isa_names[static_cast<int>(choose_isa(run))]));
  const CpuKernels kernels = run.method->kernels(run.variant, run.spec.integration.precision, isa);
  if (!kernels.propagate) fail_without_precision(run);
  return make_cpu_backend(plan, kernels, isa, {.threads = static_cast<int>(run.spec.integration.threads)});
}

std::unique_ptr<Backend> make_cuda(const ResolvedRun& run, const RunPlan& plan) {
  if (const std::string problem = problem_with_cuda(run); !problem.empty())
    throw UnavailableError(fmt::format("backend cuda is unavailable ({}). Use --backend cpu.", problem));
  const CudaKernels* const kernels = kernels_in(run.method->cuda, run);
  if (!kernels) fail_without_precision(run);
  return make_cuda_backend(plan, kernels, run.system->dim);
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

bool has_isa(const ResolvedRun& run, Isa isa) {
  return isa_supported(isa) && (!run.system->plugin || run.method->cpu[static_cast<int>(isa)]);
}

std::string problem_with_cuda(const ResolvedRun& run) {
  const std::string problem = cuda_problem();
  return problem.empty() && !run.method->cuda ? built_without(run, "nvcc") : problem;
}

ChosenBackend make_backend(const ResolvedRun& run, const RunPlan& plan) {
  switch (run.spec.integration.backend) {
    case BackendChoice::reference: return {"reference", make_reference(run, plan)};
    case BackendChoice::cuda: return {"cuda", make_cuda(run, plan)};
    case BackendChoice::automatic:
      if (problem_with_cuda(run).empty()) return {"cuda", make_cuda(run, plan)};
      [[fallthrough]];
    case BackendChoice::cpu: return {"cpu", make_cpu(run, plan)};
  }
  return {};
}

}  // namespace polhode

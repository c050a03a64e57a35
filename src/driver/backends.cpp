#include "driver/backends.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "backend/cpu/cpu_backend.hpp"
#include "backend/cuda/cuda_backend.hpp"
#include "error.hpp"

namespace polhode {
namespace {

/// Why something is missing that the program's own systems all have.
std::string built_without(const RunSpec& spec, std::string_view what) {
  return fmt::format("{} was built without {}", spec.system->plugin ? spec.system->plugin->name : "polhode", what);
}

bool can_run(const RunSpec& spec, Isa isa) { return isa_supported(isa) && spec.method->cpu[static_cast<int>(isa)]; }

/// The best instruction set of those that the processor has and the units were compiled for.
Isa choose_isa(const RunSpec& spec) {
  for (int i = n_isas; i-- > 0;)
    if (can_run(spec, Isa{i})) return Isa{i};
  throw UnavailableError(fmt::format("backend cpu is unavailable ({}). Build it for scalar too.",
                                     built_without(spec, "any instruction set of this processor")));
}

/// The kernels of a table [solver][precision] that the run asks for.
template <class Kernels>
const Kernels& kernels_in(const Kernels (*table)[2], const RunSpec& spec) {
  return table[spec.variant][static_cast<int>(spec.precision)];
}

[[noreturn]] void fail_without_precision(const RunSpec& spec) {
  throw UnavailableError(
      fmt::format("this precision is unavailable ({}). Use the other --precision.", built_without(spec, "it")));
}

std::unique_ptr<Backend> make_cpu(const RunSpec& spec, const Plan& plan) {
  const Isa isa = spec.isa.value_or(choose_isa(spec));
  if (!can_run(spec, isa))
    throw UnavailableError(fmt::format("instruction set {} is unavailable ({}). Use --isa {}.",
                                       isa_names[static_cast<int>(isa)],
                                       isa_supported(isa) ? built_without(spec, "it") : "this processor lacks it",
                                       isa_names[static_cast<int>(choose_isa(spec))]));
  const CpuKernels& kernels = kernels_in(spec.method->cpu[static_cast<int>(isa)]->kernels, spec);
  if (!kernels.propagate) fail_without_precision(spec);
  return make_cpu_backend(plan, kernels, isa, {.threads = spec.threads});
}

std::string problem_with_cuda(const RunSpec& spec) {
  const std::string problem = cuda_problem();
  return problem.empty() && !spec.method->cuda ? built_without(spec, "nvcc") : problem;
}

std::unique_ptr<Backend> make_cuda(const RunSpec& spec, const Plan& plan) {
  if (const std::string problem = problem_with_cuda(spec); !problem.empty())
    throw UnavailableError(fmt::format("backend cuda is unavailable ({}). Use --backend cpu.", problem));
  const CudaKernels* const kernels = kernels_in(spec.method->cuda, spec);
  if (!kernels) fail_without_precision(spec);
  return make_cuda_backend(plan, kernels, spec.system->dim);
}

std::unique_ptr<Backend> make_reference(const RunSpec& spec, const Plan& plan) {
  if (!spec.method->make_reference)
    throw UnavailableError(fmt::format("backend reference is unavailable ({}). Use --backend cpu.",
                                       spec.system->plugin
                                           ? built_without(spec, "Eigen")
                                           : fmt::format("it has no {} on {}", spec.method->name, spec.system->name)));
  if (spec.precision != Precision::binary64)
    throw InputError("backend reference has no single precision (it is there to be exact). Use --precision double.");
  try {
    return spec.method->make_reference(plan);
  } catch (const std::invalid_argument& error) {
    throw InputError(error.what());
  }
}

}  // namespace

ChosenBackend make_backend(const RunSpec& spec, const Plan& plan) {
  switch (spec.backend) {
    case BackendChoice::reference: return {"reference", make_reference(spec, plan)};
    case BackendChoice::cuda: return {"cuda", make_cuda(spec, plan)};
    case BackendChoice::automatic:
      if (problem_with_cuda(spec).empty()) return {"cuda", make_cuda(spec, plan)};
      [[fallthrough]];
    case BackendChoice::cpu: return {"cpu", make_cpu(spec, plan)};
  }
  return {};
}

}  // namespace polhode

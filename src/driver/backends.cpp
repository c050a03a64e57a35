#include "driver/backends.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "backend/cpu/cpu_backend.hpp"
#include "backend/cuda/cuda_backend.hpp"
#include "error.hpp"

namespace polhode {
namespace {

std::unique_ptr<Backend> make_cpu(const RunSpec& spec, const Plan& plan) {
  const Isa isa = spec.isa.value_or(best_isa());
  if (!isa_supported(isa))
    throw UnavailableError(fmt::format("instruction set {} is unavailable (this processor lacks it). Use --isa {}.",
                                       isa_names[static_cast<int>(isa)], isa_names[static_cast<int>(best_isa())]));
  const CpuKernels& kernels =
      spec.method->cpu[static_cast<int>(isa)]->kernels[spec.variant][static_cast<int>(spec.precision)];
  return make_cpu_backend(plan, kernels, isa, {.threads = spec.threads});
}

std::string problem_with_cuda(const RunSpec& spec) {
  return spec.method->cuda ? cuda_problem() : "CUDA is not compiled in: there was no nvcc";
}

std::unique_ptr<Backend> make_cuda(const RunSpec& spec, const Plan& plan) {
  if (const std::string problem = problem_with_cuda(spec); !problem.empty())
    throw UnavailableError(fmt::format("backend cuda is unavailable ({}). Use --backend cpu.", problem));
  return make_cuda_backend(plan, spec.method->cuda[spec.variant][static_cast<int>(spec.precision)], spec.system->dim);
}

std::unique_ptr<Backend> make_reference(const RunSpec& spec, const Plan& plan) {
  if (!spec.method->make_reference)
    throw UnavailableError(fmt::format("backend reference is unavailable (it has no {} on {}). Use --backend cpu.",
                                       spec.method->name, spec.system->name));
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

// polhode compile: kernels before they are needed.
#include <fmt/format.h>

#include "backend/cpu/isa.hpp"
#include "backend/cuda/cuda_backend.hpp"
#include "cli/commands.hpp"
#include "cli/numbers.hpp"
#include "integration/backends.hpp"
#include "modules/modules.hpp"

namespace polhode {
namespace {

/// Targets that a run has on this machine.
std::vector<Target> targets_of(const ResolvedRun& run) {
  const IntegrationSpec& integration = run.spec.integration;
  const bool is_on_gpu = integration.backend == BackendChoice::cuda;
  if (is_on_gpu || integration.backend == BackendChoice::automatic) {
    const std::string problem = problem_with_cuda(run);
    if (problem.empty()) return {Target::gpu(cuda_capability())};
    if (is_on_gpu)
      throw UnavailableError(
          fmt::format("cannot tell for which GPU to compile kernels ({}). Add --for, e.g. --for sm_90.", problem));
  }
  return {integration.isa.value_or(best_isa())};
}

/// Modules of runs, for the targets that are asked for, or theirs.
std::vector<ModuleSource> modules_of(const std::vector<ResolvedRun>& runs, const std::vector<Target>& targets) {
  std::vector<ModuleSource> sources;
  for (const ResolvedRun& run : runs) {
    if (run.system->plugin) continue;  // which brings its kernels
    for (const Target& target : targets.empty() ? targets_of(run) : targets)
      for (ModuleSource& source : run.method->modules(run.variant, run.spec.integration.precision, target))
        sources.push_back(std::move(source));
  }
  return sources;
}

std::vector<ModuleSource> all_modules(const std::vector<Target>& targets) {
  std::vector<ModuleSource> sources;
  for (const Target& target : targets.empty() ? std::vector{Target(best_isa())} : targets)
    for (const MethodEntry& method : methods())
      for (int solver = 0; solver < std::ssize(method.variants) && !find_system(method.system)->plugin; ++solver)
        for (ModuleSource& source : method.modules(solver, Precision::binary64, target))
          sources.push_back(std::move(source));
  return sources;
}

}  // namespace

ExitCode compile_command(const std::vector<ResolvedRun>& runs, const CompileOptions& options) {
  const std::vector<ModuleSource> sources =
      without_copies(options.all ? all_modules(options.targets) : modules_of(runs, options.targets));
  const int compiled = compile_modules(sources, options.into), all = static_cast<int>(sources.size());
  fmt::print("{} compiled, {} were there\n", counted(compiled, "kernel", "kernels"), all - compiled);
  return ExitCode::done;
}

}  // namespace polhode

// polhode compile: kernels before they are needed.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "backend/cpu/isa.hpp"
#include "backend/cuda/cuda_backend.hpp"
#include "catalog/own_systems.hpp"
#include "cli/commands.hpp"
#include "cli/numbers.hpp"
#include "integration/backends.hpp"
#include "modules/modules.hpp"

namespace polhode {
namespace {

void append(std::vector<ModuleSource>& all, std::vector<ModuleSource> more) {
  std::ranges::move(more, std::back_inserter(all));
}

/// Targets for which a run needs kernels on this machine. Throws UnavailableError where the backend of the run is
/// `cuda` and no GPU can be used.
std::vector<Target> targets_of(const ResolvedRun& run) {
  if (const std::optional<Target> gpu = gpu_of(run)) {
    if (needs_processor(run)) return {*gpu, processor_of(run)};
    return {*gpu};
  }
  if (run.spec.execution.backend == BackendChoice::cuda)
    throw UnavailableError(
        fmt::format("cannot tell for which GPU to compile kernels ({}). Add --for, e.g. --for sm_90.", cuda_problem()));
  return {processor_of(run)};
}

/// Modules of runs, for `targets`, or where that is empty for the targets that each run has on this machine.
std::vector<ModuleSource> modules_of_runs(const std::vector<ResolvedRun>& runs, const std::vector<Target>& targets) {
  std::vector<ModuleSource> sources;
  for (const ResolvedRun& run : runs) {
    for (const Target& target : targets.empty() ? targets_of(run) : targets) {
      const Precision precision = run.spec.execution.precision;
      append(sources, run.method->modules(run.solver_index, precision, target, run.table));
      if (run.spec.record.shadow_energy > 0 && !target.is_gpu())
        sources.push_back(run.method->shadow_source(run.solver_index, precision, target.isa(), run.table));
    }
    if (run.system->own) append(sources, modules_besides_kernels(*run.system));
  }
  return sources;
}

/// Appends to `sources` the modules of all methods of a system in double precision, with the default table where a
/// method has tables, for `targets`, or where that is empty for the best instruction set of this processor.
void append_all(const SystemEntry& system, const std::vector<Target>& targets, std::vector<ModuleSource>& sources) {
  for (const Target& target : targets.empty() ? std::vector{Target(best_isa())} : targets)
    for (const MethodEntry* const method : methods_of(system))
      for (int solver = 0; solver < std::ssize(method->solvers); ++solver)
        append(sources, method->modules(solver, Precision::binary64, target));
}

/// Modules of the users' systems in options.systems, or where that is empty of the program's systems.
std::vector<ModuleSource> all_modules(const CompileOptions& options) {
  std::vector<ModuleSource> sources;
  for (const std::string& header : options.systems) {
    const SystemEntry& system = require_system(header);
    append_all(system, options.targets, sources);
    append(sources, modules_besides_kernels(system));
  }
  if (options.systems.empty())
    for (const SystemEntry& system : systems()) append_all(system, options.targets, sources);
  return sources;
}

}  // namespace

ExitCode compile_command(const std::vector<ResolvedRun>& runs, const CompileOptions& options) {
  const std::vector<ModuleSource> sources =
      without_copies(options.all ? all_modules(options) : modules_of_runs(runs, options.targets));
  const int compiled = compile_modules(sources, options.into), all = static_cast<int>(sources.size());
  fmt::print("{} compiled, {} were there\n", counted(compiled, "kernel", "kernels"), all - compiled);
  return ExitCode::done;
}

}  // namespace polhode

// polhode compile: kernels before they are needed.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/numbers.hpp"
#include "modules/modules.hpp"

namespace polhode {
namespace {

/// Modules of runs, for the instruction sets that are asked for, or that they ask for.
std::vector<ModuleSource> modules_of(const std::vector<ResolvedRun>& runs, const std::vector<Isa>& targets) {
  std::vector<ModuleSource> sources;
  for (const ResolvedRun& run : runs) {
    if (run.system->plugin) continue;  // which brings its kernels
    const IntegrationSpec& integration = run.spec.integration;
    for (const Isa target : targets.empty() ? std::vector{integration.isa.value_or(best_isa())} : targets)
      for (ModuleSource& source : run.method->modules(run.variant, integration.precision, target))
        sources.push_back(std::move(source));
  }
  return sources;
}

std::vector<ModuleSource> all_modules(const std::vector<Isa>& targets) {
  std::vector<ModuleSource> sources;
  for (const Isa target : targets.empty() ? std::vector{best_isa()} : targets)
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

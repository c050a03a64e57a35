// polhode compile: kernels before they are needed.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/numbers.hpp"
#include "modules/modules.hpp"

namespace polhode {
namespace {

std::vector<ModuleSource> modules_of(const std::vector<ResolvedRun>& runs, Isa target) {
  std::vector<ModuleSource> sources;
  for (const ResolvedRun& run : runs) {
    if (run.system->plugin) continue;  // which brings its kernels
    for (ModuleSource& source : run.method->modules(run.variant, run.spec.integration.precision, target))
      sources.push_back(std::move(source));
  }
  return sources;
}

std::vector<ModuleSource> all_modules(Isa target) {
  std::vector<ModuleSource> sources;
  for (const MethodEntry& method : methods())
    for (int solver = 0; solver < std::ssize(method.variants) && !find_system(method.system)->plugin; ++solver)
      for (ModuleSource& source : method.modules(solver, Precision::binary64, target))
        sources.push_back(std::move(source));
  return sources;
}

}  // namespace

ExitCode compile_command(const std::vector<ResolvedRun>& runs, const CompileOptions& options) {
  int compiled = 0, all = 0;
  for (const Isa target : options.targets.empty() ? std::vector{best_isa()} : options.targets) {
    const std::vector<ModuleSource> sources =
        without_copies(options.all ? all_modules(target) : modules_of(runs, target));
    all += static_cast<int>(sources.size());
    compiled += compile_modules(sources, options.into);
  }
  fmt::print("{} compiled, {} were there\n", counted(compiled, "kernel", "kernels"), all - compiled);
  return ExitCode::done;
}

}  // namespace polhode

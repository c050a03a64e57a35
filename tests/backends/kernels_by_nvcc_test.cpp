// Kernels for GPUs where there is none: they can be compiled and loaded, and keep trajectories in registers.
#include <set>

#include "backends/support.hpp"
#include "catalog/table_type.hpp"
#include "error.hpp"
#include "modules/compiler.hpp"
#include "modules/modules.hpp"

namespace polhode::test {
namespace {

TEST(KernelsByNvcc, KeepTrajectoriesInRegisters) {
  const Target target = Target::gpu(90);
  try {
    Compiler::find(target);
  } catch (const UnavailableError& error) {
    GTEST_SKIP() << "no nvcc: " << error.what();
  }
  std::vector<ModuleSource> sources;
  std::set<std::string> all, compiled;
  for (const MethodEntry& method : methods())
    for (int solver = 0; solver < std::ssize(method.solvers); ++solver) {
      all.insert(method.map.type);
      if (!is_compiled_for_gpus(method, solver)) continue;
      compiled.insert(method.map.type);
      for (ModuleSource& source : method.modules(solver, Precision::binary64, target))
        sources.push_back(std::move(source));
    }
  EXPECT_EQ(compiled, all);
  // The longest table on small states is kept there, too; on large ones it may not be.
  for (const char* system : {"henon-heiles", "double-spherical-pendulum-cylindrical"})
    sources.push_back(find_method(system, "runge-kutta")
                          ->modules(0, Precision::binary64, target, find_explicit_table("dop853")->table)
                          .front());
  sources = without_copies(std::move(sources));
  compile_modules(sources, {});  // which refuses what is in memory
  for (const ModuleTable* const table : load_modules(sources)) EXPECT_NE(table->functions, nullptr);
  std::printf("%zu kernels compiled for %s\n", sources.size(), target.name().c_str());
}

}  // namespace
}  // namespace polhode::test

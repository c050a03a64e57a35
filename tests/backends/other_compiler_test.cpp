// A unit that the other one of GCC and Clang has compiled gives the bits of the program's own.
#include <bit>
#include <cstdio>

#include "backends/support.hpp"

// OTHER_UNITS, from tests/CMakeLists.txt: OTHER_UNIT(SYSTEM_AND_MAP, ISA) for each; empty without another compiler.
#define OTHER_UNIT(name, isa) extern const polhode::CpuTable polhode_cpu_##name##_##isa, other_##name##_##isa;
extern "C" {
OTHER_UNITS
}
#undef OTHER_UNIT

namespace polhode::test {
namespace {

struct OtherUnit {
  const char* name;
  Isa isa;
  const CpuTable *own, *other;
};
#define OTHER_UNIT(name, isa) {#name, Isa::isa, &polhode_cpu_##name##_##isa, &other_##name##_##isa},
const std::vector<OtherUnit> units{OTHER_UNITS};

TEST(OtherCompiler, GivesTheSameBits) {
  if (units.empty()) GTEST_SKIP() << "no second compiler: " OTHER_COMPILER;
  constexpr std::int64_t n = 257, steps = 256;
  for (const OtherUnit& unit : units) {
    if (!isa_supported(unit.isa)) {
      std::printf("left out: %s, which this processor does not have\n", isa_names[static_cast<int>(unit.isa)]);
      continue;
    }
    int compared = 0;
    for (const Case& one : all_cases({Precision::binary64, Precision::binary32})) {
      const MethodEntry& method = *one.method;
      if (method.cpu[static_cast<int>(unit.isa)] != unit.own) continue;
      Plan plan = example_plan(method, steps, one.variant, one.precision);
      plan.snapshots_every = steps / 4;
      const Batch batch = random_ensemble(n, 20261124, 4, 3, method, std::popcount(plan.invariants));
      const auto run = [&](const CpuTable& table) {
        const CpuKernels& kernels = table.kernels[one.variant][static_cast<int>(one.precision)];
        return run_all(*make_cpu_backend(plan, kernels, unit.isa, {.threads = 1}), batch, steps, steps);
      };
      const Outcome own = run(*unit.own);
      EXPECT_GT(own.section.size(), n / 4);  // or the comparison would be empty
      expect_same_bits(own, run(*unit.other),
                       case_name({one, 0}) + " for " + isa_names[static_cast<int>(unit.isa)] + " by " OTHER_COMPILER);
      ++compared;
    }
    EXPECT_GT(compared, 0) << unit.name;
  }
}

}  // namespace
}  // namespace polhode::test

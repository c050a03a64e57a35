// The suites of this program against the catalog, by name: what is missing from one, registered twice or not what it is
// called is found and named. Those of the numerics are in numerics/completeness_test.cpp.
#include <cstdio>
#include <cstdlib>
#include <set>

#include "backends/support.hpp"
#include "support/completeness.hpp"

namespace polhode::test {
namespace {

/// Every entry of the catalog that is tested, at run time; under find_method() a second one of a name would be hidden.
std::vector<std::string> catalog_cases(std::initializer_list<Precision> precisions) {
  std::vector<std::string> names;
  for (const MethodEntry& method : methods())
    for (int solver = 0; solver < static_cast<int>(method.solvers.size()); ++solver)
      for (const Precision precision : precisions)
        if (is_tested(method, precision, best_isa()))
          names.push_back(case_name(::testing::TestParamInfo<Case>({&method, solver, precision}, 0)));
  return names;
}

TEST(Suites, HaveEveryEntryOfTheCatalog) {
  const std::vector<std::string> all = catalog_cases({Precision::binary64, Precision::binary32});
  EXPECT_EQ(difference_of_names(all, registered_parameters("Every/SameBits")), "");
  EXPECT_EQ(difference_of_names(catalog_cases({Precision::binary64}), registered_parameters("Every/Agreement")), "");
}

/// A kernel is tested in double on the best instruction set, or with its step map's first system.
TEST(Suites, LeaveOutNoStepMapSolverPrecisionOrInstructionSet) {
  std::set<std::string> all, tested;
  int kernels = 0, left_out = 0;
  std::set<std::string> counted;
  for (const MethodEntry& method : methods())
    for (int solver = 0; solver < static_cast<int>(method.solvers.size()); ++solver)
      for (const Precision precision : {Precision::binary64, Precision::binary32})
        for (int i = 0; i < n_isas; ++i) {
          if (!isa_supported(Isa{i})) continue;
          const std::string map = method.map.type, name = method.solvers[solver].name,
                            target = std::string(isa_names[i]) + std::to_string(static_cast<int>(precision));
          if (!counted.insert(map + method.system + name + target).second) continue;
          ++kernels;
          const bool is_in = is_tested(method, precision, Isa{i});
          left_out += !is_in;
          for (const std::string& what : {map + " " + target, map + " " + method.system + " " + name}) {
            all.insert(what);
            if (is_in) tested.insert(what);
          }
        }
  EXPECT_EQ(tested, all);
  std::printf("%d kernels, %d of them left out (scripts/test all)\n", kernels, left_out);
  EXPECT_EQ(std::getenv("POLHODE_TEST_ALL") != nullptr, left_out == 0);
}

}  // namespace
}  // namespace polhode::test

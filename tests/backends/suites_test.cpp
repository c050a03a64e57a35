// The suites of this program against the catalog, by name: what is missing from one, registered twice or not what it is
// called is found and named. Those of the numerics are in numerics/completeness_test.cpp.
#include "backends/support.hpp"
#include "support/completeness.hpp"

namespace polhode::test {
namespace {

/// Every entry of the catalog at run time; under find_method() a second one of a name would be hidden.
std::vector<std::string> catalog_cases(std::initializer_list<Precision> precisions) {
  std::vector<std::string> names;
  for (const MethodEntry& method : methods())
    for (int variant = 0; variant < static_cast<int>(method.variants.size()); ++variant)
      for (const Precision precision : precisions)
        names.push_back(case_name(::testing::TestParamInfo<Case>({&method, variant, precision}, 0)));
  return names;
}

TEST(Suites, HaveEveryEntryOfTheCatalog) {
  const std::vector<std::string> all = catalog_cases({Precision::binary64, Precision::binary32});
  EXPECT_EQ(difference_of_names(all, registered_parameters("Every/SameBits")), "");
  EXPECT_EQ(difference_of_names(catalog_cases({Precision::binary64}), registered_parameters("Every/Agreement")), "");
}

}  // namespace
}  // namespace polhode::test

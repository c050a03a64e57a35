// The numerics suites list their methods by type; one that only the catalog knows would go untested.
#include <algorithm>

#include "backends/support.hpp"
#include "numerics/methods.hpp"

namespace polhode::test {
namespace {

template <class... Method>
std::vector<std::string> names_of(::testing::Types<Method...>) {
  return {(std::string(Method::System::name) + ", " + Method::Solver::name)...};
}

TEST(NumericsSuites, HaveEveryEntryOfTheCatalog) {
  std::vector<std::string> catalog, suites = names_of(AllMethods{});
  for (const MethodEntry& method : methods())
    for (const VariantEntry& variant : method.variants)
      if (is_top(*find_system(method.system))) catalog.push_back(std::string(method.system) + ", " + variant.solver);
  std::sort(catalog.begin(), catalog.end());
  std::sort(suites.begin(), suites.end());
  EXPECT_EQ(catalog, suites);  // as many methods for every system and solver
}

}  // namespace
}  // namespace polhode::test

#include "contract.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/contracts.hpp"

namespace polhode {
namespace {

TEST(ContractDeathTest, ABreachIsToldWithItsPlace) {
  const int n = 0;
  EXPECT_BREACH(POLHODE_EXPECT(n > 0), "EXPECT\\(n > 0\\)");
  EXPECT_BREACH(POLHODE_ENSURE(std::max(n, 1) == n), "ENSURE\\(std::max\\(n, 1\\) == n\\)");
  EXPECT_DEATH(POLHODE_EXPECT(n > 0), "contract_test\\.cpp:[0-9]+: ");
}

TEST(Contract, IsEvaluatedWhereItIsCheckedOnly) {
#if defined(POLHODE_CONTRACTS)
  constexpr int expected = 2;
#else
  constexpr int expected = 0;
#endif
  int evaluated = 0;
  const auto holds = [&] { return ++evaluated > 0; };
  POLHODE_EXPECT(holds());
  POLHODE_ENSURE(holds());
  EXPECT_EQ(evaluated, expected);
}

}  // namespace
}  // namespace polhode

// Whether a suite that runs over the catalog has every entry of it, once: by names, so that one too few does not hide
// behind one too many.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace polhode::test {

/// Names of the parameters that every test of a suite was instantiated with, as googletest has registered them. `suite`
/// is PREFIX/SUITE.
inline std::vector<std::string> registered_parameters(const std::string& suite) {
  std::map<std::string, std::vector<std::string>> of_test;
  const ::testing::UnitTest& all = *::testing::UnitTest::GetInstance();
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const ::testing::TestSuite& found = *all.GetTestSuite(i);
    if (found.name() != suite) continue;
    for (int k = 0; k < found.total_test_count(); ++k) {
      const std::string name = found.GetTestInfo(k)->name();
      const auto slash = name.find('/');
      of_test[name.substr(0, slash)].push_back(name.substr(slash + 1));
    }
  }
  EXPECT_FALSE(of_test.empty()) << "there is no suite " << suite;
  if (of_test.empty()) return {};
  for (const auto& [test, parameters] : of_test) EXPECT_EQ(parameters, of_test.begin()->second) << test;
  return of_test.begin()->second;
}

/// One line for each name that is not in both as often.
inline std::string difference_of_names(const std::vector<std::string>& catalog, const std::vector<std::string>& suite) {
  std::map<std::string, std::pair<int, int>> count;
  for (const std::string& name : catalog) ++count[name].first;
  for (const std::string& name : suite) ++count[name].second;
  std::string lines;
  for (const auto& [name, times] : count)
    if (times.first != 1 || times.second != 1)
      lines += name + ": " + std::to_string(times.first) + " in the catalog, " + std::to_string(times.second) +
               " in the suite\n";
  return lines;
}

}  // namespace polhode::test

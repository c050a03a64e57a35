// The suites of this program against the catalog: a method that is missing from them, that is registered twice or under
// another name is found and named. The catalog is read at run time, the suites as googletest has registered them.
#include "support/completeness.hpp"
#include "numerics/subject.hpp"
#include "support/tolerances.hpp"

namespace polhode::test {
namespace {

std::string entry_name(const std::string& system, const std::string& method, const std::string& solver) {
  return system + ", " + method + ", " + solver;
}

std::vector<std::string> catalog_entries() {
  std::vector<std::string> names;
  for (const MethodEntry& method : methods())
    for (const SolverEntry& solver : method.solvers)
      names.push_back(entry_name(method.system, method.name, solver.name));
  return names;
}

/// What the tests of a suite run over: its registered parameters, with the solvers that each of them has.
std::vector<std::string> suite_entries(const std::string& suite) {
  std::vector<std::string> names;
  for (const std::string& parameter : registered_parameters(suite))
    for (const Method& method : catalog_methods()) {
      if (as_identifier(method.system + "_" + method.name) != parameter) continue;
      for (const int solver : method.solvers)
        names.push_back(entry_name(method.system, method.name, method.subjects.front()->solver_name(solver)));
    }
  return names;
}

TEST(Completeness, OfMethodsAndSolvers) {
  for (const char* suite : {"Catalog/MethodProperties", "Catalog/Program"})
    EXPECT_EQ(difference_of_names(catalog_entries(), suite_entries(suite)), "") << suite;
}

TEST(Completeness, OfSystems) {
  std::vector<std::string> catalog, controls_of_catalog;
  for (const SystemEntry& system : systems()) {
    catalog.push_back(system.name);
    controls_of_catalog.push_back(as_identifier(std::string(system.name) + "_explicit midpoint"));
  }
  std::vector<std::string> suite;
  for (const Subject* subject : subjects()) suite.push_back(subject->system.name);
  EXPECT_EQ(difference_of_names(catalog, suite), "");
  EXPECT_EQ(difference_of_names(controls_of_catalog, registered_parameters("Control/MethodProperties")), "");
}

TEST(Completeness, OfTolerances) {
  std::map<std::string, int> rows;
  for (const Tolerances& row : tolerances) EXPECT_EQ(++rows[row.method], 1) << row.method;
  for (const MethodEntry& method : methods()) EXPECT_EQ(rows.count(method.name), 1u) << method.name;
}

TEST(Completeness, NamesWhatIsMissingOrTooMuch) {
  EXPECT_EQ(difference_of_names({"a", "b"}, {"b", "a"}), "");
  EXPECT_EQ(difference_of_names({"a", "b", "b"}, {"a", "b"}), "b: 2 in the catalog, 1 in the suite\n");
  EXPECT_EQ(difference_of_names({"a", "b"}, {"a", "c"}),
            "b: 1 in the catalog, 0 in the suite\nc: 0 in the catalog, 1 in the suite\n");
}

}  // namespace
}  // namespace polhode::test

// The reference goes by names of methods: what it does not know on a system it refuses, in place of another method.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>

#include "backend/reference/reference_method.hpp"
#include "backend/run_plan.hpp"
#include "catalog/catalog.hpp"
#include "catalog/references.hpp"

namespace polhode::test {
namespace {

RunPlan plan_of(const SystemEntry& system) {
  RunPlan plan{};
  std::ranges::copy(system.example_parameters, plan.parameters);
  plan.step = system.example_step;
  return plan;
}

/// A method with a value for every option that one has.
ReferenceMethod named(const std::string& name) {
  return {name,
          {{"order", 2.0},
           {"drift_order", 2.0},
           {"stages", 2.0},
           {"kappa", 1.0},
           {"kind", "1"},
           {"lagrangian", "midpoint"}}};
}

/// Whether the reference takes one system like another: by the same equations, whatever the step maps of the fast path.
bool are_alike(const SystemEntry& one, const SystemEntry& other) {
  return one.kind == other.kind && (one.project_momentum != nullptr) == (other.project_momentum != nullptr);
}

TEST(ReferenceRefuses, MethodsThatNoSuchSystemHas) {
  std::set<std::string> names{"nobody"};
  for (const MethodEntry& method : methods()) names.insert(method.name);
  int refused = 0;
  for (const SystemEntry& system : systems())
    for (const std::string& name : names) {
      if (std::ranges::any_of(systems(), [&](const SystemEntry& other) {
            return are_alike(system, other) && find_method(other.name, name);
          }))
        continue;
      EXPECT_THROW(find_reference(system.name)(plan_of(system), named(name)), std::invalid_argument)
          << system.name << ' ' << name;
      ++refused;
    }
  EXPECT_GT(refused, 150);
}

TEST(ReferenceRefuses, ValuesOfOptionsThatThereAreNot) {
  const auto with = [](const char* system, const char* method, const char* option, const char* value) {
    ReferenceMethod changed = named(method);
    std::ranges::find(changed.options, option, &ReferenceOption::name)->value = std::string(value);
    return find_reference(system)(plan_of(*find_system(system)), changed);
  };
  EXPECT_THROW(with("henon-heiles", "generating-function", "kind", "4"), std::invalid_argument);
  EXPECT_NO_THROW(with("henon-heiles", "generating-function", "kind", "2"));
  EXPECT_THROW(with("j2-satellite-reduced", "discrete-routh", "lagrangian", "none"), std::invalid_argument);
  EXPECT_NO_THROW(with("j2-satellite-reduced", "discrete-routh", "lagrangian", "own"));
  EXPECT_THROW(with("henon-heiles", "gauss", "stages", "two"), std::invalid_argument);
}

}  // namespace
}  // namespace polhode::test

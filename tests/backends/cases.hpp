// The cases that the backend tests go through: methods on systems, with solvers, precisions and options.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "spec/method_step.hpp"
#include "spec/table_of_method.hpp"
#include "support/kernels_under_test.hpp"

namespace polhode::test {

/// One way to run a method on a system.
struct Case {
  const MethodEntry* method;
  int solver;
  Precision precision;
  const char* composition = "none";
  const char* kind = nullptr;  ///< of a generating function, with its order
  int order = 0;
  int stages = 0;               ///< of a method with a choice of them; 0: its default
  const char* table = nullptr;  ///< of a method with a choice of them, or "own"; null: the default
  double bias = 0;              ///< of a variational integrator
};

/// Ralston's method of order 3, which has no name.
inline Value ralston_table() { return Rows{{0, 0, 0, 0.5, 0, 0, 0, 0.75, 0, 2. / 9, 1. / 3, 4. / 9}, 3}; }

inline std::map<std::string, Value> options_of(const Case& one) {
  std::map<std::string, Value> options{{"composition", std::string(one.composition)}};
  if (one.kind) {
    options["kind"] = std::string(one.kind);
    options["order"] = std::int64_t{one.order};
  }
  if (one.stages > 0) options["stages"] = std::int64_t{one.stages};
  if (one.table)
    options[one.method->table_option] = one.table == std::string("own") ? ralston_table() : std::string(one.table);
  if (one.bias != 0) options["bias"] = one.bias;
  return options;
}

/// Table that the kernels of a case are compiled with; nothing for a method that has none.
inline std::optional<ExplicitTable> table_of(const Case& one) { return table_of_method(*one.method, options_of(one)); }

/// Every method on every system, with every solver in the precisions asked for that are tested; once, as a name finds
/// it.
inline std::vector<Case> all_cases(std::initializer_list<Precision> precisions) {
  std::vector<Case> cases;
  for (const MethodEntry& method : methods()) {
    if (find_method(method.system, method.name) != &method) continue;  // suites_test.cpp finds it
    for (int solver = 0; solver < static_cast<int>(method.solvers.size()); ++solver)
      for (const Precision precision : precisions)
        if (is_tested(method, precision, best_isa())) cases.push_back({&method, solver, precision});
  }
  return cases;
}

/// Compositions by some solvers: of few and many stages, with adjoints, of each step map. And generating functions of
/// each kind, collocation with few and many stages, and tables of Runge-Kutta methods, long ones and one's own.
inline std::vector<Case> composed_cases(std::initializer_list<Precision> precisions) {
  constexpr struct {
    const char *system, *method, *composition;
  } composed[] = {{"heavy-top", "rattle", "yoshida4"},
                  {"heavy-top", "constraint-euler", "mclachlan4"},
                  {"rigid-body", "rattle", "kahan-li8"},
                  {"rigid-body-4", "rattle", "suzuki4"},
                  {"spherical-pendulum", "rattle", "sofroniou-spaletta10"},
                  {"spherical-pendulum", "constraint-euler-adjoint", "kahan-li6"},
                  {"spherical-pendulum", "implicit-midpoint", "yoshida4"},
                  {"magnetic-pendulum", "constraint-euler", "yoshida4"},
                  {"henon-heiles", "stoermer-verlet", "kahan-li8"},
                  {"henon-heiles", "symplectic-euler", "suzuki4"},
                  {"kepler", "lobatto", "yoshida4"}};
  constexpr struct {
    const char *system, *kind;
    int order;
  } generated[] = {{"henon-heiles", "1", 2}, {"kepler", "1", 4},        {"central", "1", 4},
                   {"kepler", "2", 4},       {"kepler", "poincare", 2}, {"henon-heiles", "poincare", 4}};
  constexpr struct {
    const char *system, *method;
    int stages;
  } collocation[] = {{"heavy-top", "gauss", 1},    {"rigid-body", "gauss", 8}, {"spherical-pendulum", "gauss", 3},
                     {"henon-heiles", "gauss", 5}, {"kepler", "lobatto", 2},   {"central", "lobatto", 4}};
  constexpr struct {
    const char *system, *method, *table;
    double bias = 0;
  } tabulated[] = {{"heavy-top", "runge-kutta", "dop853"},
                   {"heavy-top", "runge-kutta", "own"},
                   {"kepler", "runge-kutta", "verner6"},
                   {"double-spherical-pendulum-reduced", "runge-kutta", "dopri5"},
                   {"spherical-pendulum", "runge-kutta", "own"},
                   {"spherical-pendulum", "runge-kutta-projected", "dop853"},
                   {"spherical-pendulum", "variational", "dopri5"},
                   {"spherical-pendulum", "variational", "heun", -0.5},
                   {"magnetic-pendulum", "variational", "own", -0.3}};
  std::vector<Case> cases;
  for (const Precision precision : precisions) {
    for (const auto& [system, method, composition] : composed)
      cases.push_back({find_method(system, method), 0, precision, composition});
    for (const auto& [system, kind, order] : generated)
      cases.push_back({find_method(system, "generating-function"), 0, precision, "none", kind, order});
    for (const auto& [system, method, stages] : collocation)
      cases.push_back({find_method(system, method), 0, precision, "none", nullptr, 0, stages});
    for (const auto& [system, method, table, bias] : tabulated)
      cases.push_back({find_method(system, method), 0, precision, "none", nullptr, 0, 0, table, bias});
  }
  std::erase_if(cases, [](const Case& one) { return !is_tested(*one.method, one.precision, best_isa()); });
  return cases;
}

inline std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  const MethodEntry& method = *info.param.method;
  std::string name = std::string(method.system) + "_" + method.name + "_" + method.solvers[info.param.solver].name +
                     (info.param.precision == Precision::binary64 ? "_double" : "_single");
  if (info.param.composition != std::string("none")) name += std::string("_") + info.param.composition;
  if (info.param.kind) name += std::string("_") + info.param.kind + "_" + std::to_string(info.param.order);
  if (info.param.stages > 0) name += "_" + std::to_string(info.param.stages) + "_stages";
  if (info.param.table) name += std::string("_") + info.param.table;
  if (info.param.bias != 0) name += "_biased";
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace polhode::test

// Explicit Runge-Kutta methods by their tables (polhode/method/explicit_tables.hpp): conditions of order, orders
// measured on systems of each kind, and the methods that have code of their own. properties_test.cpp has the default
// table on every system.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "backend/reference/runge_kutta_rules.hpp"
#include "numerics/advance_by_definition.hpp"
#include "numerics/subject.hpp"
#include "polhode/method/explicit_midpoint.hpp"
#include "polhode/method/explicit_runge_kutta.hpp"
#include "polhode/method/heun.hpp"
#include "polhode/method/projected_runge_kutta.hpp"
#include "polhode/method/rk4.hpp"
#include "polhode/method/rk4_projected.hpp"
#include "polhode/method/runge_kutta.hpp"
#include "polhode/method/substituted_multipliers.hpp"
#include "polhode/method/substituted_runge_kutta.hpp"
#include "polhode/method/tabulated_runge_kutta.hpp"
#include "polhode/system/double_pendulum_shape.hpp"
#include "polhode/system/heavy_top.hpp"
#include "polhode/system/henon_heiles.hpp"
#include "polhode/system/j2_satellite_shape.hpp"
#include "polhode/system/kepler.hpp"
#include "polhode/system/pendulum_chain.hpp"
#include "polhode/system/rigid_body.hpp"
#include "spec/method_step.hpp"
#include "spec/order_conditions.hpp"

namespace polhode::test {
namespace {

constexpr int orders[] = {1, 2, 2, 3, 4, 5, 6, 8};  ///< of explicit_tables
constexpr int heun = 1, midpoint = 2, rk4 = 4, dopri5 = 5, verner6 = 6, dop853 = 7;

// Conditions of order.

TEST(ExplicitTables, HaveTheirOrdersAndNoMore) {
  ASSERT_EQ(std::size(orders), std::size(explicit_tables));
  for (std::size_t k = 0; k < std::size(orders); ++k)
    EXPECT_EQ(order_of(explicit_tables[k].table), orders[k]) << explicit_tables[k].name;
}

TEST(ExplicitTables, HaveNoCoefficientThatMayBeAnother) {
  for (std::size_t k = 0; k < std::size(orders); ++k)
    for (const double change : {1e-9, -1e-9}) {
      const ExplicitTable& table = explicit_tables[k].table;
      for (int i = 0; i <= table.stages; ++i)
        for (int j = 0; j < i; ++j) {
          if (i < table.stages && !table.uses(i)) continue;
          ExplicitTable other = table;
          (i == table.stages ? other.b[j] : other.a[i][j]) += change;
          EXPECT_LT(order_of(other), orders[k]) << explicit_tables[k].name << ", row " << i << ", column " << j;
        }
    }
}

/// A table with two more stages at the same argument a, whose weights are w and -w: the map of the table itself, and of
/// another one if their arguments differ.
ExplicitTable with_twins(ExplicitTable table, double a, double w, double apart) {
  const int first = table.stages;
  table.a[first][0] = a;
  table.a[first + 1][0] = a + apart;
  table.b[first] = w;
  table.b[first + 1] = -w;
  table.stages += 2;
  return table;
}

TEST(ExplicitTables, AreNotOfAnOrderThatRoundingCouldHide) {
  const ExplicitTable& table = explicit_tables[rk4].table;
  EXPECT_EQ(order_of(with_twins(table, 1, 10, 0)), 4);
  EXPECT_EQ(order_of(with_twins(table, 1, 10, 1e-9)), 1);
  // Here the defect is 1e-10, beside terms of 1e6; and even without it, it could be there.
  EXPECT_EQ(order_of(with_twins(table, 1000, 1000, 1.2e-13)), 1);
  EXPECT_EQ(order_of(with_twins(table, 1000, 1000, 0)), 1);
}

TEST(ExplicitTables, OfOnesOwnHaveTheOrderOfTheirConditions) {
  // Ralston's methods, Kutta's 3/8 rule, and weights without a sum of 1.
  EXPECT_EQ(order_of({.stages = 2, .a = {{}, {2. / 3}}, .b = {0.25, 0.75}}), 2);
  EXPECT_EQ(order_of({.stages = 3, .a = {{}, {0.5}, {0, 0.75}}, .b = {2. / 9, 1. / 3, 4. / 9}}), 3);
  EXPECT_EQ(order_of({.stages = 4, .a = {{}, {1. / 3}, {-1. / 3, 1}, {1, -1, 1}}, .b = {0.125, 0.375, 0.375, 0.125}}),
            4);
  EXPECT_EQ(order_of({.stages = 2, .a = {{}, {1}}, .b = {0.5, 0.4}}), 0);
  EXPECT_EQ(order_of({.stages = 2, .a = {{}, {1}}, .b = {0.75, 0.25}}), 1);
}

/// The table with its coefficients rounded to so many significant digits.
ExplicitTable rounded(ExplicitTable table, int digits) {
  const auto round = [&](double& x) { x = std::stod(fmt::format("{:.{}g}", x, digits)); };
  for (int i = 0; i < table.stages; ++i) {
    round(table.b[i]);
    for (int j = 0; j < i; ++j) round(table.a[i][j]);
  }
  return table;
}

TEST(ExplicitTables, KeepTheirOrderWith15DigitsAndMissItByLittleWithFewer) {
  for (std::size_t k = 0; k < std::size(orders); ++k) {
    const ExplicitTable& table = explicit_tables[k].table;
    SCOPED_TRACE(explicit_tables[k].name);
    EXPECT_FALSE(near_order_of(table));
    EXPECT_EQ(order_of(rounded(table, 15)), orders[k]);
    if (rounded(table, 12) == table) continue;  // without thirds and the like
    for (const int digits : {14, 12, 10}) {
      const ExplicitTable shorter = rounded(table, digits);
      if (digits < 14 || k == dop853) {
        EXPECT_LT(order_of(shorter), orders[k]);
      }
      const auto missed = near_order_of(shorter);
      if (order_of(shorter) == orders[k]) continue;
      ASSERT_TRUE(missed) << digits;
      EXPECT_EQ(missed->order, orders[k]) << digits;
      // As many coefficients as there are, of up to 43 and with cancelling products.
      EXPECT_GT(missed->defect, 1e-3 * std::pow(10, -digits));
      EXPECT_LT(missed->defect, 1e3 * std::pow(10, -digits));
    }
  }
  // Order 1, and nowhere near 2; conditions that rounding could hide are not missed.
  EXPECT_FALSE(near_order_of({.stages = 2, .a = {{}, {1}}, .b = {0.75, 0.25}}));
  EXPECT_FALSE(near_order_of(with_twins(explicit_tables[rk4].table, 1000, 1000, 0)));
}

TEST(ExplicitTables, DecideWhatIsDeclared) {
  const MethodEntry& method = *find_method("heavy-top", "runge-kutta");
  for (std::size_t k = 0; k < std::size(orders); ++k) {
    const Properties properties = step_of(method, {{"table", std::string(explicit_tables[k].name)}}).properties;
    EXPECT_EQ(properties.order, orders[k]) << explicit_tables[k].name;
    EXPECT_EQ(properties.long_steps, orders[k] >= 5) << explicit_tables[k].name;
    EXPECT_FALSE(properties.symmetric || properties.poisson || properties.energy || properties.casimirs);
  }
  const Rows ralston{{0, 0, 0, 0.5, 0, 0, 0, 0.75, 0, 2. / 9, 1. / 3, 4. / 9}, 3};
  EXPECT_EQ(step_of(method, {{"table", ralston}}).properties.order, 3);
}

// Stages.

/// x' = x, which counts.
struct CountingModel {
  mutable int count = 0;
  Vec<double, 1> flow(const Vec<double, 1>& x) const {
    ++count;
    return x;
  }
};
template <class Table>
int evaluations() {
  const CountingModel model;
  ExplicitStages<Table, double, CountingModel, Vec<double, 1>>(model, 0.1).end({1.0});
  return model.count;
}
/// Heun's method with a stage for an estimate of the error, and one for that alone.
struct WithAnEstimate {
  static constexpr ExplicitTable value{.stages = 4, .a = {{}, {1}, {0.25, 0.25}, {0, 0, 1}}, .b = {0.5, 0.5, 0, 0}};
};
/// Two stages at the start.
struct WithACopy {
  static constexpr ExplicitTable value{.stages = 2, .b = {0.5, 0.5}};
};

TEST(ExplicitStages, AreComputedOnlyWhereTheyAreUsed) {
  EXPECT_EQ(evaluations<NamedTable<0>>(), 1);
  EXPECT_EQ(evaluations<NamedTable<rk4>>(), 4);
  EXPECT_EQ(evaluations<NamedTable<dop853>>(), 12);
  EXPECT_EQ(evaluations<WithAnEstimate>(), 2);
  EXPECT_EQ(evaluations<WithACopy>(), 2);
  EXPECT_EQ(WithAnEstimate::value.most_rates(), 2);
  EXPECT_EQ(explicit_tables[rk4].table.most_rates(), 4);
}

TEST(ExplicitStages, OfTheReferenceKeepWhatIsNotUsedOut) {
  // The last stage, from which nothing follows, is not finite.
  const DenseTable table({{0, 0, 0}, {1, 0, 0}, {1e3, 0, 0}, {0.5, 0.5, 0}});
  const auto rate = [](const Eigen::VectorXd& x) -> Eigen::VectorXd {
    return x[0] > 100 ? Eigen::VectorXd::Constant(1, NAN) : x;
  };
  EXPECT_EQ(explicit_step(table, rate, 0.5, Eigen::VectorXd::Ones(1))[0], 1.625);
}

TEST(ExplicitStages, AreThoseOfTheTable) {
  // On x' = x a step is a polynomial in h, sum over k of h^k b A^(k-1) 1.
  const auto expect = [](const ExplicitTable& table, const Vec<double, 1>& end, double h) {
    std::vector<double> power(static_cast<std::size_t>(table.stages), 1);
    double expected = 1, h_power = 1;
    for (int k = 1; k <= table.stages; ++k) {
      h_power *= h;
      for (int i = 0; i < table.stages; ++i) expected += h_power * table.b[i] * power[i];
      std::vector<double> next(power.size());
      for (int i = 0; i < table.stages; ++i)
        for (int j = 0; j < i; ++j) next[i] += table.a[i][j] * power[j];
      power = next;
    }
    EXPECT_NEAR(end[0], expected, 1e-14);
  };
  const auto with = [&]<class Table>(Table) {
    const CountingModel model;
    for (const double h : {0.3, -0.5})
      expect(Table::value, ExplicitStages<Table, double, CountingModel, Vec<double, 1>>(model, h).end({1.0}), h);
  };
  with(NamedTable<0>());
  with(NamedTable<heun>());
  with(NamedTable<3>());
  with(NamedTable<dopri5>());
  with(NamedTable<verner6>());
  with(NamedTable<dop853>());
  with(WithAnEstimate());
  with(WithACopy());
}

// Steps on systems.

/// State of more digits, so that three step lengths are in the asymptotic range and above round-off.
using LongState = Eigen::VectorX<long double>;

/// Options of a map by a table; on constraints with or without the projection.
template <class Map>
Scheme tabulated_scheme(bool projects) {
  if constexpr (std::is_same_v<typename Map::Options, SubstitutedRungeKuttaOptions>)
    return SubstitutedRungeKuttaOptions{projects};
  else
    return Kicks{};
}

/// State after steps of a map; not a number where one was not valid.
template <class Map>
LongState advanced(const Subject& subject, bool projects, double h, int steps, const State& x) {
  typename Map::System::template State<long double> point;
  std::copy_n(x.data(), x.size(), point.v);
  const Scheme scheme = tabulated_scheme<Map>(projects);
  const int sweeps = nominal_sweeps_by<Map>(subject.parameters.data(), scheme, h);
  if (!advance_by<Map, long double>(subject.parameters.data(), scheme, h, sweeps, steps, point))
    return LongState::Constant(x.size(), NAN);
  return Eigen::Map<const LongState>(point.v, x.size());
}

/// Root of the mean square of relative distances f(start) of some states.
template <class F>
double mean_over_starts(const Subject& subject, int count, const F& distance) {
  std::mt19937_64 random(3);
  double sum = 0;
  for (int trial = 0; trial < count; ++trial) {
    const double one = distance(subject.start(random, Momentum::hidden_constraint));
    sum += one * one;
  }
  return std::sqrt(sum / count);
}
double relative_distance(const LongState& x, const LongState& exact) {
  return static_cast<double>((x - exact).norm() / exact.norm());
}

/// The order of a table on a system, from the errors of single steps, which are of one order more: of a length at which
/// they are in the asymptotic range, a half and a quarter of it. Slopes approach the order as the step itself, which
/// extrapolation takes away. Coefficients are rounded to double: some 1e-17 of an error are theirs.
template <template <class, class> class MapOf, class System, int table>
void expect_order(bool projects = false) {
  constexpr int order = orders[table];
  const Subject& subject = subject_of(System::name);
  const auto exact = [&](double h, const State& start) {
    return advanced<MapOf<System, NamedTable<dop853>>>(subject, projects, h / 8, 8, start);
  };
  const auto error = [&](double h, int count = 8) {
    return mean_over_starts(subject, count, [&](const State& start) {
      return relative_distance(advanced<MapOf<System, NamedTable<table>>>(subject, projects, h, 1, start),
                               exact(h, start));
    });
  };
  const double asymptotic = order < 4 ? 1e-5 : 1e-9;
  double h = 16 * subject.step;
  while (h > 1e-6 * subject.step && !(error(h, 2) < asymptotic)) h /= 1.5;
  const double coarse = error(h), middle = error(h / 2), fine = error(h / 4);
  SCOPED_TRACE(::testing::Message() << explicit_tables[table].name << " on " << subject.system.name << ", h = " << h
                                    << ": " << coarse << ", " << middle << ", " << fine);
  EXPECT_GT(fine, 1e-16);
  EXPECT_NEAR(2 * std::log2(middle / fine) - std::log2(coarse / middle), order + 1, 0.2);
  // The solution by which errors are told is that of the flow, by another method.
  const double apart = mean_over_starts(subject, 8, [&](const State& start) {
    return relative_distance(exact(h / 4, start),
                             advanced<MapOf<System, NamedTable<verner6>>>(subject, projects, h / 128, 32, start));
  });
  EXPECT_LT(apart, fine / 10);
}

template <class System>
void expect_orders() {
  expect_order<ExplicitRungeKutta, System, 0>();
  expect_order<ExplicitRungeKutta, System, 3>();
  expect_order<ExplicitRungeKutta, System, dopri5>();
  expect_order<ExplicitRungeKutta, System, verner6>();
  expect_order<ExplicitRungeKutta, System, dop853>();
}

TEST(ExplicitSteps, HaveTheOrderOnCanonicalSystems) {
  expect_orders<HenonHeiles>();
  expect_orders<Kepler>();
}
TEST(ExplicitSteps, HaveTheOrderOnTopsAndBodies) {
  expect_orders<HeavyTop>();
  expect_orders<RigidBody>();
}
TEST(ExplicitSteps, HaveTheOrderOnReducedSystems) { expect_orders<DoublePendulumReduced>(); }
TEST(ExplicitSteps, HaveTheOrderOnConstraintsWithAndWithoutProjection) {
  for (const bool projects : {false, true}) {
    SCOPED_TRACE(projects);
    expect_order<SubstitutedRungeKutta, SphericalPendulum, 0>(projects);
    expect_order<SubstitutedRungeKutta, SphericalPendulum, 3>(projects);
    expect_order<SubstitutedRungeKutta, SphericalPendulum, dopri5>(projects);
    expect_order<SubstitutedRungeKutta, SphericalPendulum, verner6>(projects);
    expect_order<SubstitutedRungeKutta, SphericalPendulum, dop853>(projects);
  }
}

/// Largest difference of a step of one map from that of another, in units in the last place of the largest number of
/// each part of the state.
template <class Own, class Tabulated>
double ulps_apart(const Scheme& own, const Scheme& tabulated) {
  using System = typename Own::System;
  const Subject& subject = subject_of(System::name);
  std::mt19937_64 random(29);
  double most = 0, moved = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const State start = subject.start(random, Momentum::hidden_constraint);
    const double h = (trial % 2 == 0 ? 1 : -0.7) * subject.step;
    const auto step = [&]<class Map>(std::type_identity<Map>, const Scheme& scheme) {
      typename System::template State<double> point;
      std::copy_n(start.data(), start.size(), point.v);
      const int sweeps = nominal_sweeps_by<Map>(subject.parameters.data(), scheme, h);
      EXPECT_TRUE((advance_by<Map, double>(subject.parameters.data(), scheme, h, sweeps, 1, point)));
      return State(Eigen::Map<const State>(point.v, start.size()));
    };
    const State a = step(std::type_identity<Own>(), own), b = step(std::type_identity<Tabulated>(), tabulated);
    int first = 0;
    for (const int size : subject.parts) {
      const double largest = std::max(start.segment(first, size).lpNorm<Eigen::Infinity>(),
                                      a.segment(first, size).lpNorm<Eigen::Infinity>());
      const double ulp = std::nextafter(largest, HUGE_VAL) - largest;
      most = std::max(most, (a - b).segment(first, size).lpNorm<Eigen::Infinity>() / ulp);
      moved = std::max(moved, (a - start).segment(first, size).lpNorm<Eigen::Infinity>() / ulp);
      first += size;
    }
  }
  EXPECT_GT(moved, 1e9);
  return most;
}

template <class System>
void expect_methods_of_their_own() {
  SCOPED_TRACE(System::name);
  const Scheme tabulated = Kicks{};
  const auto on = [&]<int table>(std::integral_constant<int, table>, const RungeKuttaOptions& own) {
    EXPECT_LE((ulps_apart<RungeKutta<System>, ExplicitRungeKutta<System, NamedTable<table>>>(own, tabulated)), 4)
        << explicit_tables[table].name;
  };
  on(std::integral_constant<int, heun>(), HeunMethod::map_options);
  on(std::integral_constant<int, midpoint>(), ExplicitMidpointMethod::map_options);
  on(std::integral_constant<int, rk4>(), Rk4Method::map_options);
  // Another table is another method.
  EXPECT_GT((ulps_apart<RungeKutta<System>, ExplicitRungeKutta<System, NamedTable<dopri5>>>(Rk4Method::map_options,
                                                                                            tabulated)),
            1e3);
}

TEST(ExplicitSteps, AreThoseOfTheMethodsWithCodeOfTheirOwn) {
  expect_methods_of_their_own<HenonHeiles>();
  expect_methods_of_their_own<Kepler>();
  expect_methods_of_their_own<J2SatelliteCylindrical>();
  expect_methods_of_their_own<DoublePendulumCylindrical>();
}

template <class System>
void expect_substituted_methods_of_their_own() {
  SCOPED_TRACE(System::name);
  const auto on = [&]<int table>(std::integral_constant<int, table>, const RungeKuttaOptions& own, bool projects) {
    EXPECT_LE((ulps_apart<SubstitutedMultipliers<System>, SubstitutedRungeKutta<System, NamedTable<table>>>(
                  own, SubstitutedRungeKuttaOptions{projects})),
              4)
        << explicit_tables[table].name;
  };
  on(std::integral_constant<int, heun>(), HeunMethod::map_options, false);
  on(std::integral_constant<int, midpoint>(), ExplicitMidpointMethod::map_options, false);
  on(std::integral_constant<int, rk4>(), Rk4Method::map_options, false);
  on(std::integral_constant<int, rk4>(), Rk4ProjectedMethod::map_options, true);
}

TEST(ExplicitSteps, AreThoseOfTheMethodsWithCodeOfTheirOwnWithSubstitutedMultipliers) {
  expect_substituted_methods_of_their_own<SphericalPendulum>();
  expect_substituted_methods_of_their_own<DoubleSphericalPendulum>();
}

}  // namespace
}  // namespace polhode::test

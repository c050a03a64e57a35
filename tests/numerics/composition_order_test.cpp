// The order of compositions and splittings, by halving the step: in double where three halvings fit above its
// round-off, in long double otherwise. What is stepped is the step of the time loop (run/staged_step.hpp).
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "numerics/subject.hpp"
#include "polhode/method/compositions.hpp"
#include "polhode/method/constrained_motion.hpp"
#include "polhode/method/kick_drift.hpp"
#include "polhode/method/kicked_rotation.hpp"
#include "polhode/method/preprocessed_rotation.hpp"
#include "polhode/method/splittings.hpp"
#include "polhode/run/staged_step.hpp"
#include "polhode/system/heavy_top.hpp"
#include "polhode/system/heavy_top_matrix.hpp"
#include "polhode/system/henon_heiles.hpp"
#include "polhode/system/pendulum_chain.hpp"
#include "polhode/system/rigid_body.hpp"
#include "spec/method_step.hpp"

namespace polhode::test {
namespace {

/// Steps in T of a composed method from x on; false where one was not valid.
template <class Map, class T>
bool advance(const std::vector<double>& p, const StepPlan& composed, double h, int steps, std::vector<long double>& x) {
  using System = typename Map::System;
  Plan plan{};
  std::copy(p.begin(), p.end(), plan.parameters);
  plan.step_plan = composed;
  plan.step = h;
  for (int i = 0; i < composed.n_stages; ++i) {
    polhode::Stage& stage = plan.step_plan.stages[i];
    stage.sweeps = static_cast<std::int16_t>(Map::template nominal_sweeps<T>(
        p.data(), options_from<OptionsOf<Map>>(composed.options), composed.kicks[stage.kicks], stage.fraction * h));
  }
  const typename System::template Model<T> model(plan.parameters);
  const StageConstants<Map, T> constants(plan);
  const NominalStep<Map, T> step(model, plan.step_plan, constants);
  typename System::template State<T> at, next;
  for (int i = 0; i < System::dim; ++i) at[i] = static_cast<T>(x[i]);
  bool valid = true;
  for (int n = 0; n < steps; ++n) {
    Failures<T> failures;
    valid = step(at, next, true, failures) && valid;
    at = next;
  }
  for (int i = 0; i < System::dim; ++i) x[i] = at[i];
  return valid;
}

using Advance = bool (*)(const std::vector<double>&, const StepPlan&, double, int, std::vector<long double>&);

struct Case {
  const char* system;
  const char* method;
  Advance in_double, in_long_double;
  double time;  ///< a few periods
  bool up_to_ten;
};
template <class Map>
Case case_of(const char* method, double time, bool up_to_ten) {
  return {Map::System::name, method, advance<Map, double>, advance<Map, long double>, time, up_to_ten};
}

const Case cases[] = {
    case_of<KickedRotation<HeavyTop, CayleySolver>>("rattle", 12, true),
    case_of<KickedRotation<HeavyTop, CayleySolver>>("constraint-euler", 4, false),
    case_of<KickedRotation<RigidBody, CayleySolver>>("rattle", 4, false),
    case_of<ConstrainedMotion<HeavyTopMatrix, NewtonSolver>>("rattle", 2, false),
    case_of<ConstrainedMotion<SphericalPendulum, NewtonSolver>>("rattle", 3, true),
    case_of<ConstrainedMotion<DoubleSphericalPendulum, NewtonSolver>>("rattle", 0.8, false),
    case_of<KickDrift<HenonHeiles>>("stoermer-verlet", 8, true),
    case_of<KickDrift<HenonHeiles>>("symplectic-euler", 8, false),
};
const Case splitting_cases[] = {
    case_of<PreprocessedRotation<HeavyTop, CayleySolver>>("splitting", 12, true),
    case_of<PreprocessedRotation<RigidBody, CayleySolver>>("splitting", 4, true),
    case_of<KickDrift<HenonHeiles>>("splitting", 8, true),
};

/// Relative to b.
double distance(const std::vector<long double>& a, const std::vector<long double>& b) {
  long double sum = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += (a[i] - b[i]) * (a[i] - b[i]);
    size += b[i] * b[i];
  }
  return static_cast<double>(std::sqrt(sum / size));
}

struct Slopes {
  std::vector<double> orders;    ///< of three halvings
  std::vector<long double> end;  ///< of the finest step
  double finest = 0;             ///< what the last halving has changed
};

/// Of the last three halvings of the step that change the end by more than round-off; none where there are no three.
std::optional<Slopes> slopes(Advance advance, double time, const Subject& subject, const StepPlan& plan,
                             double round_off) {
  std::mt19937_64 random(7);
  const State start = subject.start(random, Momentum::hidden_constraint);
  std::vector<std::vector<long double>> ends;
  std::vector<double> changes;
  for (int steps = 4; steps <= 1 << 16; steps *= 2) {
    std::vector<long double> x(start.data(), start.data() + start.size());
    if (!advance(subject.parameters, plan, time / steps, steps, x)) continue;  // too long
    ends.push_back(x);
    if (ends.size() < 2) continue;
    changes.push_back(distance(ends[ends.size() - 2], x));
    if (changes.back() < round_off) break;
  }
  const std::size_t n = changes.size();
  if (n < 5) return std::nullopt;
  EXPECT_LT(changes.back(), round_off);
  Slopes found{{}, ends.back(), changes[n - 2]};
  for (std::size_t k = n - 5; k < n - 2; ++k) found.orders.push_back(std::log2(changes[k] / changes[k + 1]));
  return found;
}

struct Composed {
  Case one;
  const char *option, *table;
};
std::vector<Composed> all() {
  std::vector<Composed> found;
  for (const Case& one : cases)
    for (const CompositionTable& table : composition_tables)
      if (table.order <= 6 || one.up_to_ten) found.push_back({one, "composition", table.name});
  for (const Case& one : splitting_cases)
    for (const SplittingTable& table : splitting_tables)
      if (table.order > 2) found.push_back({one, "coefficients", table.name});  // strang is in properties_test.cpp
  return found;
}
void PrintTo(const Composed& composed, std::ostream* to) {
  *to << composed.table << " of " << composed.one.method << " on " << composed.one.system;
}

class CompositionOrder : public ::testing::TestWithParam<Composed> {};
INSTANTIATE_TEST_SUITE_P(All, CompositionOrder, ::testing::ValuesIn(all()), [](const auto& info) {
  return as_identifier(std::string(info.param.one.system) + "_" + info.param.one.method + "_" + info.param.table);
});

TEST_P(CompositionOrder, IsWhatIsDeclared) {
  const Case& one = GetParam().one;
  const Subject& subject = subject_of(one.system);
  const auto [plan, properties] =
      step_of(*find_method(one.system, one.method), {{GetParam().option, std::string(GetParam().table)}});
  const int order = properties.order;
  // Round-off of thousands of stages, of which an iteration knows each to 32 units in the last place, is below 2e-11 in
  // double and 1e-15 in long double, 1e-16 where nothing is iterated. From there three halvings reach up by a factor
  // 2^(3 order): in double, for some, out of the asymptotic range.
  std::optional<Slopes> found;
  if (order <= 6) found = slopes(one.in_double, one.time, subject, plan, 2e-11);
  const bool is_explicit = subject.system.kind == Kind::canonical;
  if (!found || std::abs(found->orders[0] - order) > 0.5)
    found = slopes(one.in_long_double, one.time, subject, plan, is_explicit ? 1e-16 : 1e-15);
  ASSERT_TRUE(found);
  // The next term of the error of a symmetric map is h^2 smaller. Three halvings of order 10, a factor 10^9, begin
  // outside of the asymptotic range in long double, too: two are compared. So do those of splittings for other reasons:
  // their first error coefficients are small, 1e-6, and those of higher orders are not.
  const bool is_splitting = one.method == std::string("splitting");
  const double allowed[] = {order > 8 || is_splitting ? HUGE_VAL : 0.6, is_splitting ? 1 : 0.4, 0.15};
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(found->orders[k], order, allowed[k]);
    RecordProperty("order" + std::to_string(k), std::to_string(found->orders[k]));
  }
  // To the flow: a composition whose fractions did not sum up to 1 would have an order, too.
  std::mt19937_64 random(7);
  const State exact = subject.exact(one.time, 4096, subject.start(random, Momentum::hidden_constraint));
  std::vector<long double> expected(exact.data(), exact.data() + exact.size());
  EXPECT_LT(distance(found->end, expected), 10 * found->finest + 1e-9);
}

}  // namespace
}  // namespace polhode::test

// Lobatto pairs on constraints with 2, 3 and 4 stages: order, symmetry, structure, what else they are, where their
// stages lie, agreement with the reference, and how steps fail. properties_test.cpp has those of the catalog with the
// default number and the least one, papers/constrained_runge_kutta_test.cpp their equations as they stand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <random>
#include <stdexcept>

#include "backend/reference/constrained_motions.hpp"
#include "numerics/subject.hpp"
#include "polhode/method/constrained_collocation.hpp"
#include "polhode/method/lobatto.hpp"
#include "polhode/method/rattle.hpp"
#include "polhode/system/magnetic_pendulum.hpp"
#include "polhode/system/pendulum_chain.hpp"
#include "support/linkage.hpp"

namespace polhode::test {
namespace {

constexpr const char* systems[] = {"spherical-pendulum", "double-spherical-pendulum", "magnetic-pendulum"};
constexpr double round_off = 4e-15;  // relative, ten times what was measured

Scheme lobatto_of(int stages) { return CollocationOptions{.nodes = CollocationNodes::lobatto, .stages = stages}; }
int solver_of(const Subject& subject, const char* method) {
  for (const Method& candidate : catalog_methods())
    if (candidate.system == subject.system.name && candidate.name == method) return candidate.solvers.front();
  throw std::logic_error(method);
}
State stepped(const Subject& subject, const char* method, const Scheme& scheme, double h, State x,
              std::int64_t steps = 1) {
  EXPECT_TRUE(subject.advance(solver_of(subject, method), {{scheme}}, h, steps, x));
  return x;
}
/// test(subject, start) from random states of every system.
template <class Test>
void from_random_states(int trials, const Test& test) {
  for (const char* system : systems) {
    SCOPED_TRACE(system);
    const Subject& subject = subject_of(system);
    std::mt19937_64 random(53);
    for (int trial = 0; trial < trials; ++trial) test(subject, subject.start(random, Momentum::hidden_constraint));
  }
}

TEST(ConstrainedLobatto, KnowsTheInverseOfItsMatrix) {
  // B a a_hat = 1, with entries up to 60.
  for (const int stages : {2, 3, 4}) {
    const ConstrainedTable<double> table(stages);
    for (int k = 0; k < stages - 1; ++k)
      for (int j = 0; j < stages - 1; ++j) {
        double sum = 0;
        for (int i = 1; i < stages; ++i)
          for (int l = 0; l < stages; ++l) sum += table.inverse[k][i - 1] * table.a[i][l] * table.a_hat[l][j];
        EXPECT_NEAR(sum, k == j ? 1 : 0, 1e-14) << stages << " stages";
      }
  }
}

TEST(ConstrainedLobatto, HasOrderTwoFourAndSix) {
  // Over 32 example steps of time, against the classical Runge-Kutta method, whose error is some 1e-15 as round-off is.
  // Steps as long as they may be in the asymptotic range: errors fall to 1e-12.
  const struct {
    const char* system;
    int stages, steps;
  } rows[] = {
      {"spherical-pendulum", 2, 64},        {"spherical-pendulum", 3, 16},        {"spherical-pendulum", 4, 4},
      {"double-spherical-pendulum", 2, 64}, {"double-spherical-pendulum", 3, 32}, {"double-spherical-pendulum", 4, 16},
      {"magnetic-pendulum", 2, 32},         {"magnetic-pendulum", 3, 8},          {"magnetic-pendulum", 4, 3}};
  for (const auto& row : rows) {
    const Subject& subject = subject_of(row.system);
    State start(subject.dim());
    subject.system.example_state(subject.parameters.data(), start.data());
    start = subject.projected(start);
    const double t = 32 * subject.step;
    const State exact = subject.exact(t, 4096, start);
    double previous = 0;
    for (const int steps : {row.steps, 2 * row.steps, 4 * row.steps}) {
      const State x = stepped(subject, "lobatto", lobatto_of(row.stages), t / steps, start, steps);
      const double error = (x - exact).norm();
      // The next term is smaller by h^2.
      if (previous > 0) {
        EXPECT_NEAR(std::log2(previous / error), 2 * row.stages - 2, 0.1)
            << row.system << ", " << row.stages << " stages, " << steps << " steps: " << error;
      }
      EXPECT_GT(error, 1e-13) << row.system << ", " << row.stages << " stages, " << steps << " steps";
      previous = error;
    }
  }
}

TEST(ConstrainedLobatto, OfTwoStagesIsRattle) {
  double most = 0;
  from_random_states(100, [&](const Subject& subject, const State& start) {
    for (const double h : {subject.step, -2 * subject.step})
      most = std::max(most, subject.distance(stepped(subject, "lobatto", lobatto_of(2), h, start),
                                             stepped(subject, "rattle", scheme_of<RattleMethod>(), h, start)));
  });
  EXPECT_LT(most, round_off);
}

TEST(ConstrainedLobatto, IsSymmetricAndSymplectic) {
  double way_back = 0, defect = 0;
  from_random_states(10, [&](const Subject& subject, const State& start) {
    for (const int stages : {2, 3, 4})
      for (const double h : {subject.step, -3 * subject.step}) {
        const Scheme method = lobatto_of(stages);
        const State there = stepped(subject, "lobatto", method, h, start);
        way_back = std::max(way_back, subject.distance(stepped(subject, "lobatto", method, -h, there), start));
        const TangentMap map = subject.tangent_step(solver_of(subject, "lobatto"), {{method}}, h);
        defect = std::max(defect, subject.structure_defect(Momentum::hidden_constraint, start, map));
      }
  });
  EXPECT_LT(way_back, round_off);
  EXPECT_LT(defect, 1e-14);  // 1e-15 was measured
}

template <class System>
std::unique_ptr<Motion> reference_of(const std::vector<double>& p, int stages) {
  const ReferenceMethod method{"lobatto", {{"stages", double(stages)}}};
  if constexpr (requires(typename System::template Model<double> & model, Vec<double, System::N> q) {
                  model.potential_gradient(q);
                })
    return make_motion(mechanical_values<System>(p.data()), method);
  else
    return make_motion(hamiltonian_values<System>(p.data()), method);
}

template <class System>
class ConstrainedStagesOf : public ::testing::Test {};
using Pendula = ::testing::Types<SphericalPendulum, DoubleSphericalPendulum, MagneticPendulum>;
TYPED_TEST_SUITE(ConstrainedStagesOf, Pendula);

TYPED_TEST(ConstrainedStagesOf, AgreeWithTheReference) {
  // Its own tables, all equations of the stages stacked, values of H and g alone.
  const Subject& subject = subject_of(TypeParam::name);
  std::mt19937_64 random(59);
  double most = 0;
  for (const int stages : {2, 3, 4}) {
    const auto motion = reference_of<TypeParam>(subject.parameters, stages);
    for (int trial = 0; trial < 10; ++trial) {
      const State start = subject.start(random, Momentum::hidden_constraint);
      for (const double h : {subject.step, -4 * subject.step}) {
        motion->set_state(start.data());
        ASSERT_EQ(motion->advance(h, {0, 0}), Status::ok);
        const State expected = Eigen::Map<const State>(motion->state(), subject.dim());
        most = std::max(most, subject.distance(stepped(subject, "lobatto", lobatto_of(stages), h, start), expected));
      }
    }
  }
  EXPECT_LT(most, round_off);
}

/// Start near the example, as the step takes it.
template <class System>
typename System::template State<double> random_start(const Subject& subject, std::mt19937_64& random) {
  const State start = subject.start(random, Momentum::hidden_constraint);
  typename System::template State<double> x;
  std::copy_n(start.data(), System::dim, x.v);
  return x;
}
template <class System>
ConstrainedStageEquation<System, double> equation_of(const typename System::template Model<double>& model,
                                                     const ConstrainedTable<double>& table, double h,
                                                     const typename System::template State<double>& x) {
  return {ConstrainedHamiltonian<System, double>(model), table, TimeStep<double>(h), System::position(x),
          System::momentum(x)};
}

TYPED_TEST(ConstrainedStagesOf, LieOnTheConstraints) {
  // (2.7), at all stages.
  const Subject& subject = subject_of(TypeParam::name);
  const typename TypeParam::template Model<double> model(subject.parameters.data());
  std::mt19937_64 random(61);
  for (const int stages : {2, 3, 4}) {
    const ConstrainedTable<double> table(stages);
    const auto equation =
        equation_of<TypeParam>(model, table, 4 * subject.step, random_start<TypeParam>(subject, random));
    auto of = equation.start();
    double off_before = 0, off = 0, apart = HUGE_VAL;
    const auto distance = [&](const auto& q) {
      const auto displacement = model.displacement(q, q);
      return std::sqrt(dot(displacement, displacement));
    };
    for (int i = 1; i < stages; ++i) off_before = std::max(off_before, distance(of.q.of[i]));
    ASSERT_TRUE(iterate<double>(of, 1, true, [&](const auto& last) { return equation.sweep(last); }));
    for (int i = 1; i < stages; ++i) {
      off = std::max(off, distance(of.q.of[i]));
      apart = std::min(apart, std::sqrt(squared_change(of.q.of[i], of.q.of[i - 1])));
    }
    EXPECT_GT(off_before, 1e-4);
    EXPECT_LT(off, round_off);
    EXPECT_GT(apart, 1e-3);
  }
}

TEST(ConstrainedLobatto, IteratesWithAFactorThatFallsWithTheStep) {
  using System = DoubleSphericalPendulum;
  const System::Model<double> model(std::data(System::example_parameters));
  System::State<double> x;
  System::example_state(std::data(System::example_parameters), x.v);
  for (const int stages : {2, 3, 4}) {
    const ConstrainedTable<double> table(stages);
    const auto factor = [&](double h) {
      const auto equation = equation_of<System>(model, table, h, x);
      const auto first = equation.sweep(equation.start()), second = equation.sweep(first),
                 third = equation.sweep(second);
      return std::sqrt(squared_change(second, third) / squared_change(first, second));
    };
    EXPECT_NEAR(std::log2(factor(0.05) / factor(0.025)), 1, 0.3) << stages << " stages";
    EXPECT_LT(factor(0.05), 0.1) << stages << " stages";
  }
}

template <class System>
Status status_of_step(const double* p, int stages, double h, const typename System::template State<double>& x) {
  using Map = ConstrainedCollocation<System>;
  const CollocationOptions options{.nodes = CollocationNodes::lobatto, .stages = stages};
  const Kicks kicks;
  const typename System::template Model<double> model(p);
  const typename Map::template Common<double> common(model, options);
  const typename Map::template Constants<double> constants(model, options, kicks, h);
  const typename Map::template Step<double> step(model, options, kicks, common, constants, 3);
  auto y = x;
  return step(x, y, true) ? Status::ok : step.failures(x).status(0);
}

TYPED_TEST(ConstrainedStagesOf, EndInAStatusWhereThereAreNone) {
  const Subject& subject = subject_of(TypeParam::name);
  const double* const p = subject.parameters.data();
  typename TypeParam::template State<double> x;
  TypeParam::example_state(p, x.v);
  const State start = subject.projected(Eigen::Map<const State>(x.v, TypeParam::dim));
  std::copy_n(start.data(), TypeParam::dim, x.v);
  for (const int stages : {2, 3, 4}) {
    EXPECT_EQ(status_of_step<TypeParam>(p, stages, subject.step, x), Status::ok);
    EXPECT_EQ(status_of_step<TypeParam>(p, stages, 100 * subject.step, x), Status::not_converged);
    EXPECT_EQ(status_of_step<TypeParam>(p, stages, 1e200, x), Status::not_finite);
  }
}

TEST(ConstrainedLobatto, EndsWhereTheConstraintsAreDependent) {
  Linkage::State<double> regular;
  Linkage::example_state(nullptr, regular.v);
  const Linkage::State<double> in_line{1, 0, 2, 0, 0, 0.3, 0, 0.1};
  for (const int stages : {2, 3, 4}) {
    EXPECT_EQ(status_of_step<Linkage>(nullptr, stages, Linkage::example_step, regular), Status::ok);
    EXPECT_EQ(status_of_step<Linkage>(nullptr, stages, Linkage::example_step, in_line), Status::singular);
  }
}

}  // namespace
}  // namespace polhode::test

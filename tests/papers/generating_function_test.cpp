// The generating function of partitioned Runge-Kutta methods on constraints (Hairer 2003, sect. 3): what it generates
// is the method on the constraints, and symplectic off them, where the method's own equations are not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <random>
#include <stdexcept>
#include <string>

#include "numerics/subject.hpp"
#include "papers/extended_method.hpp"
#include "papers/power_series.hpp"
#include "polhode/method/constraint_euler.hpp"
#include "polhode/method/lobatto.hpp"
#include "polhode/method/rattle.hpp"

namespace polhode::test {
namespace {

using InPhaseSpace = PowerSeries<6, 2>;  // in p1 and q0
constexpr double round_off = 1e-14;      // of numbers near 1 and their derivatives: 1.5e-15 was measured
constexpr int passes = 60;               // until nothing changes: each makes errors smaller by 0.3 or less

/// A step from (p1, q0) and its generating function, with first and second derivatives.
struct GeneratedStep {
  const PartitionedTable table;
  ExtendedStep<InPhaseSpace> x;
  InPhaseSpace S;
  double h;

  GeneratedStep(const RodPendulum& rod, const PartitionedTable& table, double h, const Triple<double>& p1,
                const Triple<double>& q0)
      : table(table), h(h) {
    Triple<InPhaseSpace> p, q;
    for (int k = 0; k < 3; ++k) p[k] = InPhaseSpace::variable(p1[k], k), q[k] = InPhaseSpace::variable(q0[k], 3 + k);
    x = extended_step<InPhaseSpace>(rod, table, NumberStep{h}, h, KnownMomentum::end, p, q, passes, q0);
    S = generating_function<InPhaseSpace>(rod, table, h, x);
    for (int i = 0; i < table.stages; ++i) {
      EXPECT_LT(std::abs(x.residual[i].value()), 2e-13) << i;  // round-off over h^2: 5e-14
      constraints[i] = rod.constraint(x.Q[i]);
    }
    normal_of_end = rod.normal(x.q1);
  }

  /// The derivatives of S along p1 (0, 1, 2) and q0 (3, 4, 5) as Lemma 3.1 has them, with and without what vanishes on
  /// the constraints; the further terms of (3.5) where b_s = 0.
  InPhaseSpace formula(int k, bool with_constraints = true) const {
    InPhaseSpace sum;
    for (int i = 0; i < table.stages; ++i) {
      sum += (h * table.b[i]) * (k < 3 ? x.V[i][k] : x.F[i][k - 3]);
      const double weight = table.b[i] + (has_force(i) ? 1 : 0);
      if (with_constraints) sum += (h * weight) * (x.L[i].derivative(k) * constraints[i]);
      if (has_force(i) && k >= 3) sum += h * (x.L[i] * normal_of_end[k - 3]);
    }
    return sum;
  }

 private:
  /// Whether the multiplier is that of the further term in p1.
  bool has_force(int i) const { return i == table.stages - 1 && table.b[i] == 0; }

  InPhaseSpace constraints[4];
  Triple<InPhaseSpace> normal_of_end;
};

/// The largest asymmetry of the derivatives of two fields along p1 (0, 1, 2) and q0 (3, 4, 5).
double asymmetry(const InPhaseSpace (&field)[6], int row, int column) {
  double largest = 0;
  for (int i = row; i < row + 3; ++i)
    for (int j = column; j < column + 3; ++j)
      largest = std::max(largest, std::abs(field[i].slope(j) - field[j].slope(i)));
  return largest;
}

/// A method on a pendulum, and what was computed elsewhere, with 40 digits, at (p1, q0) = (.25, .66, .12; .62, .03,
/// -.79), off the constraints, with h = 0.1.
struct MethodOnARod {
  std::string name;
  RodPendulum rod;
  PartitionedTable table;
  const char* method;
  Scheme scheme;
  double S, S_p[3], S_q[3];
  double asymmetries[3];  ///< of dp0/dq0, dq1/dp1, and dp0/dp1 against dq1/dq0
  double start[3];        ///< p0 by the equations of the method

  friend void PrintTo(const MethodOnARod& method, std::ostream* to) { *to << method.name; }
};
const MethodOnARod methods_on_a_rod[] = {
    {"RattleSpherical",
     spherical_rod,
     table_of_rattle,
     "rattle",
     scheme_of<RattleMethod>(),
     -0.05140439349414522,
     {0.029643869328395533, 0.06808191212321366, 0.01239500857453902},
     {0.08053545150351742, 0.008000869792005094, -0.0006381939956567113},
     {0.0593149, 0.00516704, 0.103809},
     {0.33233594406939254, 0.6681418698441285, 0.11822329555203229}},
    {"LobattoSpherical",
     spherical_rod,
     table_of_lobatto(),
     "lobatto",
     Scheme(CollocationOptions{.nodes = CollocationNodes::lobatto, .stages = 3}),
     -0.05143257495129721,
     {0.029615380673589403, 0.06794067720078492, 0.012331402172633225},
     {0.08052669196565353, 0.00802706887635868, -0.0005006995235916638},
     {0.0592184, 0.00516649, 0.103344},
     {0.3323238427197089, 0.668149823772266, 0.11835367720361932}},
    {"EulerSpherical",
     spherical_rod,
     table_of_euler,
     "constraint-euler",
     scheme_of<ConstraintEulerMethod>(),
     -0.05247067044683721,
     {0.027156698665363455, 0.06770383738199785, 0.010334594435771475},
     {0.07955629560895935, 0.00545830748695032, -0.0007467816911336836},
     {0.0600833, 0.00516005, 0.103424},
     {0.3307110244103415, 0.6655351535637415, 0.11826168891847653}},
    {"RattleMagnetic",
     magnetic_rod,
     table_of_rattle,
     "rattle",
     scheme_of<RattleMethod>(),
     -0.060145868424713034,
     {0.04031809809093146, 0.056548850239880204, 0.015694354943358964},
     {0.059741266260632545, 0.023008016399780142, -0.008752631751365649},
     {0.084206, 0.00785538, 0.122196},
     {0.3121020406041661, 0.6833517290080775, 0.1100806148006883}},
    {"LobattoMagnetic",
     magnetic_rod,
     table_of_lobatto(),
     "lobatto",
     Scheme(CollocationOptions{.nodes = CollocationNodes::lobatto, .stages = 3}),
     -0.060187740940179674,
     {0.04028337271235699, 0.056318655681603026, 0.015601055632888479},
     {0.0597532727324651, 0.023064452018917433, -0.008519628413184405},
     {0.0840333, 0.0078391, 0.121548},
     {0.31210954225516474, 0.6833758719655919, 0.11030433898224187}},
    {"EulerMagnetic",
     magnetic_rod,
     table_of_euler,
     "constraint-euler",
     scheme_of<ConstraintEulerMethod>(),
     -0.06140712618003392,
     {0.03743969581408152, 0.056414477553769646, 0.013225660096409714},
     {0.05889818013811774, 0.019957298795153105, -0.008893208871103474},
     {0.0842645, 0.00871855, 0.122076},
     {0.3105603466448622, 0.6801719748875819, 0.11013986484175071}},
};

/// First of the solvers that a method has on a system.
int solver_of(const Subject& subject, const std::string& method) {
  for (const Method& candidate : catalog_methods())
    if (candidate.system == subject.system.name && candidate.name == method) return candidate.solvers.front();
  throw std::logic_error(method);
}

class GeneratingFunction : public ::testing::TestWithParam<MethodOnARod> {
 protected:
  static constexpr double h = 0.1;
  const RodPendulum& rod() const { return GetParam().rod; }
  GeneratedStep step(const Triple<double>& p1, const Triple<double>& q0) const {
    return {rod(), GetParam().table, h, p1, q0};
  }
  /// At (p1, q0) off the constraints.
  GeneratedStep off() const { return step({.25, .66, .12}, {.62, .03, -.79}); }
  /// p1 of the step from a point of the constraints.
  Triple<double> end_of(const PointOfRod& start) const {
    const auto x = extended_step<double>(rod(), GetParam().table, NumberStep{h}, h, KnownMomentum::start, start.p,
                                         start.q, passes, start.q);
    return x.p1;
  }
};
INSTANTIATE_TEST_SUITE_P(Hairer, GeneratingFunction, ::testing::ValuesIn(methods_on_a_rod),
                         [](const auto& info) { return info.param.name; });

TEST_P(GeneratingFunction, HasTheKnownValues) {
  const GeneratedStep off = this->off();
  EXPECT_NEAR(off.S.value(), GetParam().S, round_off);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(off.S.slope(k), GetParam().S_p[k], round_off);
    EXPECT_NEAR(off.S.slope(3 + k), GetParam().S_q[k], round_off);
    EXPECT_NEAR(off.x.p0[k].value(), GetParam().start[k], round_off);
  }
}

TEST_P(GeneratingFunction, MakesTheMethodOnTheConstraints) {
  // The program's own steps of the catalog's pendulum, from random states.
  const bool is_magnetic = rod().growth != 0;
  const Subject& subject = subject_of(is_magnetic ? "magnetic-pendulum" : "spherical-pendulum");
  RodPendulum of_catalog = rod();
  if (!is_magnetic) of_catalog.gravity = subject.parameters[2];  // of mass 1 and length 1, as the other one
  std::mt19937_64 random(311);
  for (int trial = 0; trial < 3; ++trial) {
    const PointOfRod start = random_point_of(of_catalog, random);
    State x(6);
    for (int k = 0; k < 3; ++k) x[k] = start.q[k], x[3 + k] = start.p[k];
    constexpr double t = 0.05;
    ASSERT_TRUE(subject.advance(solver_of(subject, GetParam().method), {{GetParam().scheme}}, t, 1, x));
    const GeneratedStep on(of_catalog, GetParam().table, t, {x[3], x[4], x[5]}, start.q);
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(x[3 + k] + on.S.slope(3 + k), start.p[k], round_off);
      EXPECT_NEAR(start.q[k] + on.S.slope(k), x[k], round_off);
    }
  }
}

TEST_P(GeneratingFunction, DoesNotMakeTheStepOfTheEquationsOffThem) {
  const GeneratedStep off = this->off();
  double difference = 0;
  for (int k = 0; k < 3; ++k)
    difference = std::max(difference, std::abs(off.x.q1[k].value() - off.x.q0[k].value() - off.S.slope(k)));
  EXPECT_GT(difference, 1e-4);
}

TEST_P(GeneratingFunction, HasTheGradientOfLemma31) {
  const GeneratedStep off = this->off();
  double largest = 0;
  for (int k = 0; k < 6; ++k) {
    EXPECT_NEAR(off.formula(k).value(), off.S.slope(k), round_off);
    // Also the derivatives of the formula, by which it is a gradient, and its map symplectic.
    for (int j = 0; j < 6; ++j) EXPECT_NEAR(off.formula(k).slope(j), off.S.derivative(k).slope(j), round_off);
    largest = std::max(largest, std::abs(off.formula(k, false).value() - off.S.slope(k)));
  }
  EXPECT_GT(largest, 1e-3);  // the terms with g(Q_i)
}

TEST_P(GeneratingFunction, ExtendsTheMethodSymplecticallyWhereItsEquationsDoNot) {
  const GeneratedStep off = this->off();
  InPhaseSpace by_equations[6], by_formula[6];
  for (int k = 0; k < 3; ++k) {
    by_equations[k] = off.x.q1[k] - off.x.q0[k], by_equations[3 + k] = off.x.p0[k] - off.x.p1[k];
    by_formula[k] = off.formula(k), by_formula[3 + k] = off.formula(3 + k);
  }
  const double found[3] = {asymmetry(by_equations, 3, 3), asymmetry(by_equations, 0, 0), asymmetry(by_equations, 3, 0)};
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(found[k], GetParam().asymmetries[k], 6e-7);  // six digits
  // Nor are they on the constraints, in the directions that leave them.
  const PointOfRod start{{.6, 0, -.8}, rod().lifted({.6, 0, -.8}, {.2, .7, .15})};
  const GeneratedStep on = step(end_of(start), start.q);
  InPhaseSpace there[6];
  for (int k = 0; k < 3; ++k) there[k] = on.x.q1[k] - on.x.q0[k], there[3 + k] = on.x.p0[k] - on.x.p1[k];
  EXPECT_GT(asymmetry(there, 3, 0), 0.05);
  EXPECT_LT(asymmetry(by_formula, 0, 0) + asymmetry(by_formula, 3, 0) + asymmetry(by_formula, 3, 3), round_off);
}

}  // namespace
}  // namespace polhode::test

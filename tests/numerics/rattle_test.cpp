// RATTLE on the heavy top of MS Figure 1 against the published numbers, and the solvers of its equation.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>

#include "numerics/support.hpp"
#include "polhode/scalar/dual.hpp"

namespace polhode::test {
namespace {

template <class Method>
class RattleTest : public ::testing::Test {};

using Methods = ::testing::Types<Rattle<HeavyTop, CayleySolver>, Rattle<HeavyTop, HadamardSolver>>;
TYPED_TEST_SUITE(RattleTest, Methods);

TYPED_TEST(RattleTest, KeepsCasimirsAndEnergyBand) {
  // A cell-centred 12x12 grid of the section of MS Figure 1; theory.md gives the band for finer grids, of which this is
  // a part in kind, so that the observed extremes must also come near its ends.
  const HeavyTop::Model<double> model(figure_top.data());
  const ChartRange range = HeavyTop::chart_range(figure_top.data(), 1.0);
  double lowest = 0, highest = 0, casimir = 0;
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j) {
      Point start[max_chart_points];
      if (HeavyTop::chart_states(figure_top.data(), 1.0, 0.0, 0, range.half_axes[0] * ((2 * i + 1) / 12.0 - 1),
                                 range.half_axes[1] * ((2 * j + 1) / 12.0 - 1), start[0].data()) == 0)
        continue;
      const typename TypeParam::template Step<double> step(
          model, figure_step, TypeParam::template nominal_sweeps<double>(figure_top.data(), figure_step));
      auto x = to_state<HeavyTop, double>(start[0]);
      for (int n = 0; n < 20000; ++n) {
        ASSERT_TRUE(step(x, x, true));
        lowest = std::min(lowest, model.energy(x) - 1.0);
        highest = std::max(highest, model.energy(x) - 1.0);
        casimir = std::max({casimir, std::abs(model.invariant(1, x) - 1.0), std::abs(model.invariant(2, x))});
      }
    }
  EXPECT_GT(lowest, -1.6e-3);
  EXPECT_LT(lowest, -1.3e-3);
  EXPECT_LT(highest, 4e-4);
  EXPECT_GT(highest, 1e-4);
  EXPECT_LT(casimir, 1e-12);
}

TYPED_TEST(RattleTest, CasimirsStayOverTheWholeRunOfTheFigure) {
  auto x = to_state<HeavyTop, double>(figure_start(0.5, 0.64));
  ASSERT_TRUE((advance<TypeParam, double>(figure_top, figure_step, 60000, x)));
  const HeavyTop::Model<double> model(figure_top.data());
  EXPECT_NEAR(model.invariant(1, x), 1.0, 1e-12);  // round-off only: about 1e-16 a step, at worst all with one sign
  EXPECT_NEAR(model.invariant(2, x), 0.0, 1e-12);
}

TYPED_TEST(RattleTest, FreeBodyKeepsEnergyAndAngularMomentum) {
  auto x = to_state<HeavyTop, double>(body_start);
  ASSERT_TRUE((advance<TypeParam, double>(free_body, 0.05, 60000, x)));
  const HeavyTop::Model<double> model(free_body.data());
  EXPECT_NEAR(model.energy(x), 3.205, 1e-12 * 3.205);
  EXPECT_NEAR(model.invariant(3, x), 4.21, 1e-12 * 4.21);
}

/// The largest modulus of an eigenvalue, lim |A^m|^(1/m), for m = 2^30: any A that is not nilpotent.
double spectral_radius(Eigen::MatrixXd a) {
  double logarithm = 0;
  for (int k = 0; k < 30; ++k) {
    const double size = a.norm();
    logarithm += std::log(size) / std::pow(2, k);
    a = (a / size) * (a / size);
  }
  return std::exp(logarithm);
}

/// The factor by which sweeps contract in the end: the spectral radius of their Jacobian at the solution, for the top
/// of MS Figure 1 at m13 = 0.5, m12 = 0.64.
template <class Solver, int unknowns>
double contraction_factor(double h) {
  using D = Dual<double, unknowns>;
  const HeavyTop::Model<D> model(figure_top.data());
  const typename Solver::template Constants<D> constants(model, D(h));
  const typename Solver::template Equation<D> equation(constants);
  const auto start = figure_start(0.5, 0.64);
  const auto load = equation.load({D(start[0]), D(start[1]), D(start[2])});
  auto x = equation.start(load);
  for (int k = 0; k < 60; ++k) x = equation.sweep(load, x);
  for (int i = 0; i < unknowns; ++i) x[i] = D::variable(x[i].value, i);
  x = equation.sweep(load, x);
  Eigen::MatrixXd jacobian(unknowns, unknowns);
  for (int i = 0; i < unknowns; ++i)
    for (int j = 0; j < unknowns; ++j) jacobian(i, j) = x[i].tangent[j];
  return spectral_radius(jacobian);
}

/// Factor by which the third sweep reduces |w^T w - 1|, as a geometric mean over 1000 steps of the orbit m13 = 0.5, m12
/// = 0.64.
double mean_orthogonality_gain(double h) {
  const HeavyTop::Model<double> model(figure_top.data());
  const HadamardSolver::Constants<double> constants(model, h);
  const HadamardSolver::Equation<double> equation(constants);
  const auto defect = [&](const Vec<double, 9>& x) {
    const auto rotation = equation.rotation(x);
    const Eigen::Map<const Eigen::Matrix3d> w(&rotation.w[0][0]);  // transposed, which has the same defect
    return (w * w.transpose() - Eigen::Matrix3d::Identity()).norm();
  };
  auto state = to_state<HeavyTop, double>(figure_start(0.5, 0.64));
  double sum = 0;
  for (int n = 0; n < 1000; ++n) {
    Vec<double, 3> pi{state[0], state[1], state[2]};
    pi = cross({state[3], state[4], state[5]}, (0.5 * h * model.c) * model.chi, pi);  // the kick before the equation
    const auto load = equation.load(pi);
    auto x = equation.start(load);
    for (int k = 0; k < 2; ++k) x = equation.sweep(load, x);
    sum += std::log(defect(equation.sweep(load, x)) / defect(x));
    EXPECT_TRUE((advance<Rattle<HeavyTop, HadamardSolver>, double>(figure_top, h, 1, state)));
  }
  return std::exp(sum / 1000);
}

TEST(Solvers, HadamardFactorHalvesWithTheStep) {
  // theory.md gives 0.126 / 0.064 / 0.031 at h = 0.2 / 0.1 / 0.05 without a definition. Tried, without one that meets
  // all digits: ratios of the errors, changes and residuals of a, s or w between any two of the first 12 sweeps or down
  // to round-off, in three norms, at the start or as the mean, median or maximum along the orbit. Most lie near |a|/2 =
  // h |Omega|/2; this one gives 0.125 / 0.064 / 0.032. The mean down to round-off does not halve: in the end the
  // eigenvalue |a| rules (next test), which the start at s = 0 hardly excites.
  const struct { double h, factor; } rows[] = {{0.2, 0.126}, {0.1, 0.064}, {0.05, 0.031}};
  double previous = 0;
  for (const auto& row : rows) {
    const double factor = mean_orthogonality_gain(row.h);
    EXPECT_NEAR(factor, row.factor, 0.05 * row.factor) << "h = " << row.h;  // what the definitions near |a|/2 differ by
    if (previous > 0) {
      EXPECT_NEAR(previous / factor, 2.0, 0.1) << "h = " << row.h;  // 2 up to O(h)
    }
    previous = factor;
  }
}

TEST(Solvers, LargestHadamardEigenvalueHalvesWithTheStep) {
  double previous = contraction_factor<HadamardSolver, 9>(0.2);
  for (const double h : {0.1, 0.05}) {
    const double largest = contraction_factor<HadamardSolver, 9>(h);
    EXPECT_NEAR(previous / largest, 2.0, 0.05) << "h = " << h;  // 2 up to O(h^2)
    previous = largest;
  }
}

TEST(Solvers, CayleySweepsContractFasterThanTheStep) {
  // Gauss-Seidel on an off-diagonal coupling of O(h): the factor falls as h^(3/2), between 2 and 4 on halving.
  const double coarse = contraction_factor<CayleySolver, 3>(0.1), fine = contraction_factor<CayleySolver, 3>(0.05);
  EXPECT_GT(coarse / fine, 2.2);
  EXPECT_LT(coarse / fine, 4.0);
  EXPECT_LT(fine, 0.01);
}

}  // namespace
}  // namespace polhode::test

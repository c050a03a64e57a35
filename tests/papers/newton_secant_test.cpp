// How fast the multipliers of the double spherical pendulum converge with one factorisation for all sweeps (McLachlan &
// Scovel 1995, sect. 6.3). The paper asks for a factor O(h), for which the linear part of the equations must be
// inverted at least: the matrix G(r) W G(q)^T with r = q. Its Newton-secant iteration takes that of its first Newton
// step, where r is the position without constraints, which is O(h^2) from the solution, and so is the factor.
#include <gtest/gtest.h>

#include <cmath>

#include "polhode/method/multiplier_solvers.hpp"
#include "polhode/system/pendulum_chain.hpp"

namespace polhode::test {
namespace {

using System = DoubleSphericalPendulum;
using Real = long double;  // three sweeps from a small error stay above its round-off
using Position = Vec<Real, System::N>;
using Equation = NewtonSolver::Equation<System, Real>;

// MS Figure 2: m, l, without gravity; relative velocities (0, .6, .8) and (.7, 0, -.5), from which p.
constexpr double parameters[] = {1, 1.5, 1, 1.5, 0};
constexpr Position q{1, 0, 0, 0, 1.5L, 0}, p{1.05L, 1.5L, 1.25L, 1.05L, 0.9L, 0.45L};

/// Mean factor by which the second and the third sweep reduce the error of the multipliers. The matrix at q reduces it
/// by unequal factors in turn. `sweep` of an equation: the next iterate.
template <class Sweep>
double factor(Real h, const Sweep& make_sweep) {
  const System::Model<Real> model(parameters);
  const Equation equation(model, q, p, TimeStep<Real>(h));
  auto solution = equation.start();
  for (int k = 0; k < 10; ++k) solution = equation.sweep(solution);
  const auto error = [&](const Equation::Unknown& x) {
    const auto e = x.variable - solution.variable;
    return std::sqrt(dot(e, e));
  };
  const auto sweep = make_sweep(model, equation, TimeStep<Real>(h));
  const auto first = sweep(equation.start()), third = sweep(sweep(first));
  return static_cast<double>(std::sqrt(error(third) / error(first)));
}

double secant_factor(Real h) {
  return factor(h, [](const System::Model<Real>& model, const Equation&, const TimeStep<Real>& step) {
    return [secant = NewtonSecantSolver::Equation<System, Real>(model, q, p, step)](const Equation::Unknown& x) {
      return secant.sweep(x);
    };
  });
}
double linear_part_factor(Real h) {
  return factor(h, [](const System::Model<Real>& model, const Equation& equation, const TimeStep<Real>&) {
    return [&, matrix = LU<Real, System::D>(model.schur(q, q))](const Equation::Unknown& x) -> Equation::Unknown {
      const auto s = x.variable - matrix.solve(model.constraints(x.q));
      return {model.displace(q, s, equation.start().q), s};
    };
  });
}

TEST(NewtonSecant, FactorQuartersWithTheStep) {
  EXPECT_NEAR(secant_factor(0.05L), 1.48e-3, 0.01e-3);
  // The next term, h smaller: 2.05, 2.025 and 2.01 were measured for h = 0.1, 0.05 and 0.025.
  EXPECT_NEAR(std::log2(secant_factor(0.025L) / secant_factor(0.0125L)), 2, 0.03);
}

TEST(NewtonSecant, InvertingTheLinearPartAloneHalvesIt) {
  EXPECT_NEAR(linear_part_factor(0.05L), 2.21e-2, 0.01e-2);
  // The next term: 1.10, 1.05 and 1.03 were measured for h = 0.1, 0.05 and 0.025.
  EXPECT_NEAR(std::log2(linear_part_factor(0.025L) / linear_part_factor(0.0125L)), 1, 0.04);
}

}  // namespace
}  // namespace polhode::test

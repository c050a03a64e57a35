// Boost.odeint's classical Runge-Kutta method and its Dormand-Prince method of order 5, whose last stage is the first
// of the next step.
#include <algorithm>
#include <array>
#include <boost/numeric/odeint/algebra/array_algebra.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta4.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>

#include "heavy_top_equations.hpp"
#include "rivals.hpp"

namespace polhode::bench {
namespace {

namespace odeint = boost::numeric::odeint;
using State = std::array<double, 6>;

template <class Stepper>
void advance(double* states, long n, long steps, double h, const double* parameters) {
  const HeavyTopEquations top(parameters);
  const auto equations = [&top](const State& x, State& rate, double) { top.rates(x, rate); };
  for (long i = 0; i < n; ++i) {
    double* const stored = states + 6 * i;
    State x;
    std::copy_n(stored, 6, x.begin());
    Stepper stepper;
    for (long k = 0; k < steps; ++k) stepper.do_step(equations, x, 0.0, h);
    std::copy_n(x.begin(), 6, stored);
  }
}

using RungeKutta4 = odeint::runge_kutta4<State, double, State, double, odeint::array_algebra>;
using DormandPrince5 = odeint::runge_kutta_dopri5<State, double, State, double, odeint::array_algebra>;

}  // namespace

const Rival odeint_runge_kutta4{"odeint/runge_kutta4", 4, advance<RungeKutta4>};
const Rival odeint_dormand_prince5{"odeint/runge_kutta_dopri5", 5, advance<DormandPrince5>};

}  // namespace polhode::bench

// Boost.odeint's classical Runge-Kutta method on the double spherical pendulum in explicit form: the multipliers are
// substituted, and everything that the masses allow is done by hand.
//
//   q1' = (p1 - p2)/m1,   q2' = -p1/m1 + (1/m1 + 1/m2) p2,   p_i' = -V_i - lambda_i q_i
//   [ |q1|^2/m1        -q1.q2/m1           ] [lambda1]   [ |q1'|^2 - g z1 ]
//   [ -q1.q2/m1   (1/m1 + 1/m2) |q2|^2     ] [lambda2] = [ |q2'|^2        ]
#include <algorithm>
#include <array>
#include <boost/numeric/odeint/algebra/array_algebra.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta4.hpp>

#include "rivals.hpp"

namespace polhode::bench {
namespace {

using State = std::array<double, 12>;  // q1, q2, p1, p2

double product(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

void advance(double* states, long n, long steps, double h, const double* parameters) {
  const double m1 = parameters[0], m2 = parameters[1], g = parameters[4];
  const double w1 = 1 / m1, w2 = 1 / m1 + 1 / m2;
  const auto equations = [=](const State& x, State& rate, double) {
    const double *q1 = &x[0], *q2 = &x[3], *p1 = &x[6], *p2 = &x[9];
    for (int i = 0; i < 3; ++i) {
      rate[i] = w1 * (p1[i] - p2[i]);
      rate[3 + i] = w2 * p2[i] - w1 * p1[i];
    }
    const double a = w1 * product(q1, q1), b = -w1 * product(q1, q2), d = w2 * product(q2, q2);
    const double u = product(&rate[0], &rate[0]) - g * q1[2], v = product(&rate[3], &rate[3]);
    const double inverse = 1 / (a * d - b * b);
    const double lambda1 = (d * u - b * v) * inverse, lambda2 = (a * v - b * u) * inverse;
    for (int i = 0; i < 3; ++i) {
      rate[6 + i] = -lambda1 * q1[i];
      rate[9 + i] = -lambda2 * q2[i];
    }
    rate[8] -= (m1 + m2) * g;
    rate[11] -= m2 * g;
  };
  for (long i = 0; i < n; ++i) {
    double* const stored = states + 12 * i;
    State x;
    std::copy_n(stored, 12, x.begin());
    boost::numeric::odeint::runge_kutta4<State, double, State, double, boost::numeric::odeint::array_algebra> stepper;
    for (long k = 0; k < steps; ++k) stepper.do_step(equations, x, 0.0, h);
    std::copy_n(x.begin(), 12, stored);
  }
}

}  // namespace

const Rival odeint_double_pendulum{"odeint/runge_kutta4", 4, advance};

}  // namespace polhode::bench

// The GNU Scientific Library's Runge-Kutta-Prince-Dormand method of order 8, with 13 stages.
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

#include <memory>

#include "heavy_top_equations.hpp"
#include "rivals.hpp"

namespace polhode::bench {
namespace {

int rates(double, const double* x, double* rate, void* top) {
  static_cast<const HeavyTopEquations*>(top)->rates(x, rate);
  return GSL_SUCCESS;
}

struct FreeStep {
  void operator()(gsl_odeiv2_step* step) const { gsl_odeiv2_step_free(step); }
};

/// Without a controller or a driver, whose bookkeeping would be the library's and not the method's.
void advance(double* states, long n, long steps, double h, const double* parameters) {
  HeavyTopEquations top(parameters);
  const gsl_odeiv2_system equations{rates, nullptr, 6, &top};
  const std::unique_ptr<gsl_odeiv2_step, FreeStep> step(gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, 6));
  double error_estimate[6];  // always computed
  for (long i = 0; i < n; ++i)
    for (long k = 0; k < steps; ++k)
      gsl_odeiv2_step_apply(step.get(), 0, h, states + 6 * i, error_estimate, nullptr, nullptr, &equations);
}

}  // namespace

const Rival gsl_rk8pd{"gsl/rk8pd", 8, advance};

}  // namespace polhode::bench

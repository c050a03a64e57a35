// The rival: Boost.odeint's classical Runge-Kutta method on the heavy top. Knows nothing of polhode.
#pragma once

/// Advances each of n trajectories by `steps` steps of length h, one trajectory at a time.
///
/// states: [n][6], Pi then Gamma.  parameters: I1 I2 I3, chi1 chi2 chi3, c.
__attribute__((visibility("default"))) void advance_with_odeint(double* states, long n, long steps, double h,
                                                                const double* parameters);

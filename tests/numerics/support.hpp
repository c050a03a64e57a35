// Shared by the numerics tests: one trajectory through the step template, in any scalar.
#pragma once

#include <array>
#include <cmath>

#include "polhode/method/rattle.hpp"
#include "polhode/system/heavy_top.hpp"
#include "support/heavy_top.hpp"

namespace polhode::test {

template <class T>
Vec<T, 6> to_state(const Point& x) {
  Vec<T, 6> state;
  for (int i = 0; i < 6; ++i) state[i] = T(x[i]);
  return state;
}

/// `steps` steps of the method; false where one did not converge.
template <class Method, class T>
bool advance(const TopParameters& parameters, double h, std::int64_t steps, Vec<T, 6>& x) {
  const HeavyTop::Model<T> model(parameters.data());
  const typename Method::template Step<T> step(model, T(h),
                                               Method::template nominal_sweeps<double>(parameters.data(), h));
  bool valid = true;
  for (std::int64_t n = 0; n < steps; ++n) valid = step(x, true) && valid;
  return valid;
}

/// Euclidean distance of the angular momenta.
template <class T>
double pi_error(const Vec<T, 6>& x, const std::array<double, 3>& exact) {
  T sum = 0;
  for (int i = 0; i < 3; ++i) sum += (x[i] - T(exact[i])) * (x[i] - T(exact[i]));
  return static_cast<double>(sqrt(sum));
}

}  // namespace polhode::test

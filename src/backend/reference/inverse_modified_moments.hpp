// Modified moments of inertia of the preprocessed discrete Moser-Veselov algorithm, as Hairer & Vilmart 2006, Table 1,
// print them: in powers of the principal moments, without scaling. The terms of order 10, which are not printed there,
// are in the elementary symmetric functions e1, e2, e3 of the moments.
#pragma once

#include <Eigen/Dense>
#include <cmath>

namespace polhode {

/// Inverses 1 / I~_j of the modified moments I~, for the principal moments I, the body angular momentum pi and a step
/// h; order: 4, 6, 8 or 10.
template <class Real>
Eigen::Vector<Real, 3> inverse_modified_moments(const Eigen::Vector<Real, 3>& I, const Eigen::Vector<Real, 3>& pi,
                                                Real h, int order) {
  using std::pow;
  const Eigen::Vector<Real, 3> inverse = I.cwiseInverse();
  const Real H = pi.dot(inverse.cwiseProduct(pi)) / 2, C = pi.squaredNorm() / 2, delta = I.prod();
  const auto sigma = [&](int a) { return pow(I[0], Real(a)) + pow(I[1], Real(a)) + pow(I[2], Real(a)); };
  const auto tau = [&](int b, int c) {
    const auto p = [&](int k, int exponent) { return pow(I[k], Real(exponent)); };
    return (p(1, b) + p(2, b)) / p(0, c) + (p(2, b) + p(0, b)) / p(1, c) + (p(0, b) + p(1, b)) / p(2, c);
  };
  const Real h2 = h * h;
  Real s = 1, d = 0;
  s += h2 * (-sigma(-1) / 3 * H + sigma(1) / (6 * delta) * C);
  d += h2 * (sigma(1) / (6 * delta) * H - C / (3 * delta));
  if (order >= 6) {
    const Real h4 = h2 * h2;
    s += h4 * ((3 * sigma(1) + 2 * delta * sigma(-2)) / (60 * delta) * H * H + (1 - tau(1, 1)) / (30 * delta) * C * H +
               (sigma(2) - delta * sigma(-1)) / (30 * delta * delta) * C * C);
    d += h4 *
         (-(9 + tau(1, 1)) / (60 * delta) * H * H + (6 * delta * sigma(-1) - sigma(2)) / (60 * delta * delta) * C * H -
          sigma(1) / (60 * delta * delta) * C * C);
  }
  if (order >= 8) {
    const Real h6 = h2 * h2 * h2, square = delta * delta, cube = square * delta;
    s += h6 * ((15 - delta * sigma(-3) - 2 * tau(1, 1)) / (630 * delta) * H * H * H +
               (6 * delta * tau(1, 2) - 100 * delta * sigma(-1) + 53 * sigma(2)) / (2520 * square) * C * H * H +
               (9 * sigma(1) + 10 * delta * sigma(-2) - 6 * tau(2, 1)) / (420 * square) * C * C * H +
               (4 * delta + 17 * sigma(3) - 15 * delta * tau(1, 1)) / (2520 * cube) * C * C * C);
    d += h6 * ((9 * delta * sigma(-1) + delta * tau(1, 2) - 11 * sigma(2)) / (1260 * square) * H * H * H +
               (47 * sigma(1) + 13 * tau(2, 1) - 38 * delta * sigma(-2)) / (2520 * square) * C * H * H +
               (sigma(3) + 2 * delta * tau(1, 1) - 85 * delta) / (1260 * cube) * C * C * H +
               (34 * delta * sigma(-1) - 19 * sigma(2)) / (2520 * cube) * C * C * C);
  }
  if (order >= 10) {
    const Real h8 = h2 * h2 * h2 * h2, e1 = sigma(1), e2 = delta * sigma(-1), e3 = delta, below = pow(delta, Real(4));
    const Real H2 = H * H, H3 = H2 * H, C2 = C * C, C3 = C2 * C;
    const Real e1_2 = e1 * e1, e1_3 = e1_2 * e1, e2_2 = e2 * e2, e2_3 = e2_2 * e2, e3_2 = e3 * e3;
    s += h8 / below *
         ((2 * e2_3 * e2 - 3 * e1 * e2_2 * e3 + 153 * e1_2 * e3_2 - 486 * e2 * e3_2) / 45360 * H3 * H +
          (-e1 * e2_3 - 66 * e1_2 * e2 * e3 + 276 * e2_2 * e3 - 207 * e1 * e3_2) / 11340 * C * H3 +
          (26 * e1_2 * e2_2 + 3 * e1_3 * e3 - 102 * e2_3 + 30 * e1 * e2 * e3 + 318 * e3_2) / 7560 * C2 * H2 +
          (-77 * e1_3 * e2 + 306 * e1 * e2_2 + 141 * e1_2 * e3 - 1128 * e2 * e3) / 22680 * C3 * H +
          (62 * e1_3 * e1 - 342 * e1_2 * e2 + 378 * e2_2 + 291 * e1 * e3) / 45360 * C3 * C);
    d += h8 / below *
         ((-e1 * e2_3 - 6 * e1_2 * e2 * e3 - 126 * e2_2 * e3 + 459 * e1 * e3_2) / 45360 * H3 * H +
          (-15 * e1_2 * e2_2 + 97 * e1_3 * e3 + 64 * e2_3 - 276 * e1 * e2 * e3 - 648 * e3_2) / 22680 * C * H3 +
          (-5 * e1_3 * e2 + 19 * e1 * e2_2 - 133 * e1_2 * e3 + 356 * e2 * e3) / 7560 * C2 * H2 +
          (-e1_3 * e1 + 222 * e1_2 * e2 - 864 * e2_2 + 684 * e1 * e3) / 45360 * C3 * H +
          (-61 * e1_3 + 243 * e1 * e2 - 610 * e3) / 45360 * C3 * C);
  }
  return s * inverse + Eigen::Vector<Real, 3>::Constant(d);
}

}  // namespace polhode

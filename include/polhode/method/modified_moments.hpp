// Modified moments of inertia: the discrete Moser-Veselov map with these in place of the principal moments is the flow
// of the free body up to a higher order (Hairer & Vilmart 2006, Table 1). They depend on the state through the energy H
// and C = |Pi|^2 / 2, which the map conserves:
//
//     1 / I~_j = (1 + h^2 s3 + h^4 s5 + h^6 s7 + h^8 s9) / I_j + h^2 d3 + h^4 d5 + h^6 d7 + h^8 d9
//
// with s3, d3 linear in H and C, s5, d5 quadratic, and so on. Truncated after h^2, h^4, h^6 and h^8 the orders are 4,
// 6, 8 and 10. The coefficients are polynomials in the elementary symmetric functions of the inverse moments
//
//     f1 = sum_j 1 / I_j,   f2 = sum_(j<k) 1 / (I_j I_k),   f3 = 1 / (I1 I2 I3),
//
// equal to those of the table, which ends with s7 and d7; s9 and d9 follow from the exact flow in the same way: the
// equation of the map is linear in I~, so that the exact rotation of a step determines them as a power series in h.
// Moments are scaled by the largest one, because in single precision products of small ones underflow. The coefficients
// of order 10 still contain fourth powers of the ratio of the largest moment to the others: in single precision they
// overflow where it exceeds 1e9.
#pragma once

#include "polhode/math/vec.hpp"

namespace polhode::inline POLHODE_ISA {

/// Moments of inertia of a body, as the equation of a discrete rotation needs them.
template <class T>
struct Moments {
  Vec<T, 3> inertia, inverse_inertia;
};

/// T: scalar of the coefficients.
template <class T>
class ModifiedMoments {
 public:
  ModifiedMoments() = default;
  /// order: 4, 6, 8 or 10; with 2 the moments are those of the body.
  POLHODE_HD ModifiedMoments(const Vec<T, 3>& inertia, int order) {
    scale_ = larger(inertia[0], larger(inertia[1], inertia[2]));
    inverse_scale_ = T(1) / scale_;
    for (int k = 0; k < 3; ++k) ratio_[k] = scale_ / inertia[k];
    for (int k = 0; k < terms; ++k) s_[k] = d_[k] = T(0);
    const auto n = [](double value) POLHODE_LAMBDA { return T(static_cast<Real<T>>(value)); };
    const T f1 = ratio_[0] + ratio_[1] + ratio_[2];
    const T f2 = ratio_[0] * ratio_[1] + ratio_[1] * ratio_[2] + ratio_[2] * ratio_[0];
    const T f3 = ratio_[0] * ratio_[1] * ratio_[2];
    const T p = f1 * f1, q = f2 * f2, m = f1 * f2, t = f1 * f3;
    if (order >= 4) {
      s_[at(1, 0)] = -(f1 / n(3));
      s_[at(0, 1)] = f2 / n(6);
      d_[at(1, 0)] = f2 / n(6);
      d_[at(0, 1)] = -(f3 / n(3));
    }
    if (order >= 6) {
      s_[at(2, 0)] = (n(2) * p - f2) / n(60);
      s_[at(1, 1)] = (n(4) * f3 - m) / n(30);
      s_[at(0, 2)] = (q - n(3) * t) / n(30);
      d_[at(2, 0)] = -((m + n(6) * f3) / n(60));
      d_[at(1, 1)] = (n(8) * t - q) / n(60);
      d_[at(0, 2)] = -(f2 * f3 / n(60));
    }
    if (order >= 8) {
      s_[at(3, 0)] = (f1 * (f2 - p) + n(18) * f3) / n(630);
      s_[at(2, 1)] = (n(6) * f1 * m + n(41) * q - n(212) * t) / n(2520);
      s_[at(1, 2)] = (n(22) * f1 * t - n(6) * f2 * m - n(5) * f2 * f3) / n(420);
      s_[at(0, 3)] = (n(17) * f2 * q - n(66) * f2 * t + n(100) * f3 * f3) / n(2520);
      d_[at(3, 0)] = (f1 * m - n(13) * q + n(30) * t) / n(1260);
      d_[at(2, 1)] = (n(13) * f2 * m - n(64) * f1 * t + n(110) * f2 * f3) / n(2520);
      d_[at(1, 2)] = (f2 * q - f2 * t - n(88) * f3 * f3) / n(1260);
      d_[at(0, 3)] = f3 * (n(72) * t - n(19) * q) / n(2520);
    }
    if (order >= 10) {
      s_[at(4, 0)] = (p * (n(2) * p - n(3) * f2) + n(153) * q - n(486) * t) / n(45360);
      s_[at(3, 1)] = (n(276) * f1 * t - p * m - n(66) * f2 * m - n(207) * f2 * f3) / n(11340);
      s_[at(2, 2)] = (n(26) * m * m + n(3) * f2 * q - n(102) * p * t + n(30) * f2 * t + n(318) * f3 * f3) / n(7560);
      s_[at(1, 3)] = (n(306) * m * t - n(77) * m * q + n(141) * q * f3 - n(1128) * f3 * t) / n(22680);
      s_[at(0, 4)] = (n(62) * q * q - n(342) * q * t + n(378) * t * t + n(291) * f2 * f3 * f3) / n(45360);
      d_[at(4, 0)] = (n(459) * f2 * f3 - p * m - n(6) * f2 * m - n(126) * f1 * t) / n(45360);
      d_[at(3, 1)] = (n(97) * f2 * q - n(15) * m * m + n(64) * p * t - n(276) * f2 * t - n(648) * f3 * f3) / n(22680);
      d_[at(2, 2)] = (n(19) * m * t - n(5) * m * q - n(133) * q * f3 + n(356) * f3 * t) / n(7560);
      d_[at(1, 3)] = (n(222) * q * t - q * q - n(864) * t * t + n(684) * f2 * f3 * f3) / n(45360);
      d_[at(0, 4)] = f3 * (n(243) * f2 * t - n(61) * f2 * q - n(610) * f3 * f3) / n(45360);
    }
  }

  /// The moments for a step of length h from the body angular momentum pi. Returns the lanes in which all of them are
  /// positive and h |Omega| is less than a quarter turn: beyond it the root of the equation near w = 1 is that of
  /// another rotation, by about the rest of a half turn. The moments of the other lanes are meaningless.
  template <class Lanes>
  POLHODE_HD Mask<Lanes> operator()(const Vec<Lanes, 3>& pi, const Lanes& h, Moments<Lanes>& moments) const {
    const Lanes half(Real<Lanes>(0.5)), zero(Real<Lanes>(0)), one(Real<Lanes>(1)), inverse_scale(inverse_scale_);
    Vec<Lanes, 3> turn = (h * inverse_scale) * pi, ratio = broadcast<Lanes>(ratio_), inverse;
    Vec<Lanes, 3> omega = hadamard(ratio, turn);                          // h Omega
    const Lanes x = half * dot(turn, omega), y = half * dot(turn, turn);  // h^2 H and h^2 C, scaled
    const Lanes factor = one + polynomial(s_, x, y), shift = polynomial(d_, x, y);
    unroll<3>([&](int k) POLHODE_LAMBDA { inverse[k] = fma(factor, ratio[k], shift); });
    const Lanes of_product = Lanes(scale_) / (inverse[0] * inverse[1] * inverse[2]);
    unroll<3>([&](int k) POLHODE_LAMBDA {
      moments.inertia[k] = (inverse[(k + 1) % 3] * inverse[(k + 2) % 3]) * of_product;
      moments.inverse_inertia[k] = inverse[k] * inverse_scale;
    });
    const Lanes quarter_turn_squared(Real<Lanes>(2.4674011002723395));  // (pi / 2)^2
    return (inverse[0] > zero) & (inverse[1] > zero) & (inverse[2] > zero) & (dot(omega, omega) < quarter_turn_squared);
  }

 private:
  static constexpr int degree = 4, terms = (degree + 1) * (degree + 2) / 2;
  /// Place of the coefficient of x^i y^j.
  static constexpr POLHODE_HD int at(int i, int j) { return i * (2 * degree + 3 - i) / 2 + j; }

  /// Sum of the coefficients times x^i y^j, by Horner's rule.
  template <class Lanes>
  POLHODE_HD static Lanes polynomial(const T (&coefficients)[terms], const Lanes& x, const Lanes& y) {
    Lanes sum(coefficients[at(degree, 0)]);
    unroll<degree>([&](int below) POLHODE_LAMBDA {
      const int i = degree - 1 - below;
      Lanes of_y(coefficients[at(i, degree - i)]);
      for (int j = degree - i - 1; j >= 0; --j) of_y = fma(of_y, y, Lanes(coefficients[at(i, j)]));
      sum = fma(sum, x, of_y);
    });
    return sum;
  }

  T scale_, inverse_scale_;
  Vec<T, 3> ratio_;        ///< of the largest moment to each
  T s_[terms], d_[terms];  ///< coefficients for scaled moments
};

}  // namespace polhode::inline POLHODE_ISA

// A spherical pendulum at an energy E and an angular momentum J about the vertical: random states on the torus that
// they define, uniform in time and in the azimuth, like the Liouville measure delta(H - E) delta(J_z - J). Host only.
//
// With the mass m, the length l, s = m |g| l, and heights w over the lowest point and v = 2 - w below the highest, in
// lengths,
//
//   (m l^2 / 2) w'^2 = F(w) = (E + s - s w) w v - J^2 / (2 m l^2) = s (w - w1) (w2 - w) (w3 - w)
//
//   w = w1 cn^2 + w2 sn^2,   v = v1 cn^2 + v2 sn^2,   k'^2 = (w3 - w2) / (w3 - w1)
//
// (Whittaker, Analytical Dynamics, sect. 55). Both w1, which is small when the pendulum nearly hangs, and v2, which is
// small when it nearly stands, are computed with a small relative error. Hence the distance l (w v)^1/2 from the axis
// has one, too, and the momentum J over it. The momentum along the meridian follows from the remaining energy.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "system/jacobi_functions.hpp"
#include "system/random_source.hpp"

namespace polhode::inline POLHODE_ISA {

class PendulumTorus {
 public:
  /// Torus of a pendulum of mass m and length l; g may have any sign or be 0. momentum: J.
  PendulumTorus(double m, double l, double g, double energy, double momentum)
      : mass_(m),
        length_(l),
        up_(g < 0 ? -1 : 1),
        energy_(energy),
        momentum_(momentum),
        strength_(m * std::abs(g) * l) {
    momentum_term_ = momentum * momentum / (2 * m * l * l);
    const double s = strength_, a = energy + s;
    // Maximum of F: a conical pendulum, which has the largest J.
    const double w_of_maximum = 2 * a / (a + 2 * s + std::sqrt((a - s) * (a - s) + 3 * s * s));
    most_momentum_term_ = (a - s * w_of_maximum) * w_of_maximum * (2 - w_of_maximum);
    low_ = w_of_maximum;
    if (momentum_term_ < most_momentum_term_) {
      low_ = first_root(w_of_maximum);
      find_top();
    } else {
      top_ = 2 - w_of_maximum;
    }
  }

  bool has_energy() const { return energy_ + strength_ > 0; }
  /// Largest |J| of states of this energy.
  double most() const { return length_ * std::sqrt(2 * mass_ * most_momentum_term_); }
  /// Whether there are states of this energy and J: whether |J| is most() or less, up to a few roundings of the data.
  bool is_within() const {
    return momentum_term_ <= most_momentum_term_ * (1 + 16 * std::numeric_limits<double>::epsilon());
  }
  /// Whether the pendulum would approach the upright position for ever.
  bool is_separatrix() const { return complement_ <= 16 * std::numeric_limits<double>::epsilon(); }

  /// Draws x[6], position and momentum, at the given azimuth. Requires has_energy(), is_within() and not
  /// is_separatrix().
  void draw(RandomSource& random, const SinCos<double>& azimuth, double* x) const {
    const auto f = jacobi_functions(2 * std::numbers::pi * random.uniform(), complement_);
    const double above = low_ * f.cn * f.cn + (2 - top_) * f.sn * f.sn;
    const double below = (2 - low_) * f.cn * f.cn + top_ * f.sn * f.sn;
    const double height = above < 1 ? above - 1 : 1 - below, across = std::sqrt(above * below);
    const double around = momentum_ == 0 ? 0 : momentum_ / (length_ * across);  // the axis
    const double remaining = energy_ - strength_ * height - around * around / (2 * mass_);
    const double along = std::copysign(std::sqrt(2 * mass_ * std::max(remaining, 0.0)), f.sn * f.cn);  // the meridian
    const auto [sine, cosine] = azimuth;
    x[0] = length_ * across * cosine;
    x[1] = length_ * across * sine;
    x[2] = up_ * length_ * height;
    x[3] = -along * height * cosine - around * sine;
    x[4] = -along * height * sine + around * cosine;
    x[5] = up_ * along * across;
  }

 private:
  /// Root w1 of F below its maximum at w = w_of_maximum, by Newton's method from 0, whose first iterate is J^2 / (4 m
  /// l^2 (E + s)). F grows and is concave up to its maximum, so that iterates stay below w1; they end where round-off
  /// would make the next one smaller.
  double first_root(double w_of_maximum) const {
    const double s = strength_, a = energy_ + s;
    for (double w = 0;;) {
      const double f = (a - s * w) * w * (2 - w) - momentum_term_;
      const double slope = (a - s * w) * (2 - 2 * w) - s * w * (2 - w);
      const double next = std::min(w - f / slope, w_of_maximum);
      if (!(next > w)) return w;
      w = next;
    }
  }

  /// Sets top_ to v2 and complement_ to k'^2. F without its factor w - w1 determines x = s v2 and y = s (w3 - 2):
  ///
  ///   x - y = s w1 - (E - s),   x y = s J^2 / (2 m l^2 v1),   s (w3 - w2) = x + y
  void find_top() {
    const double s = strength_, difference = s * low_ - (energy_ - s), rest = momentum_term_ / (2 - low_);
    const double sum = std::sqrt(difference * difference + 4 * s * rest);
    const double larger = (std::abs(difference) + sum) / 2;
    const double beyond = difference > 0 ? s * rest / larger : larger;  // y
    if (difference > 0)
      top_ = larger / s;
    else
      top_ = rest > 0 ? rest / larger : 0;
    top_ = std::min(top_, 2 - low_);
    complement_ = std::min(sum / (s * (2 - low_) + beyond), 1.0);
  }

  double mass_, length_;
  double up_;  ///< sign of g: 1, or -1 where the pendulum hangs upwards
  double energy_, momentum_;
  double strength_;                            ///< s
  double momentum_term_, most_momentum_term_;  ///< J^2 / (2 m l^2), and its maximum
  double low_, top_ = 0;                       ///< w1 and v2
  double complement_ = 1;                      ///< k'^2
};

}  // namespace polhode::inline POLHODE_ISA

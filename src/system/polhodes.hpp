// Free rigid bodies at an energy E and a magnitude L of their angular momentum: random points Pi of the polhodes, the
// curves
//
//   sum_i Pi_i^2 / I_i = 2 E,   |Pi|^2 = L^2
//
// uniform in time. This is the measure dPi delta(H - E) delta(|Pi| - L), because on the sphere the speed of Pi is L
// times the gradient of H. Host only.
//
// There are two polhodes, about both ends of the axis w of the largest moment if L^2 > 2 E I_m, m the middle one,
// otherwise of the smallest. With the other axis u (Landau & Lifshitz, Mechanics, sect. 37)
//
//   Pi_u = (I_u (2 E I_w - L^2) / (I_w - I_u))^1/2 cn        k'^2 = (I_w - I_u) (L^2 - 2 E I_m)
//   Pi_m = (I_m (2 E I_w - L^2) / (I_w - I_m))^1/2 sn              / ((I_w - I_m) (L^2 - 2 E I_u))
//
// and Pi_w, proportional to dn, follows from L^2: then the energy is exact to round-off, too, however close the moments
// are. For two equal moments the polhodes are circles, with k = 0; for three every Pi is at rest, and Pi is uniform on
// the sphere as in the limit. On the separatrix, L^2 = 2 E I_m, the time is infinite.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "polhode/math/vec.hpp"
#include "system/jacobi_functions.hpp"
#include "system/random_source.hpp"

namespace polhode::inline POLHODE_ISA {

class Polhodes {
 public:
  /// Polhodes of a body with the moments of inertia `moments`, in any order, at the energy E = energy > 0 and the
  /// magnitude L = magnitude of the angular momentum.
  Polhodes(const Vec<double, 3>& moments, double energy, double magnitude)
      : moment_(moments), energy_(energy), square_(magnitude * std::abs(magnitude)) {
    std::array<int, 3> order{0, 1, 2};
    std::ranges::sort(order, {}, [&](int i) { return moment_[i]; });
    const auto [least, middle, most] = order;
    const bool upper_equal = same(middle, most), lower_equal = same(least, middle);
    is_sphere_ = upper_equal && lower_equal;
    is_within_ = excess(least) >= -round_off() && excess(most) <= round_off();
    is_separatrix_ = !upper_equal && !lower_equal && std::abs(excess(middle)) <= round_off();
    m_ = middle;
    const bool about_largest = upper_equal ? false : lower_equal || excess(middle) > 0;
    w_ = about_largest ? most : least;
    u_ = about_largest ? least : most;
    if (is_sphere_) return;
    const double rest = -excess(w_);
    amplitude_u_ = std::sqrt(std::max(moment_[u_] * (rest / (moment_[w_] - moment_[u_])), 0.0));
    amplitude_m_ = std::sqrt(std::max(moment_[m_] * (rest / (moment_[w_] - moment_[m_])), 0.0));
    if (!upper_equal && !lower_equal)
      complement_ =
          std::min((moment_[w_] - moment_[u_]) / (moment_[w_] - moment_[m_]) * (excess(m_) / excess(u_)), 1.0);
  }

  /// Smallest magnitude L of states of this energy.
  double least() const { return std::sqrt(2 * energy_ * std::min({moment_[0], moment_[1], moment_[2]})); }
  /// Largest magnitude L of states of this energy.
  double most() const { return std::sqrt(2 * energy_ * std::max({moment_[0], moment_[1], moment_[2]})); }

  /// Whether there are states of this energy and magnitude, up to round-off of the data.
  bool is_within() const { return is_within_; }
  bool is_separatrix() const { return is_separatrix_; }

  /// Draws Pi, uniform in time, on either polhode with equal probability. Requires is_within() and not is_separatrix().
  Vec<double, 3> draw(RandomSource& random) const {
    if (is_sphere_) return draw_on_sphere(random);
    const auto f = jacobi_functions(2 * std::numbers::pi * random.uniform(), complement_);
    Vec<double, 3> pi;
    pi[u_] = amplitude_u_ * f.cn;
    pi[m_] = amplitude_m_ * f.sn;
    const double along = std::sqrt(std::max(square_ - pi[u_] * pi[u_] - pi[m_] * pi[m_], 0.0));
    pi[w_] = random.uniform() < 0.5 ? along : -along;
    return pi;
  }

 private:
  /// Difference L^2 - 2 E I_i, which decides about which axis the polhodes are.
  double excess(int i) const { return square_ - 2 * energy_ * moment_[i]; }
  /// Uncertainty of excess(): roundings of the energy, the magnitude and the moments.
  double round_off() const { return 8 * std::numeric_limits<double>::epsilon() * square_; }
  /// Whether moments i and j, of which j is not the smaller, are equal up to round-off of decimal input, as by
  /// Top::same() (polhode/system/top.hpp).
  bool same(int i, int j) const { return moment_[j] - moment_[i] <= 1e-14 * moment_[j]; }

  Vec<double, 3> draw_on_sphere(RandomSource& random) const {
    for (;;) {
      const Vec<double, 3> v{random.normal(), random.normal(), random.normal()};
      const double squared = dot(v, v);
      if (squared > 1e-12) return std::sqrt(square_ / squared) * v;  // smaller ones would have a rounded direction
    }
  }

  Vec<double, 3> moment_;
  double energy_, square_;
  bool is_sphere_, is_within_, is_separatrix_;
  int w_, u_, m_;
  double amplitude_u_ = 0, amplitude_m_ = 0, complement_ = 1;
};

}  // namespace polhode::inline POLHODE_ISA

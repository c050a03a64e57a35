// A chain of n spherical pendula in uniform gravity: bob i hangs on bob i - 1 by a massless rod, the first on the
// origin.
//
//   state   q_i  from bob i - 1 to bob i,   p_i  the conjugate momentum of q_i
//   H       1/2 sum_ij W_ij p_i.p_j + g sum_i m_i z_i,   z_i = k.(q_1 + ... + q_i)
//   g_i     (|q_i|^2 - l_i^2) / 2
//
// W is tridiagonal: W_11 = 1/m_1, W_ii = 1/m_(i-1) + 1/m_i, W_(i,i+1) = -1/m_i (McLachlan & Scovel 1995, sect. 6.3, for
// two; they print -1/m_2 off the diagonal). The angular momentum about the vertical J_z = k.sum q_i x p_i is conserved.
#pragma once

#include "polhode/scalar/elementary.hpp"
#include "polhode/system/bodies.hpp"
#include "polhode/system/constrained_system.hpp"
#include "polhode/system/pendulum_chart.hpp"

namespace polhode::inline POLHODE_ISA {

template <int n>
struct PendulumChainPhysics : PendulumChart<n> {
  static_assert(n >= 1 && n <= 6);
  static constexpr const char* names[6] = {"spherical-pendulum", "double-spherical-pendulum", "pendulum-chain-3",
                                           "pendulum-chain-4",   "pendulum-chain-5",          "pendulum-chain-6"};
  static constexpr const char* meanings[6] = {
      "mass on a rod in uniform gravity",
      "two spherical pendula, one hanging on the other",
      "three spherical pendula, each hanging on the one before",
      "four spherical pendula, each hanging on the one before",
      "five spherical pendula, each hanging on the one before",
      "six spherical pendula, each hanging on the one before",
  };
  static constexpr const char* name = names[n - 1];
  static constexpr const char* family = n > 2 ? "pendulum-chain" : name;
  static constexpr const char* meaning = meanings[n - 1];
  static constexpr const char* sources[] = {"McLachlanScovel1995"};
  static constexpr int N = 3 * n, D = n;
  static constexpr auto equations = [] {
    if constexpr (n == 1)
      return std::array{"H = |p1|^2/(2 m) + m g q1z", "0 = (|q1|^2 - l^2)/2"};
    else
      return std::array{"H = 1/2 sum_ij W_ij p_i.p_j + g sum_i m_i (q_1z + ... + q_iz)",
                        "W_11 = 1/m_1,  W_ii = 1/m_(i-1) + 1/m_i,  W_(i,i+1) = W_(i+1,i) = -1/m_i",
                        "0 = (|q_i|^2 - l_i^2)/2"};
  }();
  static constexpr const char* energy_unit = "mass length^2/time^2";
  static constexpr const char* constraint_unit = "length^2";

  static constexpr double default_g[1] = {9.81};
  static constexpr Parameter parameters[3] = {
      {"m", "mass", n, nullptr, Bound::positive, "masses of the bobs"},
      {"l", "length", n, nullptr, Bound::positive, "lengths of the rods"},
      {"g", "length/time^2", 1, default_g, Bound::finite, "gravity, along -z"},
  };

  static constexpr const char* rods[6] = {"rod 1, from the origin to bob 1", "rod 2, from bob 1 to bob 2",
                                          "rod 3, from bob 2 to bob 3",      "rod 4, from bob 3 to bob 4",
                                          "rod 5, from bob 4 to bob 5",      "rod 6, from bob 5 to bob 6"};
  static constexpr const char* momenta[6] = {
      "conjugate to rod 1: momentum of all bobs",
      "conjugate to rod 2: momentum of bob 2 and those below",
      "conjugate to rod 3: momentum of bob 3 and those below",
      "conjugate to rod 4: momentum of bob 4 and those below",
      "conjugate to rod 5: momentum of bob 5 and those below",
      "conjugate to rod 6: momentum of bob 6 and those below",
  };
  static constexpr auto columns =
      n == 1 ? body_columns<n>("position of the bob", "momentum of the bob") : body_columns<n>(rods, momenta);
  static constexpr auto example_parameters = [] {
    std::array<double, 2 * n + 1> p{};
    for (int i = 0; i < n; ++i) p[i] = p[n + i] = 1 + 0.5 * (i % 2);
    p[2 * n] = default_g[0];
    return p;
  }();
  static constexpr double example_step = 0.01;
  /// Successive rods are orthogonal; the velocity of a bob relative to the one before is sqrt(g l) across its rod.
  static void example_state(const double* p, double* x) {
    const double* m = p;
    const double* l = p + n;
    const double g = p[2 * n] < 0 ? -p[2 * n] : p[2 * n];
    double velocity[n][3] = {}, sum[3] = {};
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < 3; ++k) x[3 * i + k] = l[i] * directions[i % 3][k];
      const double speed = polhode::sqrt((g > 0 ? g : 1) * l[i]);
      for (int k = 0; k < 3; ++k) velocity[i][k] = sum[k] += speed * directions[(i + 1) % 3][k];
    }
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < 3; ++k) {
        double momentum = 0;
        for (int j = i; j < n; ++j) momentum += m[j] * velocity[j][k];
        x[N + 3 * i + k] = momentum;
      }
  }

  template <class T>
  struct Equations {
    Vec<T, n> inverse_mass, weight, half_length_squared;
    Vec<T, n> diagonal;  ///< diagonal of W

    /// p: m[n], l[n], g.
    POLHODE_HD explicit Equations(const double* p) {
      const T half(Real<T>(0.5)), gravity(static_cast<Real<T>>(p[2 * n]));
      T below(Real<T>(0));
      for (int i = n - 1; i >= 0; --i) {
        const T mass(static_cast<Real<T>>(p[i])), length(static_cast<Real<T>>(p[n + i]));
        inverse_mass[i] = T(Real<T>(1)) / mass;
        below = below + mass;
        weight[i] = gravity * below;
        half_length_squared[i] = half * length * length;
      }
      diagonal[0] = inverse_mass[0];
      for (int i = 1; i < n; ++i) diagonal[i] = inverse_mass[i - 1] + inverse_mass[i];
    }

    POLHODE_HD Vec<T, N> velocity(const Vec<T, N>& p) const {
      Vec<T, N> v;
      unroll<N>([&](int k) POLHODE_LAMBDA {
        const int i = k / 3;
        v[k] = diagonal[i] * p[k];
        if (i > 0) v[k] = fma(-inverse_mass[i - 1], p[k - 3], v[k]);
        if (i < n - 1) v[k] = fma(-inverse_mass[i], p[k + 3], v[k]);
      });
      return v;
    }
    POLHODE_HD T potential(const Vec<T, N>& q) const {
      T sum = weight[0] * q[2];
      unroll<n>([&](int i) POLHODE_LAMBDA {
        if (i > 0) sum = fma(weight[i], q[3 * i + 2], sum);
      });
      return sum;
    }
    POLHODE_HD Vec<T, N> potential_gradient(const Vec<T, N>&) const {
      Vec<T, N> gradient;
      unroll<N>([&](int k) POLHODE_LAMBDA { gradient[k] = k % 3 == 2 ? weight[k / 3] : T(Real<T>(0)); });
      return gradient;
    }

    POLHODE_HD Vec<T, N> kick(const Vec<T, N>&, const T& s, Vec<T, N> p) const {
      unroll<n>([&](int i) POLHODE_LAMBDA { p[3 * i + 2] = fma(s, weight[i], p[3 * i + 2]); });
      return p;
    }

    POLHODE_HD Vec<T, n> constraints(const Vec<T, N>& q) const {
      Vec<T, n> g;
      unroll<n>([&](int i)
                    POLHODE_LAMBDA { g[i] = fma(T(Real<T>(0.5)), product(i, q, i, q), -half_length_squared[i]); });
      return g;
    }
    POLHODE_HD Vec<T, n> push(const Vec<T, N>& q, const Vec<T, N>& v) const {
      Vec<T, n> rate;
      unroll<n>([&](int i) POLHODE_LAMBDA { rate[i] = product(i, q, i, v); });
      return rate;
    }
    POLHODE_HD Vec<T, N> pull(const Vec<T, N>& q, const Vec<T, n>& s) const {
      Vec<T, N> force;
      unroll<N>([&](int k) POLHODE_LAMBDA { force[k] = s[k / 3] * q[k]; });
      return force;
    }
    POLHODE_HD Vec<T, N> pull(const Vec<T, N>& q, const Vec<T, n>& s, Vec<T, N> p) const {
      unroll<n>([&](int i) POLHODE_LAMBDA { add(i, s[i], i, q, p); });
      return p;
    }
    POLHODE_HD Vec<T, N> displace(const Vec<T, N>& q, const Vec<T, n>& s, Vec<T, N> r) const {
      unroll<n>([&](int i) POLHODE_LAMBDA {
        add(i, diagonal[i] * s[i], i, q, r);
        if (i > 0) add(i, -inverse_mass[i - 1] * s[i - 1], i - 1, q, r);
        if (i < n - 1) add(i, -inverse_mass[i] * s[i + 1], i + 1, q, r);
      });
      return r;
    }
    POLHODE_HD Mat<T, n, n> schur(const Vec<T, N>& r, const Vec<T, N>& q) const {
      Mat<T, n, n> a;
      unroll<n>([&](int i) POLHODE_LAMBDA {
        unroll<n>([&](int j) POLHODE_LAMBDA {
          if (j == i)
            a[i][j] = diagonal[i] * product(i, r, i, q);
          else if (j == i + 1 || j == i - 1)
            a[i][j] = -inverse_mass[i < j ? i : j] * product(i, r, j, q);
          else
            a[i][j] = T(Real<T>(0));
        });
      });
      return a;
    }
    POLHODE_HD Vec<T, n> curvature(const Vec<T, N>&, const Vec<T, N>& v) const { return push(v, v); }

    /// Azimuth of the rod, or the difference of those of the first two.
    POLHODE_HD T azimuth_of_rods(const Vec<T, N>& q, const Vec<T, N>&) const {
      if constexpr (n == 1)
        return azimuth(q[1], q[0]);
      else
        return azimuth(fma(q[0], q[4], -(q[1] * q[3])), fma(q[0], q[3], q[1] * q[4]));
    }
    POLHODE_HD T one(const Vec<T, N>&, const Vec<T, N>&) const { return T(Real<T>(1)); }
    /// J_z.
    POLHODE_HD T angular_momentum(const Vec<T, N>& q, const Vec<T, N>& p) const {
      T sum(Real<T>(0));
      unroll<n>([&](int i) POLHODE_LAMBDA { sum = fma(q[3 * i], p[3 * i + 1], fma(-q[3 * i + 1], p[3 * i], sum)); });
      return sum;
    }

    static constexpr DerivedRow<Equations, T, N> derived[1] = {
        {n == 1 ? Quantity{"azimuth", "rad", "of the rod, about the vertical from the x axis, in (-pi, pi]",
                           Angle::wrapped}
                : Quantity{"azimuth_difference", "rad", "azimuth of rod 2 less that of rod 1, in (-pi, pi]",
                           Angle::wrapped},
         &Equations::azimuth_of_rods, &Equations::one},
    };
    static constexpr ConservedRow<Equations, T, N> conserved[1] = {
        {{"angular_momentum_z", "mass length^2/time", "J_z, about the vertical; conserved to round-off"},
         &Equations::angular_momentum},
    };

   private:
    /// b_i += s a_j.
    POLHODE_HD static void add(int i, const T& s, int j, const Vec<T, N>& a, Vec<T, N>& b) {
      unroll<3>([&](int k) POLHODE_LAMBDA { b[3 * i + k] = fma(s, a[3 * j + k], b[3 * i + k]); });
    }
    /// a_i . b_j.
    POLHODE_HD static T product(int i, const Vec<T, N>& a, int j, const Vec<T, N>& b) {
      return fma(a[3 * i], b[3 * j], fma(a[3 * i + 1], b[3 * j + 1], a[3 * i + 2] * b[3 * j + 2]));
    }
  };

 private:
  static constexpr double directions[3][3] = {{0.6, 0.8, 0}, {-0.8, 0.6, 0}, {0, 0, -1}};
};

template <int n>
using PendulumChain = ConstrainedSystem<PendulumChainPhysics<n>>;
using SphericalPendulum = PendulumChain<1>;
using DoubleSphericalPendulum = PendulumChain<2>;

}  // namespace polhode::inline POLHODE_ISA

// Common part of the systems of a rigid body with a fixed point in uniform gravity: parameters, energy, integrals.
//
//   energy  H = 1/2 sum_i Pi_i^2 / I_i + c Gamma.chi
//   flow    Pi' = Pi x Omega + c Gamma x chi,   Gamma' = Gamma x Omega,   Omega_i = Pi_i / I_i
//
// with the body angular momentum Pi and the upward vertical seen from the body, Gamma = Q^T e3. c = 0 is the free rigid
// body; I1 = I2 with chi = +-e3 the Lagrange top; I1 = I2 = 2 I3 with chi across axis 3 the Kowalevski top; and
// I1 = I2 = 4 I3, likewise, with Pi.Gamma = 0, that of Goryachev and Chaplygin.
//
// The inertia may be given by the principal moments I or by alpha, the diagonal of J in McLachlan & Scovel 1995,
// sect. 6: I1 = alpha2 + alpha3 and cyclic. In their matrix notation m12 = -Pi3, m13 = Pi2, m23 = -Pi1; v = Gamma.
#pragma once

#include "polhode/math/vec.hpp"
#include "polhode/system/rows.hpp"

namespace polhode::inline POLHODE_ISA {

struct Top {
  static constexpr Kind kind = Kind::lie_poisson;
  static constexpr int n_parameters = 7;
  static constexpr double default_chi[] = {0, 0, 1};
  static constexpr double default_c[] = {1};
  /// Parameters in the order of the flat array that Body reads.
  static constexpr Parameter parameters[] = {
      {"inertia", "mass length^2", 3, nullptr, Bound::positive,
       "principal moments about the fixed point (or give alpha)"},
      {"chi", "1", 3, default_chi, Bound::unit_vector, "from the fixed point to the centre of mass, body frame"},
      {"c", "mass length^2/time^2", 1, default_c, Bound::finite, "mass x gravity x distance of the centre of mass"},
  };

  static void moments_of_alpha(const double* alpha, double* inertia) {
    for (int i = 0; i < 3; ++i) inertia[i] = alpha[(i + 1) % 3] + alpha[(i + 2) % 3];
  }
  static constexpr Alternative alternatives[] = {
      {"alpha", "inertia", "diagonal of J: I1 = alpha2 + alpha3 and cyclic", moments_of_alpha},
  };

  /// Warning about p[3], the principal moments, or null. One percent is tolerated, because moments may be given with
  /// few digits. Host only.
  static const char* warning(const double* p) {
    for (int i = 0; i < 3; ++i)
      if (p[i] > 1.01 * (p[(i + 1) % 3] + p[(i + 2) % 3]))
        return "no rigid body has these principal moments: one is larger than the sum of the others";
    return nullptr;
  }

  /// Angular momentum in the matrix notation of McLachlan & Scovel, in which charts have it.
  static constexpr Quantity matrix_momenta[] = {
      {"m12", "mass length^2/time", "-pi3, body angular momentum in the plane of axes 1 and 2"},
      {"m13", "mass length^2/time", "pi2, in the plane of axes 1 and 3"},
      {"m23", "mass length^2/time", "-pi1, in the plane of axes 2 and 3"},
  };

  /// The top of MS Figure 1.
  static constexpr double example_parameters[] = {1.5, 1.44, 0.94, 0, 0, 1, 1};
  static constexpr double example_step = 0.05;

  /// Accepted error in the length of a unit vector or quaternion of an initial state, which is not corrected.
  static constexpr double unit_tolerance = 1e-6;

  // Conditions under which integrals exist, for parameters p[7]; that of Goryachev and Chaplygin also needs Pi.Gamma =
  // 0. They are checked up to round-off of decimal input. Host only.
  static bool is_free(const double* p, const double* /*x*/ = nullptr) { return p[6] == 0; }
  static constexpr const char* not_free = "it is for the free body: c must be 0";
  static bool is_lagrange(const double* p, const double* /*x*/ = nullptr) {
    return same(p[0], p[1]) && (is_free(p) || (p[3] == 0 && p[4] == 0));
  }
  static bool is_kowalevski(const double* p, const double* /*x*/ = nullptr) {
    return same(p[0], p[1]) && same(p[0], 2 * p[2]) && p[5] == 0;
  }
  /// x: a state of System.
  template <class System>
  static bool is_goryachev_chaplygin(const double* p, const double* x) {
    typename System::template State<double> state;
    for (int i = 0; i < System::dim; ++i) state[i] = x[i];
    return same(p[0], p[1]) && same(p[0], 4 * p[2]) && p[5] == 0 &&
           are_orthogonal(System::angular_momentum(state), System::vertical(state));
  }
  /// Whether a and b are orthogonal, up to round-off of a given state.
  static bool are_orthogonal(const Vec<double, 3>& a, const Vec<double, 3>& b) {
    return abs(dot(a, b)) <= 1e-12 * sqrt(dot(a, a) * dot(b, b));
  }

  /// Body for given parameters, in scalar type T.
  template <class T>
  struct Body {
    Vec<T, 3> inertia, inverse_inertia, chi;
    T c;

    /// p[7]: I1 I2 I3, chi1 chi2 chi3, c.
    POLHODE_HD explicit Body(const double* p) {
      for (int i = 0; i < 3; ++i) {
        inertia[i] = T(static_cast<Real<T>>(p[i]));
        inverse_inertia[i] = T(1) / inertia[i];
        chi[i] = T(static_cast<Real<T>>(p[3 + i]));
      }
      c = T(static_cast<Real<T>>(p[6]));
    }

    POLHODE_HD T potential(const Vec<T, 3>& gamma) const { return c * dot(gamma, chi); }
    /// Half of the range of the potential.
    POLHODE_HD T swing() const { return abs(c); }
    POLHODE_HD Vec<T, 3> omega(const Vec<T, 3>& pi) const { return hadamard(inverse_inertia, pi); }
    /// Pi' of the equations of motion.
    POLHODE_HD Vec<T, 3> torque(const Vec<T, 3>& pi, const Vec<T, 3>& gamma) const {
      return cross(pi, omega(pi), c * cross(gamma, chi));
    }
    POLHODE_HD T energy(const Vec<T, 3>& pi, const Vec<T, 3>& gamma) const {
      return fma(T(0.5), dot(pi, hadamard(inverse_inertia, pi)), potential(gamma));
    }

    /// |(w1 + i w2)^2 - (c / I3) (Gamma1 + i Gamma2) (chi1 + i chi2)|^2 with w = I^-1 Pi: the integral of Kowalevski's
    /// top (Acta Math. 12 (1889) 177).
    POLHODE_HD T kowalevski(const Vec<T, 3>& pi, const Vec<T, 3>& gamma) const {
      const Vec<T, 3> w = hadamard(inverse_inertia, pi);
      const T strength = c * inverse_inertia[2];
      const T real = fma(w[0], w[0], -(w[1] * w[1])) - strength * fma(gamma[0], chi[0], -(gamma[1] * chi[1]));
      const T imaginary = T(2) * w[0] * w[1] - strength * fma(gamma[0], chi[1], gamma[1] * chi[0]);
      return fma(real, real, imaginary * imaginary);
    }

    /// Pi3 (Pi1^2 + Pi2^2) - 4 c I3 (Pi1 chi1 + Pi2 chi2) Gamma3: Chaplygin's integral, constant where Pi.Gamma = 0.
    POLHODE_HD T goryachev_chaplygin(const Vec<T, 3>& pi, const Vec<T, 3>& gamma) const {
      const T along = fma(pi[0], chi[0], pi[1] * chi[1]);
      return fma(pi[2], fma(pi[0], pi[0], pi[1] * pi[1]), -(T(4) * c * inertia[2] * along * gamma[2]));
    }
  };

  /// Kick by the torque over a time.
  template <class T>
  struct Kick {
    Vec<T, 3> weight;  ///< time c chi

    Kick() = default;
    POLHODE_HD Kick(const Body<T>& body, const T& time) : weight((time * body.c) * body.chi) {}
    /// Pi after the kick at gamma.
    template <class U>
    POLHODE_HD Vec<U, 3> operator()(const Vec<U, 3>& gamma, const Vec<U, 3>& pi) const {
      return cross(gamma, broadcast<U>(weight), pi);
    }
  };

  /// Functions of Body on the states of a System, which has angular_momentum(x), vertical(x) and vertical_size(x), the
  /// magnitude of the terms of the vertical.
  template <class System, class State, class T>
  struct BodyOf : Body<T> {
    using Body<T>::Body, Body<T>::energy, Body<T>::kowalevski, Body<T>::goryachev_chaplygin;

    POLHODE_HD T energy(const State& x) const { return energy(System::angular_momentum(x), System::vertical(x)); }
    POLHODE_HD T energy_size(const State& x) const { return abs(energy(x)) + abs(this->c) * vertical_size(x); }
    POLHODE_HD T height(const State& x) const { return dot(System::vertical(x), this->chi); }
    POLHODE_HD T vertical_size(const State& x) const { return System::vertical_size(x); }
    POLHODE_HD T pi3(const State& x) const { return x[2]; }
    POLHODE_HD T m12(const State& x) const { return -x[2]; }
    POLHODE_HD T m13(const State& x) const { return x[1]; }
    POLHODE_HD T m23(const State& x) const { return -x[0]; }
    POLHODE_HD T momentum_size(const State& x) const { return abs(x[0]) + abs(x[1]) + abs(x[2]); }
    POLHODE_HD T pi_squared(const State& x) const {
      return dot(System::angular_momentum(x), System::angular_momentum(x));
    }
    POLHODE_HD T pi_dot_gamma(const State& x) const { return dot(System::angular_momentum(x), System::vertical(x)); }
    POLHODE_HD T kowalevski(const State& x) const {
      return kowalevski(System::angular_momentum(x), System::vertical(x));
    }
    POLHODE_HD T goryachev_chaplygin(const State& x) const {
      return goryachev_chaplygin(System::angular_momentum(x), System::vertical(x));
    }
  };

 private:
  static bool same(double a, double b) { return a - b <= 1e-14 * a && b - a <= 1e-14 * a; }
};

}  // namespace polhode::inline POLHODE_ISA

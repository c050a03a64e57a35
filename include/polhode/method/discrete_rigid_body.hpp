// The discrete Moser-Veselov equation: given the body angular momentum m and the step h, find the rotation w near 1
// with
//
//     w^T J - J w = h m,   w in SO(3),   J = diag(alpha)         (McLachlan & Scovel 1995, sect. 6.1-6.2)
//
// which advances the free body by one step: Pi <- w Pi, Gamma <- w Gamma, Q <- Q w^T. Two solvers of the same equation
// find the same w to round-off. Each has a name, Constants<T>(body, h), computed once per body and step, and an
// Equation<T, S>(constants), where S, the scalar of the constants, is T or Real<T>, with
//
//     load(pi)          the right-hand side that belongs to m = hat(pi)
//     start(load)       the first iterate
//     sweep(load, x)    the next iterate; contracts with a factor O(h)
//     rotation(x)       w, as a Rotation<T> that acts on vectors; its undone(q) is an attitude q rotated by w^T
//
// undone(q) adds a small change to q: the unit quaternion of w^T, rounded near 1, would have the same rounding error in
// every step, and the length of q would drift with the number of steps.
#pragma once

#include "polhode/math/quaternion.hpp"
#include "polhode/method/nominal_sweeps.hpp"
#include "polhode/system/top.hpp"

namespace polhode::inline POLHODE_ISA {

/// w in Cayley form: w^T = (1 - hat(u))^-1 (1 + hat(u)). Rational, needs no square root.
///
/// With y = (h/2) Pi the equation reads (Hairer 2003, sect. 5, in quaternions, u = e/e0)
///
///     I1 u1 + (I3 - I2) u2 u3 = y1 (1 + |u|^2)   and cyclic.
///
/// A sweep solves each line in turn for its own component; the off-diagonal coupling is O(h), so that the error falls
/// by O(h^(3/2)) in a sweep.
struct CayleySolver {
  static constexpr const char* name = "cayley";
  static constexpr const char* meaning = "Cayley parametrisation, Gauss-Seidel fixed point";
  static constexpr int unknowns = 3;

  template <class T>
  struct Rotation {
    Vec<T, 3> u;
    T q;  ///< 2 / (1 + |u|^2)

    /// w v = v - q (u x v - u x (u x v)).
    POLHODE_HD Vec<T, 3> operator()(const Vec<T, 3>& v) const {
      const Vec<T, 3> t = cross(u, v);
      return fma(-q, cross(t, u, t), v);
    }
    /// w^T is the quaternion s (1, u) with s^2 = 1 / (1 + |u|^2), so that s - 1 = -|u|^2 s^2 / (1 + s).
    POLHODE_HD Vec<T, 4> undone(const Vec<T, 4>& attitude) const {
      const T s_squared = T(Real<T>(0.5)) * q, s = sqrt(s_squared);
      const T change = -(dot(u, u) * s_squared) / (T(Real<T>(1)) + s);
      return attitude + quaternion_product(attitude, {change, s * u[0], s * u[1], s * u[2]});
    }
  };

  template <class T>
  struct Constants {
    Vec<T, 3> half_step;  ///< h / (2 I_i)
    Vec<T, 3> coupling;   ///< (I_j - I_k) / I_i

    Constants() = default;
    /// body: has inertia and inverse_inertia.
    template <class Body>
    POLHODE_HD Constants(const Body& body, const T& h) {
      unroll<3>([&](int i) POLHODE_LAMBDA {
        half_step[i] = T(Real<T>(0.5)) * h * body.inverse_inertia[i];
        coupling[i] = (body.inertia[(i + 1) % 3] - body.inertia[(i + 2) % 3]) * body.inverse_inertia[i];
      });
    }
  };

  template <class T, class S = T>
  class Equation {
   public:
    POLHODE_HD explicit Equation(const Constants<S>& constants) : c_(constants) {}

    POLHODE_HD Vec<T, 3> load(const Vec<T, 3>& pi) const { return hadamard(broadcast<T>(c_.half_step), pi); }
    POLHODE_HD Vec<T, 3> start(const Vec<T, 3>& load) const { return load; }
    /// Ordered so that each line waits for a single fused operation of the line before.
    POLHODE_HD Vec<T, 3> sweep(const Vec<T, 3>& load, Vec<T, 3> u) const {
      const T n = dot(u, u, T(Real<T>(1)));
      u[0] = fma(load[0], n, (T(c_.coupling[0]) * u[1]) * u[2]);
      u[1] = fma(T(c_.coupling[1]) * u[2], u[0], load[1] * n);
      u[2] = fma(T(c_.coupling[2]) * u[0], u[1], load[2] * n);
      return u;
    }
    POLHODE_HD Rotation<T> rotation(const Vec<T, 3>& u) const { return {u, T(Real<T>(2)) / dot(u, u, T(Real<T>(1)))}; }

   private:
    const Constants<S>& c_;
  };
};

/// The paper's iteration on 3x3 matrices: w = 1 + a + s with a antisymmetric, O(h), and s symmetric, O(h^2),
///
///     a_ij <- (s_ij (alpha_j - alpha_i) - h m_ij) / (alpha_i + alpha_j)       (the paper prints alpha_i - alpha_i)
///     s    <- -1/2 (s + a)^T (s + a)
///
/// (McLachlan & Scovel 1995, sect. 6.2). Converges linearly with a factor O(h).
struct HadamardSolver {
  static constexpr const char* name = "hadamard";
  static constexpr const char* meaning = "Hadamard-product iteration on matrices";
  static constexpr int unknowns = 9;

  template <class T>
  struct Rotation {
    T w[3][3];

    POLHODE_HD Vec<T, 3> operator()(const Vec<T, 3>& v) const {
      Vec<T, 3> r;
      unroll<3>([&](int i) POLHODE_LAMBDA { r[i] = fma(w[i][0], v[0], fma(w[i][1], v[1], w[i][2] * v[2])); });
      return r;
    }
    /// Uses the antisymmetric part of w^T, which is 2 e0 e for the quaternion (e0, e) and determines its angle below a
    /// quarter turn; the iteration does not converge beyond that.
    POLHODE_HD Vec<T, 4> undone(const Vec<T, 4>& attitude) const {
      const T half(Real<T>(0.5)), one(Real<T>(1));
      const Vec<T, 3> sine{half * (w[1][2] - w[2][1]), half * (w[2][0] - w[0][2]), half * (w[0][1] - w[1][0])};
      const T sine_squared = dot(sine, sine);
      const T change_squared = -(half * sine_squared) / (one + sqrt(one - sine_squared));  // e0^2 - 1
      const T e0 = sqrt(one + change_squared), scale = half / e0;
      return attitude + quaternion_product(
                            attitude, {change_squared / (one + e0), scale * sine[0], scale * sine[1], scale * sine[2]});
    }
  };

  template <class T>
  struct Constants {
    Vec<T, 3> step;        ///< h / I_k
    Vec<T, 3> difference;  ///< (alpha_j - alpha_i) / I_k

    Constants() = default;
    /// body: has inertia and inverse_inertia.
    template <class Body>
    POLHODE_HD Constants(const Body& body, const T& h) {
      unroll<3>([&](int k) POLHODE_LAMBDA {
        step[k] = h * body.inverse_inertia[k];
        // alpha_j - alpha_i = I_i - I_j, because I_i = sum(alpha) - alpha_i.
        difference[k] = (body.inertia[(k + 1) % 3] - body.inertia[(k + 2) % 3]) * body.inverse_inertia[k];
      });
    }
  };

  /// Unknowns: the axial vector of a (a_ij = -axial_k for cyclic ijk), then s11 s22 s33 s23 s31 s12.
  template <class T, class S = T>
  class Equation {
   public:
    POLHODE_HD explicit Equation(const Constants<S>& constants) : c_(constants) {}

    /// -a_ij for s = 0: m_ij = -Pi_k, so that a_ij = (s_ij (alpha_j - alpha_i) + h Pi_k) / I_k.
    POLHODE_HD Vec<T, 3> load(const Vec<T, 3>& pi) const {
      return T(Real<T>(-1)) * hadamard(broadcast<T>(c_.step), pi);
    }
    POLHODE_HD Vec<T, 9> start(const Vec<T, 3>& load) const {
      const T zero(Real<T>(0));
      return {load[0], load[1], load[2], zero, zero, zero, zero, zero, zero};
    }
    POLHODE_HD Vec<T, 9> sweep(const Vec<T, 3>& load, const Vec<T, 9>& x) const {
      Vec<T, 9> r = x;
      unroll<3>([&](int k) POLHODE_LAMBDA { r[k] = fma(-x[6 + k], T(c_.difference[k]), load[k]); });
      const Rotation<T> b = small_part(r);
      unroll<3>([&](int k) POLHODE_LAMBDA {
        r[3 + k] = minus_half_product(b, k, k);
        r[6 + k] = minus_half_product(b, (k + 1) % 3, (k + 2) % 3);
      });
      return r;
    }
    POLHODE_HD Rotation<T> rotation(const Vec<T, 9>& x) const {
      Rotation<T> w = small_part(x);
      unroll<3>([&](int k) POLHODE_LAMBDA { w.w[k][k] = T(Real<T>(1)) + w.w[k][k]; });
      return w;
    }

   private:
    /// a + s.
    POLHODE_HD static Rotation<T> small_part(const Vec<T, 9>& x) {
      Rotation<T> b;
      unroll<3>([&](int k) POLHODE_LAMBDA {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        b.w[k][k] = x[3 + k];
        b.w[i][j] = x[6 + k] - x[k];
        b.w[j][i] = x[6 + k] + x[k];
      });
      return b;
    }
    /// Element ij of -1/2 b^T b.
    POLHODE_HD static T minus_half_product(const Rotation<T>& b, int i, int j) {
      return T(Real<T>(-0.5)) * fma(b.w[0][i], b.w[0][j], fma(b.w[1][i], b.w[1][j], b.w[2][i] * b.w[2][j]));
    }

    const Constants<S>& c_;
  };
};

/// Number of sweeps that `equation` needs for the body angular momentum pi. Host only.
template <class Equation, class T>
int sweeps_needed(const Equation& equation, const Vec<T, 3>& pi) {
  const Vec<T, 3> load = equation.load(pi);
  return sweeps_to_settle(equation.start(load), max_sweeps, [&](const auto& x) { return equation.sweep(load, x); });
}

}  // namespace polhode::inline POLHODE_ISA

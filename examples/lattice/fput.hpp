// The alpha chain of Fermi, Pasta, Ulam and Tsingou: n particles of mass 1 between fixed ends, with springs that are
// slightly nonlinear.
//
//   H = sum_(k=1..n) p_k^2 / 2 + sum_(k=0..n) d_k^2 / 2 + alpha d_k^3 / 3,   d_k = q_(k+1) - q_k,   q_0 = q_(n+1) = 0
//
// E. Fermi, J. Pasta and S. Ulam, Los Alamos report LA-1940 (1955). The modes of the linear chain have the frequencies
// w_k = 2 sin(x_k / 2) with x_k = pi k / (n + 1), and the energies
//
//   E_k = ((sum_i p_i sin(i x_k))^2 + w_k^2 (sum_i q_i sin(i x_k))^2) / (n + 1)
#pragma once

#include "chain.hpp"
#include "polhode/scalar/elementary.hpp"
#include "polhode/system/mechanical_system.hpp"
#include "polhode/system/publications.hpp"

namespace polhode::inline POLHODE_ISA {

template <int n>
struct FputPhysics : ParticlesOnALine<n> {
  static constexpr NumberedNames<n> names{"fput-"}, modes{"mode_"};
  static constexpr const char* name = names.text[n - 1];
  static constexpr const char* family = "fput";
  static constexpr const char* meaning =
      "particles between fixed ends, with springs of quadratic nonlinearity (Fermi, Pasta, Ulam and Tsingou)";
  static constexpr Publication paper{"FermiPastaUlam1955", R"(@techreport{FermiPastaUlam1955,
  author      = {Fermi, Enrico and Pasta, John and Ulam, Stanis{\l}aw},
  title       = {Studies of nonlinear problems, {I}},
  institution = {Los Alamos Scientific Laboratory},
  number      = {LA-1940},
  year        = {1955},
  doi         = {10.2172/4376203}
})"};
  static constexpr const Publication* sources[] = {&paper};
  static constexpr int N = n, D = 0;

  static constexpr double default_alpha[] = {0.25};
  static constexpr Parameter parameters[] = {
      {"alpha", "1", 1, default_alpha, Bound::finite, "strength of the nonlinearity"},
  };
  static constexpr double example_parameters[] = {0.25};
  static constexpr double example_step = 0.1;
  /// Mode 1 with the amplitude 1, and momenta that are all different.
  static void example_state(const double*, double* x) {
    for (int k = 0; k < n; ++k) {
      x[k] = polhode::sin((k + 1) * angle(1));
      x[n + k] = 0.1 * polhode::cos(double(k * k));
    }
  }

  template <class T>
  struct Equations {
    using Vector = Vec<T, n>;
    T alpha;

    POLHODE_HD explicit Equations(const double* p) : alpha(static_cast<Real<T>>(p[0])) {}

    POLHODE_HD const Vector& velocity(const Vector& p) const { return p; }
    POLHODE_HD T potential(const Vector& q) const {
      const T half(Real<T>(0.5)), third = alpha / T(Real<T>(3));
      T sum(Real<T>(0));
      unroll<n + 1>([&](int k) POLHODE_LAMBDA {
        const T d = stretch(q, k);
        sum = fma(d * d, fma(third, d, half), sum);
      });
      return sum;
    }
    POLHODE_HD Vector potential_gradient(const Vector& q) const {
      Vector gradient;
      T left = tension(q, 0);
      unroll<n>([&](int k) POLHODE_LAMBDA {
        const T right = tension(q, k + 1);
        gradient[k] = left - right;
        left = right;
      });
      return gradient;
    }

    /// E_k.
    template <int k>
    POLHODE_HD T mode_energy(const Vector& q, const Vector& p) const {
      const T frequency = T(Real<T>(2)) * sin(T(Real<T>(angle(k) / 2)));
      const T moving = sine_sum(p, k), displaced = frequency * sine_sum(q, k);
      return fma(moving, moving, displaced * displaced) / T(Real<T>(n + 1));
    }

    static constexpr auto derived = []<int... i>(std::integer_sequence<int, i...>) {
      return std::array{DerivedRow<Equations, T, n>{{modes.text[i], "1", "energy of the harmonic mode of that number"},
                                                    &Equations::template mode_energy<i + 1>}...};
    }(std::make_integer_sequence<int, n>{});

   private:
    /// d_k.
    POLHODE_HD static T stretch(const Vector& q, int k) { return k == 0 ? q[0] : k == n ? -q[n - 1] : q[k] - q[k - 1]; }
    POLHODE_HD T tension(const Vector& q, int k) const {
      const T d = stretch(q, k);
      return fma(alpha * d, d, d);
    }
    /// sum_i v_i sin(i x_k), by Clenshaw's recurrence.
    POLHODE_HD static T sine_sum(const Vector& v, int k) {
      const T x(Real<T>(angle(k))), twice_cosine = T(Real<T>(2)) * cos(x);
      T now(Real<T>(0)), before(Real<T>(0));
      for (int i = n - 1; i >= 0; --i) {
        const T next = fma(twice_cosine, now, v[i] - before);
        before = now;
        now = next;
      }
      return now * sin(x);
    }
  };

 private:
  /// x_k.
  POLHODE_HD static constexpr double angle(int k) { return 3.14159265358979323846 * k / (n + 1); }
};

template <int n>
using Fput = MechanicalSystem<FputPhysics<n>>;

}  // namespace polhode::inline POLHODE_ISA

POLHODE_SYSTEM(Fput<31>)

// Toda's lattice: n particles of mass 1 on a ring, with exponential springs between neighbours.
//
//   H = sum_k p_k^2 / 2 + e_k,   e_k = exp(q_k - q_(k+1)),   q_(n+1) = q_1
//
// M. Toda, J. Phys. Soc. Japan 22 (1967) 431. It is integrable: the symmetric matrix L with p_k on its diagonal and
// exp((q_k - q_(k+1)) / 2) beside it and in the two corners keeps its eigenvalues (H. Flaschka, Phys. Rev. B 9 (1974)
// 1924). Coefficients of its characteristic polynomial are the integrals of M. Henon, Phys. Rev. B 9 (1974) 1921,
//
//   det(x + L) = 2 (-1)^(n-1) + sum_m I_m x^(n-m)
//
// I_m is the sum of all products of m different p_k, and of those in which -e_k takes the place of neighbours
// p_k p_(k+1). I_1 is the momentum and I_2 = I_1^2 / 2 - H.
#pragma once

#include "chain.hpp"
#include "polhode/scalar/elementary.hpp"
#include "polhode/system/mechanical_system.hpp"
#include "polhode/system/publications.hpp"

namespace polhode::inline POLHODE_ISA {

template <int n>
struct TodaPhysics : ParticlesOnALine<n> {
  static_assert(n >= 3, "L of two particles has no corners");
  static constexpr NumberedNames<n> names{"toda-"}, integrals{"henon_"};
  static constexpr const char* name = names.text[n - 1];
  static constexpr const char* family = "toda";
  static constexpr const char* meaning = "particles on a ring with exponential springs (Toda's lattice)";
  static constexpr Publication vibration{"Toda1967", R"(@article{Toda1967,
  author  = {Toda, Morikazu},
  title   = {Vibration of a chain with nonlinear interaction},
  journal = {Journal of the Physical Society of Japan},
  volume  = {22},
  pages   = {431--436},
  year    = {1967},
  doi     = {10.1143/JPSJ.22.431}
})"};
  static constexpr Publication integrals_of_toda{"Henon1974", R"(@article{Henon1974,
  author  = {H{\'e}non, Michel},
  title   = {Integrals of the {Toda} lattice},
  journal = {Physical Review B},
  volume  = {9},
  pages   = {1921--1923},
  year    = {1974},
  doi     = {10.1103/PhysRevB.9.1921}
})"};
  static constexpr const Publication* sources[] = {&vibration, &integrals_of_toda};
  static constexpr int N = n, D = 0;

  static constexpr std::array<double, 0> example_parameters{};
  static constexpr double example_step = 0.05;
  /// Momenta of different sizes, whose sum is not 0.
  static void example_state(const double*, double* x) {
    for (int k = 0; k < n; ++k) {
      x[k] = 0.3 * (k % 2);
      x[n + k] = 1.0 / (k + 1) - 0.4;
    }
  }

  template <class T>
  struct Equations {
    using Vector = Vec<T, n>;

    POLHODE_HD explicit Equations(const double*) {}

    /// e.
    POLHODE_HD Vector springs(const Vector& q) const {
      Vector e;
      unroll<n>([&](int k) POLHODE_LAMBDA { e[k] = exp(q[k] - q[(k + 1) % n]); });
      return e;
    }

    POLHODE_HD const Vector& velocity(const Vector& p) const { return p; }
    POLHODE_HD T potential(const Vector& q) const {
      const Vector e = springs(q);
      T sum = e[0];
      unroll<n - 1>([&](int k) POLHODE_LAMBDA { sum = sum + e[k + 1]; });
      return sum;
    }
    POLHODE_HD Vector potential_gradient(const Vector& q) const {
      const Vector e = springs(q);
      Vector gradient;
      unroll<n>([&](int k) POLHODE_LAMBDA { gradient[k] = e[k] - e[(k + n - 1) % n]; });
      return gradient;
    }

    /// I_1.
    POLHODE_HD T momentum(const Vector&, const Vector& p) const {
      T sum = p[0];
      unroll<n - 1>([&](int k) POLHODE_LAMBDA { sum = sum + p[k + 1]; });
      return sum;
    }
    /// I_m, from those of the chains that result when the ring is cut before particle 1: with or without the spring
    /// that was cut.
    template <int m>
    POLHODE_HD T henon(const Vector& q, const Vector& p) const {
      const Vector e = springs(q);
      return fma(-e[n - 1], open_chain(1, n - 1, p, e)[m - 2], open_chain(0, n, p, e)[m]);
    }

    // The energy is an integral of any system, and I_2 follows from it.
    static constexpr auto conserved = []<int... i>(std::integer_sequence<int, i...>) {
      using Row = ConservedRow<Equations, T, n>;
      return std::array{
          Row{{"momentum", "1", "sum of the momenta; conserved to round-off"}, &Equations::momentum},
          Row{{integrals.text[i + 2], "1", "Henon's; a second-order method conserves it to O(h^2) off resonances"},
              &Equations::template henon<i + 3>}...};
    }(std::make_integer_sequence<int, n - 2>{});

   private:
    /// I_0 = 1, I_1, ... of the particles first to last - 1, whose chain is open; one particle after the other is
    /// added.
    POLHODE_HD static Vec<T, n + 1> open_chain(int first, int last, const Vector& p, const Vector& e) {
      Vec<T, n + 1> sums, before, next;
      for (int m = 0; m <= n; ++m) sums[m] = before[m] = T(Real<T>(m == 0 ? 1 : 0));
      for (int k = first; k < last; ++k) {
        next = sums;
        for (int m = 1; m <= n; ++m) {
          next[m] = fma(p[k], sums[m - 1], next[m]);
          if (m > 1 && k > first) next[m] = fma(-e[k - 1], before[m - 2], next[m]);
        }
        before = sums;
        sums = next;
      }
      return sums;
    }
  };
};

template <int n>
using Toda = MechanicalSystem<TodaPhysics<n>>;

}  // namespace polhode::inline POLHODE_ISA

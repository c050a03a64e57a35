// The free rigid body on SO(n) in body coordinates (McLachlan & Scovel 1995, sect. 6.1): Lie-Poisson on so(n)*.
//
//   state   m    angular momentum, antisymmetric: the elements above its diagonal, m12 m13 ... m(n-1)n
//   H       1/4 tr(I^-1(m) m^T),   (I a)_ij = (alpha_i + alpha_j) a_ij
//   flow    m' = [m, I^-1(m)]
//
// It has the integrals of Manakov (Funct. Anal. Appl. 10 (1976) 328): the coefficients of lambda^j in
//
//   tr (m + lambda J^2)^k,   J = diag(alpha),   k = 2, ..., n
//
// of which those with k - j even and positive are nontrivial; j = 0 gives the Casimirs. For n = 3, m12 = -Pi3, m13 =
// Pi2, m23 = -Pi1.
#pragma once

#include <array>

#include "polhode/math/triangle.hpp"
#include "polhode/system/rows.hpp"

namespace polhode::inline POLHODE_ISA {

inline constexpr const char* antisymmetric_names[5][6] = {{"", "m12", "m13", "m14", "m15", "m16"},
                                                          {"", "", "m23", "m24", "m25", "m26"},
                                                          {"", "", "", "m34", "m35", "m36"},
                                                          {"", "", "", "", "m45", "m46"},
                                                          {"", "", "", "", "", "m56"}};

/// Columns m12 m13 ... of a state, or of another antisymmetric matrix.
template <int n>
constexpr std::array<Quantity, above_size<n>> antisymmetric_columns() {
  static_assert(n <= 6);
  std::array<Quantity, above_size<n>> columns{};
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j)
      columns[above<n>(i, j)] = {antisymmetric_names[i][j], "mass length^2/time",
                                 "body angular momentum in the plane of these axes"};
  return columns;
}

/// Parameter and example that all free bodies on SO(n) share.
template <int n>
struct FreeBodyN {
  static constexpr Parameter parameters[1] = {
      {"alpha", "mass length^2", n, nullptr, Bound::finite,
       "diagonal of J; the moments alpha_i + alpha_j must be positive"},
  };
  /// The first three are those of MS Figure 1.
  static constexpr auto example_parameters = [] {
    constexpr double alpha[] = {0.44, 0.5, 1.0, 0.7, 0.6, 0.9};
    std::array<double, n> p{};
    for (int i = 0; i < n; ++i) p[i] = alpha[i];
    return p;
  }();
  static constexpr double example_step = 0.05;
  /// m_ij, i < j, of a body p[n] that rotates in all planes at rates up to 1.
  static double example_momentum(const double* p, int i, int j) {
    constexpr double rates[] = {0.6, -0.5, 0.4, 0.3, -0.6, 0.5, 0.35, -0.45};
    return (p[i] + p[j]) * rates[(3 * i + 2 * j) % 8];
  }
};

template <int n>
struct RigidBodyN : FreeBodyN<n> {
  static_assert(3 <= n && n <= 6);
  static constexpr const char* family = "rigid-body-n";
  static constexpr const char* name = n == 3   ? "rigid-body-3"
                                      : n == 4 ? "rigid-body-4"
                                      : n == 5 ? "rigid-body-5"
                                               : "rigid-body-6";
  static constexpr const char* meaning = "free rigid body on SO(n)";
  static constexpr const char* sources[] = {"McLachlanScovel1995"};
  static constexpr const char* equations[] = {
      "H = 1/4 tr(I^-1(m) m^T) = 1/2 sum_(i<j) m_ij^2/(alpha_i + alpha_j),  (I a)_ij = (alpha_i + alpha_j) a_ij",
      "m' = [m, I^-1(m)]",
  };
  static constexpr Kind kind = Kind::lie_poisson;
  static constexpr int size = n;
  static constexpr bool is_large = n > 3;       ///< a step is large: it has n^2 unknowns
  static constexpr bool spills_on_gpu = n > 5;  ///< it has more values than a GPU thread has registers
  static constexpr int dim = above_size<n>;
  static constexpr Block layout[1] = {{0, dim, Block::Form::momentum}};

  /// Indices of a Manakov integral.
  struct Manakov {
    int k, j;
  };
  static constexpr int n_invariants = 1 + n * n / 4;  ///< the energy, and k / 2 integrals for each k
  /// Indices of invariant i > 0, ordered by k, then by j.
  POLHODE_HD static constexpr Manakov manakov_of(int i) {
    int k = 2, first = 1;
    for (; i >= first + k / 2; ++k) first += k / 2;
    return {k, k % 2 + 2 * (i - first)};
  }
  static constexpr const char* manakov_names[7][5] = {{},
                                                      {},
                                                      {"manakov_2_0"},
                                                      {"", "manakov_3_1"},
                                                      {"manakov_4_0", "", "manakov_4_2"},
                                                      {"", "manakov_5_1", "", "manakov_5_3"},
                                                      {"manakov_6_0", "", "manakov_6_2", "", "manakov_6_4"}};

  /// Problem of p[n], or null. Host only.
  static const char* invalid_reason(const double* p) {
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j)
        if (!(p[i] + p[j] > 0)) return "a moment of inertia alpha_i + alpha_j is not positive";
    return nullptr;
  }
  static void example_state(const double* p, double* x) {
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j) x[above<n>(i, j)] = RigidBodyN::example_momentum(p, i, j);
  }
  /// Every m is valid.
  static const char* invalid_state_reason(const double* /*p*/, const double* /*x*/) { return nullptr; }

  template <class T>
  using State = Vec<T, dim>;

  /// m_ij.
  template <class T>
  POLHODE_HD static T element(const State<T>& x, int i, int j) {
    if (i == j) return T(Real<T>(0));
    return i < j ? x[above<n>(i, j)] : -x[above<n>(j, i)];
  }

  /// The equations for given parameters, in scalar type T.
  template <class T>
  struct Model {
    using Function = T (Model::*)(const State<T>& x) const;

    Vec<T, n> alpha;

    POLHODE_HD explicit Model(const double* p) {
      for (int i = 0; i < n; ++i) alpha[i] = T(static_cast<Real<T>>(p[i]));
    }

    POLHODE_HD T energy(const State<T>& x) const {
      T sum(Real<T>(0));
      for_above<n>([&](int i, int j) POLHODE_LAMBDA {
        const T m = x[above<n>(i, j)];
        sum = fma(m, m / (alpha[i] + alpha[j]), sum);
      });
      return T(Real<T>(0.5)) * sum;
    }

    // With K = J^2, the coefficient of lambda^j is the sum of the traces of all words of k - j letters m and j letters
    // K. Words that are cyclic permutations of each other have the same trace. With the symmetric s = m^2 and with t =
    // m^3 it is a sum over products of their elements.
    template <int k, int j>
    POLHODE_HD T coefficient(const State<T>& x) const {
      if constexpr (k - j == 2)
        return quadratic<k>(x);
      else if constexpr (k - j == 4)
        return quartic<k>(x);
      else
        return sextic(x);
    }

    static constexpr ObservableRow<Function> derived[1] = {
        {{"energy", "mass length^2/time^2", "H"}, &Model::energy, &Model::energy},
    };
    static constexpr auto invariants = []<int... i>(std::integer_sequence<int, i...>) {
      return std::array<InvariantRow<Function>, n_invariants>{{
          {{"energy", "mass length^2/time^2", "H; conserved to round-off"}, &Model::energy},
          {{manakov_names[manakov_of(i + 1).k][manakov_of(i + 1).j], "(mass length^2)^(k+j)/time^(k-j)",
            "manakov_k_j: coefficient of lambda^j in tr (m + lambda J^2)^k; conserved to round-off"},
           &Model::template coefficient<manakov_of(i + 1).k, manakov_of(i + 1).j>}...,
      }};
    }
    (std::make_integer_sequence<int, n_invariants - 1>{});

    POLHODE_OUTLINED T invariant(int i, const State<T>& x) const { return value_of<invariants>(i, *this, x); }
    POLHODE_HD T observe(int index, const State<T>& x) const {
      if (index == dim) return value_of<derived>(0, *this, x);
      T value = x[0];
      unroll<dim>([&](int i) POLHODE_LAMBDA {
        if (i == index) value = x[i];
      });
      return value;
    }
    /// Magnitude of the terms of an observable, to which its round-off is proportional.
    POLHODE_HD T magnitude(int index, const State<T>& x) const {
      return index == dim ? magnitude_of<derived>(0, *this, x) : sqrt(dot(x, x));
    }

   private:
    /// k/2 sum over a + b = k - 2 of tr(m K^a m K^b).
    template <int k>
    POLHODE_HD T quadratic(const State<T>& x) const {
      T sum(Real<T>(0));
      for_above<n>([&](int i, int j) POLHODE_LAMBDA {
        const T m = x[above<n>(i, j)];
        sum = fma(m * m, complete<k - 2>(i, j), sum);
      });
      return T(Real<T>(-k)) * sum;
    }
    /// tr m^4, 5 tr(m^4 K), or 6 tr(m^4 K^2) + 3 tr(m^2 K m^2 K) + 6 tr(m^3 K m K).
    template <int k>
    POLHODE_HD T quartic(const State<T>& x) const {
      const Vec<T, upper_size<n>> s = second_power(x);
      T sum(Real<T>(0)), mixed(Real<T>(0));
      for_upper<n>([&](int i, int j) POLHODE_LAMBDA {
        const T element = s[upper<n>(i, j)], half = element * element * complete<k - 4>(i, j);
        sum = sum + (i < j ? half + half : half);
      });
      if constexpr (k == 4) return sum;
      sum = T(Real<T>(0.5 * k)) * sum;
      if constexpr (k == 5) return sum;
      for_above<n>([&](int i, int j) POLHODE_LAMBDA {
        mixed = fma(third_power(s, x, i, j) * x[above<n>(i, j)], square(i) * square(j), mixed);
      });
      return fma(T(Real<T>(-12)), mixed, sum);
    }
    /// tr m^6.
    POLHODE_HD static T sextic(const State<T>& x) {
      const Vec<T, upper_size<n>> s = second_power(x);
      T sum(Real<T>(0));
      for_above<n>([&](int i, int j) POLHODE_LAMBDA {
        const T element = third_power(s, x, i, j);
        sum = fma(element, element, sum);
      });
      return T(Real<T>(-2)) * sum;
    }

    /// K_i.
    POLHODE_HD T square(int i) const { return alpha[i] * alpha[i]; }
    /// The sum of all K_i^a K_j^b with a + b = r.
    template <int r>
    POLHODE_HD T complete(int i, int j) const {
      T power(Real<T>(1)), sum(Real<T>(1));
      unroll<r>([&](int) POLHODE_LAMBDA {
        power = power * square(i);
        sum = fma(square(j), sum, power);
      });
      return sum;
    }
    /// m^2, and an element of m^3.
    POLHODE_HD static Vec<T, upper_size<n>> second_power(const State<T>& x) {
      Vec<T, upper_size<n>> s;
      for_upper<n>([&](int i, int j) POLHODE_LAMBDA {
        T sum(Real<T>(0));
        unroll<n>([&](int l) POLHODE_LAMBDA { sum = fma(element(x, i, l), element(x, l, j), sum); });
        s[upper<n>(i, j)] = sum;
      });
      return s;
    }
    POLHODE_HD static T third_power(const Vec<T, upper_size<n>>& s, const State<T>& x, int i, int j) {
      T sum(Real<T>(0));
      unroll<n>([&](int l) POLHODE_LAMBDA { sum = fma(s[upper<n>(i, l)], element(x, l, j), sum); });
      return sum;
    }
  };

  static constexpr std::array<Quantity, dim + 1> observables = [] {
    std::array<Quantity, dim + 1> all{};
    for (int i = 0; i < dim; ++i) all[i] = antisymmetric_columns<n>()[i];
    all[dim] = Model<double>::derived[0].quantity;
    return all;
  }();
  static constexpr std::array<Quantity, n_invariants> invariants = [] {
    std::array<Quantity, n_invariants> all{};
    for (int i = 0; i < n_invariants; ++i) all[i] = Model<double>::invariants[i].quantity;
    return all;
  }();
  static bool conserves(const double* p, const double* x, int i) { return holds(Model<double>::invariants[i], p, x); }
};

}  // namespace polhode::inline POLHODE_ISA

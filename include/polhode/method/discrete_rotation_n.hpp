// The discrete Moser-Veselov map of the free rigid body on SO(n) (McLachlan & Scovel 1995, sect. 6.1):
//
//     w^T J - J w = h m,   w in SO(n) near 1,   J = diag(alpha);   m <- w m w^T
//
// Order 2, symmetric, Poisson; it conserves every integral of the free body. RATTLE and the first-order constraint
// algorithms coincide with it (Theorem 6), because there are no kicks.
#pragma once

#include "polhode/math/lu.hpp"
#include "polhode/math/triangle.hpp"
#include "polhode/method/discrete_action.hpp"
#include "polhode/method/failures.hpp"
#include "polhode/method/kicks.hpp"
#include "polhode/method/map_options.hpp"
#include "polhode/method/nominal_sweeps.hpp"
#include "polhode/method/step_maps.hpp"

namespace polhode::inline POLHODE_ISA {

/// The paper's iteration on n x n matrices: w = 1 + a + s with a antisymmetric, O(h), and s symmetric, O(h^2),
///
///     a_ij <- (s_ij (alpha_j - alpha_i) - h m_ij) / (alpha_i + alpha_j)       (the paper prints alpha_i - alpha_i)
///     s    <- -1/2 (s + a)^T (s + a)
///
/// (McLachlan & Scovel 1995, sect. 6.2). Converges linearly with a factor O(h).
struct HadamardSolverN {
  static constexpr const char* name = "hadamard";
  static constexpr const char* meaning = "Hadamard-product iteration on matrices";

  template <int n, class T>
  struct Constants {
    Vec<T, n> alpha;
    T h;
    Vec<T, above_size<n>> inverse;  ///< 1 / (alpha_i + alpha_j)

    Constants() = default;
    POLHODE_HD Constants(const Vec<T, n>& alpha, const T& h) : alpha(alpha), h(h) {
      for_above<n>([&](int i, int j)
                       POLHODE_LAMBDA { inverse[above<n>(i, j)] = T(Real<T>(1)) / (alpha[i] + alpha[j]); });
    }
    template <class R>
    POLHODE_HD explicit Constants(const Constants<n, R>& of)
        : alpha(broadcast<T>(of.alpha)), h(T(of.h)), inverse(broadcast<T>(of.inverse)) {}
  };

  template <int n, class T>
  class Equation {
   public:
    using Antisymmetric = Vec<T, above_size<n>>;
    using Unknown = Vec<T, n * n>;  ///< a above the diagonal, then s on and above it

    POLHODE_HD explicit Equation(const Constants<n, T>& constants) : c_(constants) {}

    POLHODE_HD Unknown start() const {
      Unknown x;
      unroll<n * n>([&](int i) POLHODE_LAMBDA { x[i] = T(Real<T>(0)); });
      return x;
    }
    /// Precomputes nothing that would occupy registers beside m: a GPU has few of them for n = 5, 6.
    POLHODE_HD Unknown sweep(const Antisymmetric& m, Unknown x) const {
      for_above<n>([&](int i, int j) POLHODE_LAMBDA {
        const int k = above<n>(i, j);
        x[k] = c_.inverse[k] * fma(x[place(i, j)], c_.alpha[j] - c_.alpha[i], -(c_.h * m[k]));
      });
      const Mat<T, n, n> b = small_part(x);
      for_upper<n>([&](int i, int j) POLHODE_LAMBDA {
        T sum = b[0][i] * b[0][j];
        unroll<n>([&](int k) POLHODE_LAMBDA {
          if (k > 0) sum = fma(b[k][i], b[k][j], sum);
        });
        x[place(i, j)] = T(Real<T>(-0.5)) * sum;
      });
      return x;
    }

    /// w m w^T = m + c - c^T + c b^T with b = w - 1, c = b m: a small change, because w rounded near 1 would have the
    /// same rounding error in every step.
    POLHODE_HD Antisymmetric turned(const Unknown& x, Antisymmetric m) const {
      const Mat<T, n, n> b = small_part(x);
      Mat<T, n, n> c;
      unroll<n>([&](int i) POLHODE_LAMBDA {
        unroll<n>([&](int j) POLHODE_LAMBDA {
          T sum(Real<T>(0));
          unroll<n>([&](int k) POLHODE_LAMBDA {
            if (k < j) sum = fma(b[i][k], m[above<n>(k, j)], sum);
            if (k > j) sum = fma(-b[i][k], m[above<n>(j, k)], sum);
          });
          c[i][j] = sum;
        });
      });
      for_above<n>([&](int i, int j) POLHODE_LAMBDA {
        T change = c[i][j] - c[j][i];
        unroll<n>([&](int k) POLHODE_LAMBDA { change = fma(c[i][k], b[j][k], change); });
        m[above<n>(i, j)] = m[above<n>(i, j)] + change;
      });
      return m;
    }

    /// Action tr(J (1 - w)) / h of the step, with the turn w^T.
    POLHODE_HD BodyActionN<T, n> action(const Unknown& x, const T& h) const {
      const Mat<T, n, n> b = small_part(x);
      BodyActionN<T, n> of{T(Real<T>(0)), {}};
      unroll<n>([&](int i) POLHODE_LAMBDA {
        of.action = fma(-c_.alpha[i], b[i][i], of.action);
        unroll<n>([&](int j) POLHODE_LAMBDA { of.turn[i][j] = i == j ? T(Real<T>(1)) + b[i][i] : b[j][i]; });
      });
      of.action = of.action / h;
      return of;
    }

   private:
    /// Index of s_ij, i <= j.
    POLHODE_HD static constexpr int place(int i, int j) { return above_size<n> + upper<n>(i, j); }
    /// a + s.
    POLHODE_HD static Mat<T, n, n> small_part(const Unknown& x) {
      Mat<T, n, n> b;
      unroll<n>([&](int i) POLHODE_LAMBDA { b[i][i] = x[place(i, i)]; });
      for_above<n>([&](int i, int j) POLHODE_LAMBDA {
        const T a = x[above<n>(i, j)], s = x[place(i, j)];
        b[i][j] = s + a;
        b[j][i] = s - a;
      });
      return b;
    }

    const Constants<n, T>& c_;
  };
};

/// System: has size, the n above, and a Model<T> with alpha.
template <class System_, class Solver_>
struct DiscreteRotation {
  using System = System_;
  using Solver = Solver_;

  /// Scalar of the step itself: one function then serves the nominal step and partial ones.
  template <class T>
  using NominalScalar = T;

  /// Constants of a step h, which may differ from lane to lane.
  template <class T>
  struct Constants : Solver::template Constants<System::size, T> {
    using Base = typename Solver::template Constants<System::size, T>;
    using Base::Base;
    POLHODE_HD Constants(const typename System::template Model<T>& model, const NoOptions&, const Kicks&, const T& h)
        : Base(model.alpha, h) {}
  };

  /// The map of one step. The constants must outlive it.
  template <class T, class = T>
  class Step {
   public:
    POLHODE_HD Step(const typename System::template Model<T>&, const NoOptions&, const Kicks&,
                    const Constants<T>& constants, int sweeps)
        : equation_(constants), sweeps_(sweeps) {}

    /// Advances x to y, which may alias. Returns the lanes whose step is valid and finite; y is meaningless in the
    /// others. Lanes outside `active` cost no iteration and count as valid.
    POLHODE_OUTLINED Mask<T> operator()(const typename System::template State<T>& x,
                                        typename System::template State<T>& y, const Mask<T>& active) const {
      auto unknown = equation_.start();
      const Mask<T> converged = solve(x, active, unknown);
      y = equation_.turned(unknown, x);
      return converged;
    }

    /// Discrete action of the step from x to y (method/discrete_action.hpp).
    POLHODE_OUTLINED BodyActionN<T, System::size> action(const StepContext<System, T>& of,
                                                         const typename System::template State<T>& x,
                                                         const typename System::template State<T>&,
                                                         const Mask<T>& active) const {
      auto unknown = equation_.start();
      solve(x, active, unknown);
      return equation_.action(unknown, of.h);
    }

    /// Cause of an invalid step from x: the equation did not converge, which has no flag.
    POLHODE_HD Failures<T> failures(const typename System::template State<T>&) const { return {}; }

   private:
    /// Improves the rotation; returns the lanes in which it is found.
    template <class Unknown>
    POLHODE_HD Mask<T> solve(const typename System::template State<T>& x, const Mask<T>& active,
                             Unknown& unknown) const {
      return iterate<T>(unknown, sweeps_, active,
                        [&](const auto& last) POLHODE_LAMBDA { return equation_.sweep(x, last); });
    }

    typename Solver::template Equation<System::size, T> equation_;
    int sweeps_;
  };

  /// Number K of unconditional sweeps for parameters p and step h: those that System::example_state needs. Host only.
  template <class R>
  static int nominal_sweeps(const double* p, const NoOptions&, const Kicks&, double h) {
    const typename System::template Model<R> model(p);
    const Constants<R> constants(model, {}, {}, static_cast<R>(h));
    const typename Solver::template Equation<System::size, R> equation(constants);
    const auto m = typical_state<System, R>(p);
    return sweeps_to_settle(equation.start(), max_nominal_sweeps,
                            [&](const auto& last) { return equation.sweep(m, last); });
  }

 private:
  /// Bound on K: beyond it, branch-free sweeps for lanes that have converged cost more than the branch.
  static constexpr int max_nominal_sweeps = 30;
};

/// Catalog entry: the step maps on a system.
struct DiscreteRotationMap {
  template <class System>
  using StepMapsOn = StepMaps<DiscreteRotation<System, HadamardSolverN>>;
};

}  // namespace polhode::inline POLHODE_ISA

// Methods to compare the constrained ones with: a constrained system with the multipliers substituted, as the ordinary
// differential equations
//
//     q' = W p,   p' = -V_q - G^T lambda,   G W G^T lambda = D^2 g(W p, W p) - G W V_q
//
// whose exact flow preserves g = 0 and G W p = 0 (McLachlan & Scovel 1995, sect. 6.3 and Figure 2: the implicit
// midpoint rule on these equations; they are not canonical, and the constraints drift):
//
//     implicit midpoint   y1 = y + h f((y + y1) / 2)      order 2, symmetric
//     rk4                 the classical Runge-Kutta method, order 4
//     rk4, projected      each step followed by the projection onto g = 0 along W G^T and onto G W p = 0
#pragma once

#include "polhode/method/coefficients.hpp"
#include "polhode/method/failures.hpp"
#include "polhode/method/multiplier_solvers.hpp"
#include "polhode/method/nominal_sweeps.hpp"
#include "polhode/method/variants.hpp"

namespace polhode::inline POLHODE_ISA {

struct SubstitutionSolver {
  static constexpr const char* name = "substitution";
  static constexpr const char* meaning = "multipliers substituted into the equations; fixed point where implicit";
};

template <class System_>
struct SubstitutedMultipliers {
  using System = System_;
  using Solver = SubstitutionSolver;
  static constexpr int N = System::N, D = System::D;

  /// Scalar of the step itself: one function then serves the nominal step and partial ones.
  template <class T>
  using NominalScalar = T;

  /// Constants of a step h, which may differ from lane to lane.
  template <class T>
  struct Constants {
    TimeStep<T> step;
    T half, sixth;  ///< h / 2 and h / 6

    Constants() = default;
    POLHODE_HD Constants(const typename System::template Model<T>&, const Coefficients&, const T& h)
        : step(h), half(T(Real<T>(0.5)) * h), sixth(h / T(Real<T>(6))) {}
    template <class R>
    POLHODE_HD explicit Constants(const Constants<R>& of) : step(of.step), half(T(of.half)), sixth(T(of.sixth)) {}
  };

  /// The map of one step. The model and the constants must outlive it.
  template <class T, class = T>
  class Step {
    using State = typename System::template State<T>;
    using Projection = NewtonSecantSolver::Equation<System, T>;

   public:
    POLHODE_HD Step(const typename System::template Model<T>& model, const Coefficients& coefficients,
                    const Constants<T>& constants, int sweeps)
        : model_(model), rule_(coefficients.rule), c_(constants), sweeps_(sweeps) {}

    /// Advances x to y, which may alias. Returns the lanes whose step is valid and finite; y is meaningless in the
    /// others. Lanes outside `active` cost no iteration and count as valid.
    POLHODE_OUTLINED Mask<T> operator()(const State& x, State& y, const Mask<T>& active) const {
      Mask<T> valid(true);
      if (rule_ == Rule::implicit_midpoint) {
        State middle = start(x);
        valid = iterate<T>(middle, sweeps_, active, [&](const State& last) POLHODE_LAMBDA { return sweep(x, last); });
        y = fma(c_.step.h, rate(middle), x);
      } else {
        y = runge_kutta(x);
        if (rule_ == Rule::rk4_projected) valid = project(y, active);
      }
      return valid & (is_finite(dot(y, y)) | !active);
    }

    /// Causes of an invalid step from x.
    POLHODE_OUTLINED Failures<T> failures(const State& x) const {
      const State y = runge_kutta(x);
      const Mask<T> singular = model_.is_singular(System::position(x));  // y is NaN there, too
      return {!(is_finite(dot(y, y)) | singular), singular};
    }

    /// First iterate of the midpoint rule, and the iterate after y.
    POLHODE_HD State start(const State& x) const { return sweep(x, x); }
    POLHODE_HD State sweep(const State& x, const State& y) const { return fma(c_.half, rate(y), x); }

   private:
    /// (q', p').
    POLHODE_HD State rate(const State& x) const {
      const Vec<T, N> q = System::position(x), v = model_.velocity(System::momentum(x));
      const Vec<T, N> force = model_.potential_gradient(q);
      const Vec<T, D> load = model_.curvature(q, v) - model_.push(q, model_.velocity(force));
      const Vec<T, D> multipliers = LU<T, D>(model_.schur(q, q)).solve(load);
      const T minus_one(Real<T>(-1));
      return System::state(v, minus_one * (force + model_.pull(q, multipliers)));
    }

    POLHODE_HD State runge_kutta(const State& x) const {
      const T two(Real<T>(2));
      State k = rate(x), sum = k;
      for (int stage = 0; stage < 2; ++stage) {
        k = rate(fma(c_.half, k, x));
        sum = fma(two, k, sum);
      }
      return fma(c_.sixth, sum + rate(fma(c_.step.h, k, x)), x);
    }

    POLHODE_HD Mask<T> project(State& x, const Mask<T>& active) const {
      Vec<T, N> rest;
      unroll<N>([&](int i) POLHODE_LAMBDA { rest[i] = T(Real<T>(0)); });
      const Projection equation(model_, System::position(x), rest, c_.step);
      auto unknown = equation.start();
      const Mask<T> converged = iterate<T>(
          unknown, sweeps_, active, [equation](const auto& last) POLHODE_LAMBDA { return equation.sweep(last); });
      x = System::state(unknown.q, model_.to_hidden_constraint(unknown.q, System::momentum(x)));
      return converged & (is_negligible(model_.displacement(unknown.q, unknown.q), unknown.q) | !active);
    }

    const typename System::template Model<T>& model_;
    Rule rule_;
    const Constants<T>& c_;
    int sweeps_;
  };

  /// Number K of unconditional sweeps for parameters p and step h: those that System::example_state needs. Host only.
  template <class R>
  static int nominal_sweeps(const double* p, const Coefficients& coefficients, double h) {
    if (coefficients.rule != Rule::implicit_midpoint) return projection_sweeps;
    const typename System::template Model<R> model(p);
    const Constants<R> constants(model, coefficients, static_cast<R>(h));
    const Step<R> step(model, coefficients, constants, 0);
    const auto x = typical_state<System, R>(p);
    return sweeps_to_settle(step.start(x), max_nominal_sweeps, [&](const auto& last) { return step.sweep(x, last); });
  }

 private:
  static constexpr int projection_sweeps = 2;  ///< a step of order 4 ends close to the constraints
  /// Bound on K: beyond it, branch-free sweeps for lanes that have converged cost more than the branch.
  static constexpr int max_nominal_sweeps = 20;
};

/// Catalog entry: the variants of the step map on a system.
struct SubstitutedMultipliersMap {
  template <class System>
  using VariantsOn = Variants<SubstitutedMultipliers<System>>;
};

}  // namespace polhode::inline POLHODE_ISA

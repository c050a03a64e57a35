// Runge-Kutta methods on the equations of motion as ordinary differential equations, y' = f(y), y = (q, p):
//
//     heun                k1 = f(y), k2 = f(y + h k1),   y1 = y + h/2 (k1 + k2)                         order 2
//     explicit midpoint   y1 = y + h f(y + h/2 f(y))                                                    order 2
//     rk4                 the classical method                                                          order 4
//     implicit midpoint   y1 = y + h f((y + y1)/2), solved for the midpoint by fixed-point iteration    order 2
//
// (Hairer, Lubich & Wanner 2006, sect. II.1). The midpoint rule is symmetric, keeps quadratic integrals, and is
// symplectic where the equations are canonical, as without constraints (Pierce 1994, eqs. (2)-(4): its generating
// function is Poincare's to first order). On constrained systems the multipliers are substituted
// (method/substituted_multipliers.hpp).
#pragma once

#include <cstdint>

#include "polhode/method/discrete_action.hpp"
#include "polhode/method/failures.hpp"
#include "polhode/method/kicks.hpp"
#include "polhode/method/map_options.hpp"
#include "polhode/method/nominal_sweeps.hpp"
#include "polhode/method/step_maps.hpp"

namespace polhode::inline POLHODE_ISA {

/// Scheme of a Runge-Kutta method.
enum class RungeKuttaScheme : std::uint8_t { heun, explicit_midpoint, implicit_midpoint, rk4 };

struct RungeKuttaOptions {
  RungeKuttaScheme scheme = RungeKuttaScheme::rk4;
  bool projects = false;  ///< each step onto the constraints (method/substituted_multipliers.hpp)
};

/// Constants of a step h, which may differ from lane to lane.
template <class T>
struct RungeKuttaConstants {
  T h, half, sixth;  ///< h, h / 2 and h / 6

  RungeKuttaConstants() = default;
  POLHODE_HD explicit RungeKuttaConstants(const T& h) : h(h), half(T(Real<T>(0.5)) * h), sixth(h / T(Real<T>(6))) {}
  template <class R>
  POLHODE_HD explicit RungeKuttaConstants(const RungeKuttaConstants<R>& of)
      : h(T(of.h)), half(T(of.half)), sixth(T(of.sixth)) {}
};

/// The rules on a system's equations of motion. The model and the constants must outlive it.
template <class System, class T>
class RungeKuttaRule {
  using Model = typename System::template Model<T>;
  using State = typename System::template State<T>;

 public:
  POLHODE_HD RungeKuttaRule(const Model& model, RungeKuttaScheme scheme, const RungeKuttaConstants<T>& constants)
      : model_(model), scheme_(scheme), c_(constants) {}

  /// Advances x to y, which may alias; returns the lanes in which an iteration has converged.
  POLHODE_HD Mask<T> advance(const State& x, State& y, int sweeps, const Mask<T>& active) const {
    if (scheme_ != RungeKuttaScheme::implicit_midpoint) {
      y = explicit_step(x);
      return Mask<T>(true);
    }
    State middle = start(x);
    const Mask<T> valid = solve_midpoint(x, sweeps, active, middle);
    y = fma(c_.h, model_.flow(middle), x);
    return valid;
  }

  /// Improves the midpoint; returns the lanes in which it is found.
  POLHODE_HD Mask<T> solve_midpoint(const State& x, int sweeps, const Mask<T>& active, State& middle) const {
    return iterate<T>(middle, sweeps, active, [&](const State& last) POLHODE_LAMBDA { return sweep(x, last); });
  }

  /// Explicit step; rk4 in place of schemes that are not explicit. Every stage starts from the one before it alone.
  POLHODE_HD State explicit_step(const State& x) const {
    const bool has_two_stages = scheme_ == RungeKuttaScheme::heun || scheme_ == RungeKuttaScheme::explicit_midpoint;
    const int last = has_two_stages ? 1 : 3;
    const T one(Real<T>(1)), two(Real<T>(2));
    State k = model_.flow(x), sum = scheme_ == RungeKuttaScheme::explicit_midpoint ? T(Real<T>(0)) * k : k;
    for (int stage = 1; stage <= last; ++stage) {
      const bool is_whole = stage == last && scheme_ != RungeKuttaScheme::explicit_midpoint;
      k = model_.flow(fma(is_whole ? c_.h : c_.half, k, x));
      sum = fma(stage == last ? one : two, k, sum);
    }
    return fma(scheme_ == RungeKuttaScheme::heun                ? c_.half
               : scheme_ == RungeKuttaScheme::explicit_midpoint ? c_.h
                                                                : c_.sixth,
               sum, x);
  }

  /// First iterate of the midpoint, and the iterate after y.
  POLHODE_HD State start(const State& x) const { return sweep(x, x); }
  POLHODE_HD State sweep(const State& x, const State& y) const { return fma(c_.half, model_.flow(y), x); }

 private:
  const Model& model_;
  RungeKuttaScheme scheme_;
  const RungeKuttaConstants<T>& c_;
};

/// Number K of unconditional sweeps for parameters p and step h: those that System::example_state needs. Host only.
template <class System, class R>
int nominal_sweeps_of_midpoint(const double* p, double h) {
  /// Bound on K: beyond it, branch-free sweeps for lanes that have converged cost more than the branch.
  constexpr int most = 20;
  const typename System::template Model<R> model(p);
  const RungeKuttaConstants<R> constants(static_cast<R>(h));
  const RungeKuttaRule<System, R> rule(model, RungeKuttaScheme::implicit_midpoint, constants);
  const auto x = typical_state<System, R>(p);
  return sweeps_to_settle(rule.start(x), most, [&](const auto& last) { return rule.sweep(x, last); });
}

struct RungeKuttaSolver {
  static constexpr const char* name = "stages";
  static constexpr const char* meaning = "stages in turn, or a fixed-point iteration for the midpoint";
};

/// System: one whose Model has flow(x).
template <class System_>
struct RungeKutta {
  using System = System_;
  using Solver = RungeKuttaSolver;
  using Options = RungeKuttaOptions;

  /// Scalar of the step itself: one function then serves the nominal step and partial ones.
  template <class T>
  using NominalScalar = T;

  template <class T>
  struct Constants : RungeKuttaConstants<T> {
    Constants() = default;
    POLHODE_HD Constants(const typename System::template Model<T>&, const Options&, const Kicks&, const T& h)
        : RungeKuttaConstants<T>(h) {}
    template <class R>
    POLHODE_HD explicit Constants(const Constants<R>& of) : RungeKuttaConstants<T>(of) {}
  };

  /// The map of one step. The model and the constants must outlive it.
  template <class T, class = T>
  class Step {
    using State = typename System::template State<T>;

   public:
    POLHODE_HD Step(const typename System::template Model<T>& model, const Options& options, const Kicks&,
                    const Constants<T>& constants, int sweeps)
        : rule_(model, options.scheme, constants), sweeps_(sweeps) {}

    /// Advances x to y, which may alias. Returns the lanes whose step is valid and finite; y is meaningless in the
    /// others. Lanes outside `active` cost no iteration and count as valid.
    POLHODE_OUTLINED Mask<T> operator()(const State& x, State& y, const Mask<T>& active) const {
      const Mask<T> valid = rule_.advance(x, y, sweeps_, active);
      return (valid & is_finite(dot(y, y))) | !active;
    }

    /// Discrete action of the implicit midpoint rule from x to y (method/discrete_action.hpp).
    POLHODE_OUTLINED StepAction<T> action(const StepContext<System, T>& of, const State& x, const State&,
                                          const Mask<T>& active) const requires(System::kind == Kind::canonical) {
      State middle = rule_.start(x);
      rule_.solve_midpoint(x, sweeps_, active, middle);
      return {of.h * lagrangian<System, T>(of.model, System::position(middle), System::momentum(middle))};
    }

    /// Causes of an invalid step from x.
    POLHODE_OUTLINED Failures<T> failures(const State& x) const {
      const State y = rule_.explicit_step(x);
      return {.not_finite = !is_finite(dot(y, y))};
    }

   private:
    RungeKuttaRule<System, T> rule_;
    int sweeps_;
  };

  /// Number of unconditional sweeps; one where nothing is iterated. Host only.
  template <class R>
  static int nominal_sweeps(const double* p, const Options& options, const Kicks&, double h) {
    return options.scheme == RungeKuttaScheme::implicit_midpoint ? nominal_sweeps_of_midpoint<System, R>(p, h) : 1;
  }
};

/// Catalog entry: the step maps on a system.
struct RungeKuttaMap {
  template <class System>
  using StepMapsOn = StepMaps<RungeKutta<System>>;

  static constexpr bool has_action(const RungeKuttaOptions& options) {
    return options.scheme == RungeKuttaScheme::implicit_midpoint;
  }
};

}  // namespace polhode::inline POLHODE_ISA

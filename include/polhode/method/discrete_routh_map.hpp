// The discrete Routh equations as a step map of a system that is reduced by an angle (system/routh_reduced.hpp). With a
// discrete Lagrangian L_d (method/discrete_lagrangian.hpp) and the momentum mu of the angle,
//
//   mu = D3 L_d(x0, x1, turn),   p0 = -D1 L_d(x0, x1, turn),   p1 = D2 L_d(x0, x1, turn),   theta1 = theta0 + turn
//
// for p = s + mu A(x): the discrete Legendre transforms of R_d(x0, x1) = L_d - mu turn. Along a trajectory, D2 R_d(x0,
// x1) + D1 R_d(x1, x2) = 0, in which the terms mu A of the paper's equations have cancelled (Jalnapurkar, Leok, Marsden
// & West 2006, sect. 2). Order 2 and symmetric as both discrete Lagrangians are; preserves dx ^ ds - beta.
//
// The first two equations are solved for x1 and turn by Newton's iteration with the metric at x0 in place of the second
// derivatives of L_d: a sweep contracts by a factor O(h).
#pragma once

#include "polhode/method/discrete_action.hpp"
#include "polhode/method/discrete_lagrangian.hpp"
#include "polhode/method/failures.hpp"
#include "polhode/method/kicks.hpp"
#include "polhode/method/map_options.hpp"
#include "polhode/method/nominal_sweeps.hpp"
#include "polhode/method/step_length.hpp"
#include "polhode/method/step_maps.hpp"

namespace polhode::inline POLHODE_ISA {

struct DiscreteRouthOptions {
  DiscreteAction action = DiscreteAction::midpoint;
};

struct DiscreteRouthSolver {
  static constexpr const char* name = "metric";
  static constexpr const char* meaning = "simplified Newton iteration, with the metric at the start for the Jacobian";
};

/// The equations of a step from x.
template <class System, class T>
class DiscreteRouthEquations {
  static constexpr int N = System::N;
  using Model = typename System::template Model<T>;
  using State = typename System::template State<T>;
  using Shape = Vec<T, N>;

 public:
  using Unknown = Vec<T, N + 1>;  ///< x1, turn

  POLHODE_HD DiscreteRouthEquations(const Model& model, DiscreteAction kind, const T& h, const State& x)
      : DiscreteRouthEquations(model, kind, h, System::position(x), System::momentum(x),
                               model.metric(System::position(x))) {}

  /// Start of the iteration: the point on the tangent at x.
  POLHODE_HD Unknown start() const {
    return moved(joined(start_, T(Real<T>(0))), inverse_.solve(reduced_), mu_ / inertia_);
  }
  POLHODE_HD Unknown sweep(const Unknown& x) const {
    const auto slopes = lagrangian_.slopes(start_, shape(x), x[N]);
    const T lacking = mu_ - slopes.by_turn;
    return moved(x, inverse_.solve(momentum_ + slopes.by_start - lacking * connection_), lacking / inertia_);
  }
  /// p1.
  POLHODE_HD Shape momentum(const Unknown& x) const {
    return momentum_ + lagrangian_.shift_slope(start_, shape(x), x[N]);
  }

  /// R_d = L_d - mu turn.
  POLHODE_HD T action(const Unknown& x) const { return fma(-mu_, x[N], lagrangian_.value(start_, shape(x), x[N])); }

  POLHODE_HD static Shape shape(const Unknown& x) {
    Shape part;
    unroll<N>([&](int i) POLHODE_LAMBDA { part[i] = x[i]; });
    return part;
  }

 private:
  POLHODE_HD DiscreteRouthEquations(const Model& model, DiscreteAction kind, const T& h, const Shape& q, const Shape& s,
                                    const CyclicMetric<T, N>& metric)
      : lagrangian_(model, kind, h),
        h_(h),
        mu_(model.mu()),
        start_(q),
        reduced_(s),
        momentum_(fma(model.mu(), metric.connection, s)),
        connection_(metric.connection),
        inertia_(metric.inertia),
        inverse_(metric.horizontal) {}

  /// x moved for a time h with a horizontal velocity and a vertical rate, theta' + A.x'.
  POLHODE_HD Unknown moved(const Unknown& x, const Shape& velocity, const T& vertical) const {
    return fma(h_, joined(velocity, vertical - dot(connection_, velocity)), x);
  }
  POLHODE_HD static Unknown joined(const Shape& x, const T& last) {
    Unknown all;
    unroll<N>([&](int i) POLHODE_LAMBDA { all[i] = x[i]; });
    all[N] = last;
    return all;
  }

  DiscreteLagrangian<System, T> lagrangian_;
  T h_, mu_;
  Shape start_, reduced_, momentum_, connection_;
  T inertia_;
  LU<T, N> inverse_;
};

template <class System_>
struct DiscreteRouth {
  using System = System_;
  using Solver = DiscreteRouthSolver;
  using Options = DiscreteRouthOptions;
  static constexpr int N = System::N;
  static constexpr bool is_large = true;  ///< derivatives along N + 1 directions

  /// Scalar of the step itself: one function then serves the nominal step and partial ones.
  template <class T>
  using NominalScalar = T;

  template <class T>
  using Constants = StepLength<T>;

  /// The map of one step. The model and the constants must outlive it.
  template <class T, class = T>
  class Step {
    using State = typename System::template State<T>;
    using Equations = DiscreteRouthEquations<System, T>;

   public:
    POLHODE_HD Step(const typename System::template Model<T>& model, const Options& options, const Kicks&,
                    const Constants<T>& constants, int sweeps)
        : model_(model), kind_(options.action), c_(constants), sweeps_(sweeps) {}

    /// Advances x to y, which may alias. Returns the lanes whose step is valid and finite; y is meaningless in the
    /// others. Lanes outside `active` cost no iteration and count as valid.
    POLHODE_OUTLINED Mask<T> operator()(const State& x, State& y, const Mask<T>& active) const {
      const Equations equations(model_, kind_, c_.h, x);
      auto end = equations.start();
      const Mask<T> valid = iterate<T>(end, sweeps_, active,
                                       [equations](const auto& last) POLHODE_LAMBDA { return equations.sweep(last); });
      const Vec<T, N> q = Equations::shape(end);
      y = System::state(q, model_.reduced_momentum(q, equations.momentum(end)), System::angle_of(x) + end[N]);
      return (valid & is_finite(dot(y, y))) | !active;
    }

    /// Discrete action of the step from x to y (method/discrete_action.hpp).
    POLHODE_OUTLINED StepAction<T> action(const StepContext<System, T>&, const State& x, const State&,
                                          const Mask<T>& active) const {
      const Equations equations(model_, kind_, c_.h, x);
      auto end = equations.start();
      iterate<T>(end, sweeps_, active, [equations](const auto& last) POLHODE_LAMBDA { return equations.sweep(last); });
      return {equations.action(end)};
    }

    /// Causes of an invalid step from x.
    POLHODE_OUTLINED Failures<T> failures(const State& x) const {
      const auto moved = Equations(model_, kind_, c_.h, x).start();
      return {.not_finite = !is_finite(dot(moved, moved))};
    }

   private:
    const typename System::template Model<T>& model_;
    DiscreteAction kind_;
    const Constants<T>& c_;
    int sweeps_;
  };

  /// Number K of unconditional sweeps for parameters p and step h: those that System::example_state needs. Host only.
  template <class R>
  static int nominal_sweeps(const double* p, const Options& options, const Kicks&, double h) {
    const typename System::template Model<R> model(p);
    const DiscreteRouthEquations<System, R> equations(model, options.action, static_cast<R>(h),
                                                      typical_state<System, R>(p));
    return sweeps_to_settle(equations.start(), max_nominal_sweeps,
                            [&](const auto& last) { return equations.sweep(last); });
  }

 private:
  /// Bound on K: beyond it, branch-free sweeps for lanes that have converged cost more than the branch.
  static constexpr int max_nominal_sweeps = 20;
};

/// Catalog entry: the step map on a reduced system.
struct DiscreteRouthMap {
  template <class System>
  using StepMapsOn = StepMaps<DiscreteRouth<System>>;

  /// Whether there is a map with these options on a system.
  template <class System>
  static constexpr bool has_on(const DiscreteRouthOptions& options) {
    return options.action != DiscreteAction::own || DiscreteLagrangian<System, double>::has_own;
  }
};

}  // namespace polhode::inline POLHODE_ISA

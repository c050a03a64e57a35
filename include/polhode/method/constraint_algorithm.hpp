// The step maps of a constrained Hamiltonian system with any H (system/hamiltonian_system.hpp):
//
//     p' = p - a h H_q(q, p') - G(q)^T s
//     Q  = q + h (a H_p(q, p') + b H_p(Q, p')),   g(Q) = 0
//     P  = p' - b h H_q(Q, p') - G(Q)^T mu,       G(Q) H_p(Q, P) = 0
//
// a = 1 is the first-order constraint algorithm (McLachlan & Scovel 1995, eqs. (2), (3)), b = 1 its adjoint, eq. (10);
// a = b = 1/2 is the Lobatto IIIA-IIIB method with two stages, which is RATTLE where H is separable (Hairer 2003, eqs.
// (2.6)-(2.9)). All are symplectic. Where H_pp is constant and H_pq = 0 they are the maps of constrained_motion.hpp.
#pragma once

#include "polhode/method/discrete_action.hpp"
#include "polhode/method/failures.hpp"
#include "polhode/method/kicks.hpp"
#include "polhode/method/map_options.hpp"
#include "polhode/method/multiplier_solvers.hpp"
#include "polhode/method/nominal_sweeps.hpp"
#include "polhode/method/step_maps.hpp"
#include "polhode/system/hamiltonian_system.hpp"

namespace polhode::inline POLHODE_ISA {

/// Constants of a step h, which may differ from lane to lane.
template <class T>
struct StepParts {
  TimeStep<T> step;
  T before, after;  ///< a h and b h

  StepParts() = default;
  POLHODE_HD StepParts(const Kicks& kicks, const T& h)
      : step(h), before(T(static_cast<Real<T>>(kicks.before)) * h), after(T(static_cast<Real<T>>(kicks.after)) * h) {}
  template <class R>
  POLHODE_HD explicit StepParts(const StepParts<R>& of) : step(of.step), before(T(of.before)), after(T(of.after)) {}
};

/// Iteration for the first two lines: q and p by substitution into their own equations, s by Newton's method with the
/// matrix G(r) H_pp G(q)^T of the first iterate r. Converges with a factor that falls with h, which another matrix
/// would not improve.
template <class System, class T>
class PositionEquation {
 public:
  static constexpr int N = System::N, D = System::D;
  using Model = typename System::template Model<T>;

  struct Unknown {
    Vec<T, N> q, p;
    Vec<T, D> s;

    /// Convergence is judged by the position: s has no scale of its own, and p follows from s.
    friend POLHODE_HD Mask<T> has_settled(const Unknown& x, const Unknown& next) { return has_settled(x.q, next.q); }
    friend POLHODE_HD T squared_change(const Unknown& x, const Unknown& next) { return squared_change(x.q, next.q); }
    friend POLHODE_HD Mask<T> diverges(const Unknown& x, const Unknown& next, const T& before) {
      return diverges(x.q, next.q, before);
    }
    friend POLHODE_HD Unknown select(const Mask<T>& m, const Unknown& a, const Unknown& b) {
      return {select(m, a.q, b.q), select(m, a.p, b.p), select(m, a.s, b.s)};
    }
  };

  POLHODE_HD PositionEquation(const Model& model, const Kicks& kicks, const StepParts<T>& parts, const Vec<T, N>& q,
                              const Vec<T, N>& p)
      : model_(model),
        q_(q),
        p_(p),
        parts_(parts),
        is_before_(kicks.before != 0),
        is_after_(kicks.after != 0),
        start_(free_step()),
        matrix_(model.schur(start_.q, q, q, start_.p)) {}

  POLHODE_HD Unknown start() const { return start_; }
  POLHODE_HD Unknown sweep(const Unknown& x) const {
    Unknown next{q_, p_, x.s + matrix_.solve(parts_.step.inverse * model_.constraints(x.q))};
    next.p = kicked(x.p, next.s);
    if (is_before_) next.q = fma(parts_.before, model_.velocity(q_, next.p), next.q);
    if (is_after_) next.q = fma(parts_.after, model_.velocity(x.q, next.p), next.q);
    return next;
  }

 private:
  POLHODE_HD Unknown free_step() const {
    Unknown x{q_, p_, {}};
    unroll<D>([&](int i) POLHODE_LAMBDA { x.s[i] = T(Real<T>(0)); });
    x.p = kicked(p_, x.s);
    x.q = fma(parts_.step.h, model_.velocity(q_, x.p), q_);
    return x;
  }
  /// p - a h H_q(q, last) - G(q)^T s.
  POLHODE_HD Vec<T, N> kicked(const Vec<T, N>& last, const Vec<T, D>& s) const {
    const Vec<T, N> p = model_.pull(q_, -s, p_);
    return is_before_ ? fma(-parts_.before, model_.position_gradient(q_, last), p) : p;
  }

  const Model& model_;
  Vec<T, N> q_, p_;
  StepParts<T> parts_;  // by value: see iterate()
  bool is_before_, is_after_;
  Unknown start_;
  LU<T, D> matrix_;
};
template <class T, class Unknown>
requires requires(Unknown x) { x.s; }
POLHODE_HD void copy_tangents(const Mask<T>& wanted, const Unknown& next, Unknown& x) {
  copy_tangents<T>(wanted, next.q, x.q);
  copy_tangents<T>(wanted, next.p, x.p);
  copy_tangents<T>(wanted, next.s, x.s);
}

/// Iteration for the P that satisfies its condition, from the momentum without multipliers, with one factorisation.
/// Where H is quadratic in the momentum the first sweep is exact; otherwise it converges linearly.
/// Convergence is judged by the position to which a step with this momentum would lead, because that has a scale.
template <class System, class T>
class MomentumEquation {
 public:
  static constexpr int N = System::N, D = System::D;
  using Model = typename System::template Model<T>;
  using Unknown = ConstrainedPosition<T, N, N>;

  POLHODE_HD MomentumEquation(const Model& model, const Vec<T, N>& q, const Vec<T, N>& p, const T& h)
      : model_(model), q_(q), h_(h), start_(at(p)), matrix_(model.schur(q, q, q, p)) {}

  POLHODE_HD Unknown start() const { return start_; }
  POLHODE_HD Unknown sweep(const Unknown& x) const {
    const Vec<T, D> rate = model_.push(q_, model_.velocity(q_, x.variable));
    return at(model_.pull(q_, -matrix_.solve(rate), x.variable));
  }

 private:
  POLHODE_HD Unknown at(const Vec<T, N>& p) const { return {fma(h_, model_.velocity(q_, p), q_), p}; }

  const Model& model_;
  Vec<T, N> q_;
  T h_;
  Unknown start_;
  LU<T, D> matrix_;
};

/// Displaces p by constraint forces so that it satisfies its condition at q; returns the lanes in which it does.
template <class System, class T>
POLHODE_HD Mask<T> project_momentum(const typename System::template Model<T>& model, const Vec<T, System::N>& q,
                                    const T& h, Vec<T, System::N>& p, const Mask<T>& active) {
  constexpr int sweeps = 2;  // the second confirms that the first was exact
  const MomentumEquation<System, T> equation(model, q, p, h);
  auto projected = equation.start();
  const Mask<T> valid = iterate<T>(projected, sweeps, active,
                                   [equation](const auto& last) POLHODE_LAMBDA { return equation.sweep(last); });
  p = projected.variable;
  return valid;
}

template <class System_>
struct ConstraintAlgorithm {
  using System = System_;
  using Solver = NewtonSecantSolver;
  static constexpr int N = System::N, D = System::D;

  /// Scalar of the step itself: one function then serves the nominal step and partial ones.
  template <class T>
  using NominalScalar = T;

  template <class T>
  struct Constants : StepParts<T> {
    using StepParts<T>::StepParts;
    POLHODE_HD Constants(const typename System::template Model<T>&, const NoOptions&, const Kicks& kicks, const T& h)
        : StepParts<T>(kicks, h) {}
  };

  /// The map of one step. All that it is given must outlive it.
  template <class T, class = T>
  class Step {
    using State = typename System::template State<T>;

   public:
    POLHODE_HD Step(const typename System::template Model<T>& model, const NoOptions&, const Kicks& kicks,
                    const Constants<T>& constants, int sweeps)
        : model_(model), kicks_(kicks), c_(constants), sweeps_(sweeps) {}

    /// Advances x to y, which may alias. Returns the lanes whose step is valid and finite; y is meaningless in the
    /// others. Lanes outside `active` cost no iteration and count as valid.
    POLHODE_OUTLINED Mask<T> operator()(const State& x, State& y, const Mask<T>& active) const {
      Mask<T> valid;
      const auto moved = find_motion(x, active, valid);
      const Vec<T, N>& q = moved.q;
      Vec<T, N> p = moved.p;
      if (kicks_.after != 0) p = fma(-c_.after, model_.position_gradient(q, moved.p), p);
      valid = valid & project_momentum<System, T>(model_, q, c_.step.h, p, active);
      y = System::state(q, p);

      const Vec<T, N> displacement = model_.pull(q, LU<T, D>(model_.gram(q)).solve(model_.constraints(q)));
      const Mask<T> finite = is_finite(dot(p, p));
      return valid & ((is_negligible(displacement, q) & finite) | !active);
    }

    /// Discrete action of the step from x to y (method/discrete_action.hpp).
    POLHODE_OUTLINED StepAction<T> action(const StepContext<System, T>& of, const State& x, const State&,
                                          const Mask<T>& active) const {
      Mask<T> valid;
      const auto moved = find_motion(x, active, valid);
      T action(Real<T>(0));
      if (kicks_.before != 0)
        action = fma(of.before(), lagrangian<System, T>(model_, System::position(x), moved.p), action);
      if (kicks_.after != 0) action = fma(of.after(), lagrangian<System, T>(model_, moved.q, moved.p), action);
      return {action};
    }

    /// Causes of an invalid step from x.
    POLHODE_OUTLINED Failures<T> failures(const State& x) const {
      const PositionEquation<System, T> equation(model_, kicks_, c_, System::position(x), System::momentum(x));
      const Vec<T, N> moved = equation.start().q;
      const Mask<T> singular = model_.is_singular(System::position(x));  // velocities may be infinite there, too
      return {!(is_finite(dot(moved, moved)) | singular), singular};
    }

   private:
    /// Position and momentum of the first two lines; valid: the lanes in which they are found.
    POLHODE_HD typename PositionEquation<System, T>::Unknown find_motion(const State& x, const Mask<T>& active,
                                                                         Mask<T>& valid) const {
      const PositionEquation<System, T> equation(model_, kicks_, c_, System::position(x), System::momentum(x));
      auto moved = equation.start();
      valid = iterate<T>(moved, sweeps_, active,
                         [equation](const auto& last) POLHODE_LAMBDA { return equation.sweep(last); });
      return equation.sweep(moved);  // the momentum converges one sweep later: its error is larger by 1 / h
    }

    const typename System::template Model<T>& model_;
    const Kicks& kicks_;
    const Constants<T>& c_;
    int sweeps_;
  };

  /// Number K of unconditional sweeps for parameters p and step h: those that System::example_state needs. Host only.
  template <class R>
  static int nominal_sweeps(const double* p, const NoOptions&, const Kicks& kicks, double h) {
    const typename System::template Model<R> model(p);
    const auto x = typical_state<System, R>(p);
    const StepParts<R> parts(kicks, static_cast<R>(h));
    const PositionEquation<System, R> equation(model, kicks, parts, System::position(x), System::momentum(x));
    return sweeps_to_settle(equation.start(), max_nominal_sweeps,
                            [&](const auto& last) { return equation.sweep(last); });
  }

 private:
  /// Bound on K: beyond it, branch-free sweeps for lanes that have converged cost more than the branch.
  static constexpr int max_nominal_sweeps = 12;
};

/// Catalog entry: the step maps on a system.
struct ConstraintAlgorithmMap {
  template <class System>
  using StepMapsOn = StepMaps<ConstraintAlgorithm<System>>;
};

}  // namespace polhode::inline POLHODE_ISA

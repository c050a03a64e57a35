// The step maps of a constrained mechanical system (system/constrained_system.hpp) that are made of kicks by the
// potential and one constrained motion:
//
//     p1 = p - a h V_q(q)
//     Q = q + h W pi,   pi = p1 - G(q)^T lambda,   g(Q) = 0      constrained motion (multiplier_solvers.hpp)
//     p2 = pi - b h V_q(Q)
//     P  = p2 - G(Q)^T mu  with  G(Q) W P = 0 (CM)  or  G(Q) P = 0 (TN),  or p2 itself
//
// a = b = 1/2 is RATTLE, a = 1 the first-order constraint algorithm, a = 0 its adjoint (McLachlan & Scovel 1995, eqs.
// (2), (3), (9)-(11); Hairer 2003, eq. (5.2); Pierce 1994, eqs. (15), (16)). All are symplectic on T*N.
#pragma once

#include "polhode/method/discrete_action.hpp"
#include "polhode/method/failures.hpp"
#include "polhode/method/kicks.hpp"
#include "polhode/method/map_options.hpp"
#include "polhode/method/multiplier_solvers.hpp"
#include "polhode/method/nominal_sweeps.hpp"
#include "polhode/method/step_maps.hpp"
#include "polhode/system/description.hpp"

namespace polhode::inline POLHODE_ISA {

struct ConstrainedMotionOptions {
  Momentum momentum = Momentum::hidden_constraint;
};

template <class System_, class Solver_>
struct ConstrainedMotion {
  using System = System_;
  using Solver = Solver_;
  using Options = ConstrainedMotionOptions;
  static constexpr int N = System::N, D = System::D;

  /// Scalar of the step itself: one function then serves the nominal step and partial ones.
  template <class T>
  using NominalScalar = T;

  /// Constants of a step h, which may differ from lane to lane.
  template <class T>
  struct Constants {
    TimeStep<T> step;
    T before, after;  ///< a h and b h, for the kicks

    Constants() = default;
    POLHODE_HD Constants(const typename System::template Model<T>&, const Options&, const Kicks& kicks, const T& h)
        : step(h), before(T(static_cast<Real<T>>(kicks.before)) * h), after(T(static_cast<Real<T>>(kicks.after)) * h) {}
    template <class R>
    POLHODE_HD explicit Constants(const Constants<R>& of) : step(of.step), before(T(of.before)), after(T(of.after)) {}
  };

  /// The map of one step. All that it is given must outlive it.
  template <class T, class = T>
  class Step {
    using State = typename System::template State<T>;
    using Equation = typename Solver::template Equation<System, T>;
    static constexpr bool must_check = !Solver::settles_on_constraints;

   public:
    POLHODE_HD Step(const typename System::template Model<T>& model, const Options& options, const Kicks& kicks,
                    const Constants<T>& constants, int sweeps)
        : model_(model), options_(options), kicks_(kicks), c_(constants), sweeps_(sweeps) {}

    /// Advances x to y, which may alias. Returns the lanes whose step is valid and finite; y is meaningless in the
    /// others. Lanes outside `active` cost no iteration and count as valid.
    POLHODE_OUTLINED Mask<T> operator()(const State& x, State& y, const Mask<T>& active) const {
      Vec<T, N> q = System::position(x);
      Vec<T, N> start = System::momentum(x);
      // The projection changes the multipliers alone. From p on TN itself, which may be far from the hidden constraint,
      // the iteration would start too far from the constraints for chains of four or more pendula.
      if (options_.momentum == Momentum::tangent) start = model_.to_hidden_constraint(q, start);
      Equation equation(model_, q, kicked(q, start, kicks_.before, c_.before), c_.step);
      auto unknown = equation.start();
      const Mask<T> converged = iterate<T>(unknown, sweeps_, active, sweep_of(equation));
      const Vec<T, N>& q1 = unknown.q;
      Vec<T, N> p = kicked(q1, equation.momentum(unknown), kicks_.after, c_.after);

      Mask<T> valid = converged;
      // Checks the displacement that would bring q1 onto the constraints.
      const auto check = [&](const Vec<T, N>& displacement)
                             POLHODE_LAMBDA { valid = valid & is_negligible(displacement, q1); };
      if (options_.momentum == Momentum::hidden_constraint) {
        LU<T, D> matrix(model_.schur(q1, q1));
        if constexpr (must_check) check(model_.velocity(model_.pull(q1, matrix.solve(model_.constraints(q1)))));
        p = model_.to_hidden_constraint(q1, p, matrix);
      } else if (must_check || options_.momentum == Momentum::tangent) {
        LU<T, D> matrix(model_.gram(q1));
        if constexpr (must_check) check(model_.pull(q1, matrix.solve(model_.constraints(q1))));
        if (options_.momentum == Momentum::tangent) p = model_.to_tangent(q1, p, matrix);
      }
      y = System::state(q1, p);
      return (valid & is_finite(dot(p, p))) | !active;
    }

    /// Discrete action of the step from x to y (method/discrete_action.hpp).
    POLHODE_HD StepAction<T> action(const StepContext<System, T>& of, const State& x, const State& y,
                                    const Mask<T>&) const {
      return action_of_motion(of, x, y);
    }

    /// Causes of an invalid step from x.
    POLHODE_OUTLINED Failures<T> failures(const State& x) const {
      const Vec<T, N> q = System::position(x), p = kicked(q, System::momentum(x), kicks_.before, c_.before);
      const Vec<T, N> moved = fma(c_.step.h, model_.velocity(p), q);
      return {!is_finite(dot(moved, moved)), model_.is_singular(q)};
    }

   private:
    /// Sweep for iterate(). If the equation is in memory anyway, it stays there and the sweep is outlined.
    POLHODE_HD static auto sweep_of(const Equation& equation) {
      if constexpr (N > 9) {
        return outlined_if<true>([&equation](const auto& last) POLHODE_LAMBDA { return equation.sweep(last); });
      } else {
        return [equation](const auto& last) POLHODE_LAMBDA { return equation.sweep(last); };
      }
    }
    /// p - s V_q(q), s = fraction h.
    POLHODE_HD Vec<T, N> kicked(const Vec<T, N>& q, const Vec<T, N>& p, double fraction, const T& s) const {
      if (fraction == 0) return p;
      return model_.kick(q, -s, p);
    }

    const typename System::template Model<T>& model_;
    const Options& options_;
    const Kicks& kicks_;
    const Constants<T>& c_;
    int sweeps_;
  };

  /// Number K of unconditional sweeps for parameters p and step h: those that System::example_state needs. Host only.
  template <class R>
  static int nominal_sweeps(const double* p, const Options&, const Kicks& kicks, double h) {
    const typename System::template Model<R> model(p);
    const auto x = typical_state<System, R>(p);
    const Vec<R, N> q = System::position(x);
    const R kick = static_cast<R>(kicks.before * h);
    const typename Solver::template Equation<System, R> equation(model, q, model.kick(q, -kick, System::momentum(x)),
                                                                 TimeStep<R>(static_cast<R>(h)));
    return sweeps_to_settle(equation.start(), max_nominal_sweeps,
                            [&](const auto& last) { return equation.sweep(last); });
  }

 private:
  /// Bound on K: beyond it, branch-free sweeps for lanes that have converged cost more than the branch.
  static constexpr int max_nominal_sweeps = 12;
};

/// Catalog entry: the step maps on a system, the default solver first.
struct ConstrainedMotionMap {
  template <class System>
  using StepMapsOn = StepMaps<ConstrainedMotion<System, NewtonSolver>, ConstrainedMotion<System, NewtonSecantSolver>,
                              ConstrainedMotion<System, PsiFormSolver>>;

  /// Set to which the momenta of a method belong.
  static constexpr Momentum momentum(const ConstrainedMotionOptions& options) { return options.momentum; }
};

}  // namespace polhode::inline POLHODE_ISA

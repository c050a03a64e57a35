// The step map of a Runge-Kutta method whose stages are solved for together, by fixed-point iteration: the implicit
// methods of collocation (method/collocation.hpp, method/partitioned_collocation.hpp).
//
// The first iterate of a stage is on the tangent at the start of the step. A sweep contracts by a factor O(h).
#pragma once

#include "polhode/method/butcher_table.hpp"
#include "polhode/method/collocation_options.hpp"
#include "polhode/method/discrete_action.hpp"
#include "polhode/method/failures.hpp"
#include "polhode/method/gauss_tables.hpp"
#include "polhode/method/kicks.hpp"
#include "polhode/method/map_options.hpp"
#include "polhode/method/nominal_sweeps.hpp"
#include "polhode/method/stages.hpp"
#include "polhode/method/step_length.hpp"

namespace polhode::inline POLHODE_ISA {

/// Whether steps of a method of that order are as long as those of splittings of order 6, in which a section may be
/// crossed twice.
constexpr bool has_long_collocation_steps(int order) { return order >= 6; }

/// The largest number of stages of any method.
inline constexpr int max_collocation_stages = max_gauss_stages;

struct CollocationSolver {
  static constexpr const char* name = "fixed-point";
  static constexpr const char* meaning = "fixed-point iteration for all stages at once";
};

/// StageEquations<System, T, C>(model, table, h, x): the equations for the stages of a step from x, with coefficients
/// of scalar C, which has
///
///   start(), sweep(stages)   Stages: the first iterate, and the one after
///   end(stages)              the state at the end of the step
///   action(stages)           where there is one, its discrete action (method/discrete_action.hpp)
///   table<R>(options)        ButcherTable<R, max_collocation_stages> of a method, static; host only
template <class System_, template <class, class, class> class StageEquations>
struct Collocation {
  using System = System_;
  using Solver = CollocationSolver;
  using Options = CollocationOptions;
  static constexpr bool is_large = true;        ///< it holds all stages
  static constexpr bool has_long_steps = true;  ///< Properties::long_steps of a method

  /// Scalar of the step itself: one function then serves the nominal step and partial ones.
  template <class T>
  using NominalScalar = T;

  template <class T>
  struct Common {
    ButcherTable<T, max_collocation_stages> table;

    Common() = default;
    /// Host only.
    Common(const typename System::template Model<T>&, const Options& options)
        : table(StageEquations<System, T, T>::template table<T>(options)) {}
  };

  template <class T>
  using Constants = StepLength<T>;

  /// The map of one step. The model, what is common and the constants must outlive it.
  template <class T, class S = T, class C = S>
  class Step {
    using State = typename System::template State<T>;
    using Equations = StageEquations<System, T, C>;

   public:
    POLHODE_HD Step(const typename System::template Model<T>& model, const Options&, const Kicks&,
                    const Common<C>& common, const Constants<S>& constants, int sweeps)
        : model_(model), common_(common), c_(constants), sweeps_(sweeps) {}

    /// Advances x to y, which may alias. Returns the lanes whose step is valid and finite; y is meaningless in the
    /// others. Lanes outside `active` cost no iteration and count as valid.
    POLHODE_OUTLINED Mask<T> operator()(const State& x, State& y, const Mask<T>& active) const {
      const Equations equations(model_, common_.table, T(c_.h), x);
      auto stages = equations.start();
      const Mask<T> valid = iterate<T>(stages, sweeps_, active,
                                       [equations](const auto& last) POLHODE_LAMBDA { return equations.sweep(last); });
      y = equations.end(stages);
      return (valid & is_finite(dot(y, y))) | !active;
    }

    /// Discrete action of the step from x to y.
    POLHODE_OUTLINED StepAction<T> action(const StepContext<System, T>&, const State& x, const State&,
                                          const Mask<T>& active) const requires
        requires(const Equations& equations, const typename Equations::Values& stages) {
      equations.action(stages);
    }
    {
      const Equations equations(model_, common_.table, T(c_.h), x);
      auto stages = equations.start();
      iterate<T>(stages, sweeps_, active,
                 [equations](const auto& last) POLHODE_LAMBDA { return equations.sweep(last); });
      return {equations.action(stages)};
    }

    /// Causes of an invalid step from x.
    POLHODE_OUTLINED Failures<T> failures(const State& x) const {
      const auto stages = Equations(model_, common_.table, T(c_.h), x).start();
      const auto& last = stages.of[stages.count - 1];
      const Mask<T> finite = is_finite(dot(last, last));
      if constexpr (requires { model_.is_singular(System::position(x)); }) {
        const Mask<T> singular = model_.is_singular(System::position(x));  // the tangent is NaN there, too
        return {.not_finite = !(finite | singular), .singular = singular};
      }
      return {.not_finite = !finite};
    }

   private:
    const typename System::template Model<T>& model_;
    const Common<C>& common_;
    const Constants<S>& c_;
    int sweeps_;
  };

  /// Number K of unconditional sweeps for parameters p and step h: those that System::example_state needs. Host only.
  template <class R>
  static int nominal_sweeps(const double* p, const Options& options, const Kicks&, double h) {
    const typename System::template Model<R> model(p);
    const Common<R> common(model, options);
    const StageEquations<System, R, R> equations(model, common.table, static_cast<R>(h), typical_state<System, R>(p));
    return sweeps_to_settle(equations.start(), max_nominal_sweeps,
                            [&](const auto& last) { return equations.sweep(last); });
  }

 private:
  /// Bound on K: beyond it, branch-free sweeps for lanes that have converged cost more than the branch.
  static constexpr int max_nominal_sweeps = 20;
};

}  // namespace polhode::inline POLHODE_ISA

// Explicit Runge-Kutta methods, each made of its table at compile time (method/explicit_stages.hpp), on constrained
// systems with the multipliers substituted (method/substituted_multipliers.hpp): the
// constraints drift, or each step is projected onto them (method/constraint_projection.hpp).
#pragma once

#include "polhode/method/constraint_projection.hpp"
#include "polhode/method/discrete_action.hpp"
#include "polhode/method/explicit_stages.hpp"
#include "polhode/method/explicit_tables.hpp"
#include "polhode/method/failures.hpp"
#include "polhode/method/kicks.hpp"
#include "polhode/method/map_options.hpp"
#include "polhode/method/step_maps.hpp"
#include "polhode/method/substitution_solver.hpp"

namespace polhode::inline POLHODE_ISA {

struct SubstitutedRungeKuttaOptions {
  bool projects = false;  ///< each step onto the constraints
};

/// Table: a type whose `value` is an ExplicitTable.
template <class System_, class Table>
struct SubstitutedRungeKutta {
  using System = System_;
  using Solver = SubstitutionSolver;
  using Options = SubstitutedRungeKuttaOptions;
  static constexpr bool has_long_steps = may_have_long_explicit_steps(Table::value);

  /// Scalar of the step itself: one function then serves the nominal step and partial ones.
  template <class T>
  using NominalScalar = T;

  /// Constants of a step h, which may differ from lane to lane.
  template <class T>
  struct Constants {
    T h;
    TimeStep<T> step;  ///< of the projection

    Constants() = default;
    POLHODE_HD Constants(const typename System::template Model<T>&, const Options&, const Kicks&, const T& h)
        : h(h), step(h) {}
    template <class R>
    POLHODE_HD explicit Constants(const Constants<R>& of) : h(T(of.h)), step(of.step) {}
  };

  /// The map of one step. The model and the constants must outlive it.
  template <class T, class = T>
  class Step {
    using State = typename System::template State<T>;
    using Model = typename System::template Model<T>;

   public:
    POLHODE_HD Step(const Model& model, const Options& options, const Kicks&, const Constants<T>& constants, int sweeps)
        : model_(model), stages_(model, constants.h), projects_(options.projects), c_(constants), sweeps_(sweeps) {}

    /// Advances x to y, which may alias. Returns the lanes whose step is valid and finite; y is meaningless in the
    /// others. Lanes outside `active` cost no iteration and count as valid.
    POLHODE_OUTLINED Mask<T> operator()(const State& x, State& y, const Mask<T>& active) const {
      Mask<T> valid(true);
      y = stages_.end(x);
      if (projects_) valid = project_onto_constraints<System, T>(model_, c_.step, sweeps_, y, active);
      return valid & (is_finite(dot(y, y)) | !active);
    }

    /// Sum over the stages in place of a discrete action (method/discrete_action.hpp).
    POLHODE_OUTLINED StepAction<T> action(const StepContext<System, T>& of, const State& x, const State&,
                                          const Mask<T>&) const {
      return action_of_stages(stages_, of, x);
    }

    /// Causes of an invalid step from x.
    POLHODE_OUTLINED Failures<T> failures(const State& x) const {
      const State y = stages_.end(x);
      const Mask<T> singular = model_.is_singular(System::position(x));  // y is NaN there, too
      return {!(is_finite(dot(y, y)) | singular), singular};
    }

   private:
    const Model& model_;
    ExplicitStages<Table, T, Model, State> stages_;
    bool projects_;
    const Constants<T>& c_;
    int sweeps_;
  };

  /// Number of unconditional sweeps: those of the projection. Host only.
  template <class R>
  static int nominal_sweeps(const double*, const Options& options, const Kicks&, double) {
    return options.projects ? projection_sweeps : 1;
  }
};

/// Catalog entry: the step maps on a system with the default table; With<Table>: those with another one.
struct SubstitutedRungeKuttaMap {
  template <class Table>
  struct With {
    template <class System>
    using StepMapsOn = StepMaps<SubstitutedRungeKutta<System, Table>>;
  };
  template <class System>
  using StepMapsOn = StepMaps<SubstitutedRungeKutta<System, DefaultTable>>;
};

}  // namespace polhode::inline POLHODE_ISA

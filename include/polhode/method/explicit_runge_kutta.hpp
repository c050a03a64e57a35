// Explicit Runge-Kutta methods on a system's equations of motion, x' = f(x), each made of its table at compile time
// (method/explicit_stages.hpp; Hairer, Norsett & Wanner 1993, sect. II.1). The order is that of the table
// (method/explicit_tables.hpp); neither symmetric nor symplectic. On constrained systems the multipliers are
// substituted (method/substituted_runge_kutta.hpp).
#pragma once

#include "polhode/method/discrete_action.hpp"
#include "polhode/method/explicit_stages.hpp"
#include "polhode/method/explicit_tables.hpp"
#include "polhode/method/failures.hpp"
#include "polhode/method/kicks.hpp"
#include "polhode/method/map_options.hpp"
#include "polhode/method/step_length.hpp"
#include "polhode/method/step_maps.hpp"

namespace polhode::inline POLHODE_ISA {

struct StagesInTurn {
  static constexpr const char* name = "stages";
  static constexpr const char* meaning = "stages in turn";
};

/// System: one whose Model has flow(x); Table: a type whose `value` is an ExplicitTable.
template <class System_, class Table>
struct ExplicitRungeKutta {
  using System = System_;
  using Solver = StagesInTurn;
  using Options = NoOptions;
  static constexpr bool has_long_steps = may_have_long_explicit_steps(Table::value);

  /// Scalar of the step itself: one function then serves the nominal step and partial ones.
  template <class T>
  using NominalScalar = T;

  template <class T>
  using Constants = StepLength<T>;

  /// The map of one step. The model and the constants must outlive it.
  template <class T, class = T>
  class Step {
    using State = typename System::template State<T>;
    using Model = typename System::template Model<T>;

   public:
    POLHODE_HD Step(const Model& model, const Options&, const Kicks&, const Constants<T>& constants, int)
        : stages_(model, constants.h) {}

    /// Advances x to y, which may alias. Returns the lanes whose step is valid and finite; y is meaningless in the
    /// others. Lanes outside `active` count as valid.
    POLHODE_OUTLINED Mask<T> operator()(const State& x, State& y, const Mask<T>& active) const {
      y = stages_.end(x);
      return is_finite(dot(y, y)) | !active;
    }

    /// Sum over the stages in place of a discrete action (method/discrete_action.hpp).
    POLHODE_OUTLINED StepAction<T> action(const StepContext<System, T>& of, const State& x, const State&,
                                          const Mask<T>&) const requires(System::kind == Kind::canonical) {
      return action_of_stages(stages_, of, x);
    }

    /// Causes of an invalid step from x.
    POLHODE_OUTLINED Failures<T> failures(const State& x) const {
      State y;
      return {.not_finite = !(*this)(x, y, Mask<T>(true))};
    }

   private:
    ExplicitStages<Table, T, Model, State> stages_;
  };

  /// Number of unconditional sweeps: nothing is iterated. Host only.
  template <class R>
  static int nominal_sweeps(const double*, const Options&, const Kicks&, double) {
    return 1;
  }
};

/// Catalog entry: the step maps on a system with the default table; With<Table>: those with another one.
struct ExplicitRungeKuttaMap {
  template <class Table>
  struct With {
    template <class System>
    using StepMapsOn = StepMaps<ExplicitRungeKutta<System, Table>>;
  };
  template <class System>
  using StepMapsOn = StepMaps<ExplicitRungeKutta<System, DefaultTable>>;
};

}  // namespace polhode::inline POLHODE_ISA

// Variational integrators made of any explicit Runge-Kutta method, on constrained systems (Patrick, Cuell, Spiteri &
// Zhang 2009): from (q, p) to the end of the curve segment that begins there (method/variational_equation.hpp).
// Symplectic on T*Q and of the order of the table; with alpha- = -1/2 symmetric, and of the next even order.
#pragma once

#include "polhode/method/discrete_action.hpp"
#include "polhode/method/explicit_tables.hpp"
#include "polhode/method/failures.hpp"
#include "polhode/method/kicks.hpp"
#include "polhode/method/map_options.hpp"
#include "polhode/method/multiplier_solvers.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/method/step_maps.hpp"
#include "polhode/method/variational_equation.hpp"

namespace polhode::inline POLHODE_ISA {

struct BroydenSolver {
  static constexpr const char* name = "broyden";
  static constexpr const char* meaning = "Broyden's iteration for the curve segment, multipliers substituted";
};

struct VariationalOptions {
  double bias = 0;  ///< alpha-
};

/// Table: a type whose `value` is an ExplicitTable.
template <class System_, class Table>
struct Variational {
  using System = System_;
  using Solver = BroydenSolver;
  using Options = VariationalOptions;
  static constexpr bool is_large = true;  ///< derivatives along all directions of TQ
  static constexpr int registers = 1;     ///< that advance together, for the same reason
  static constexpr bool has_long_steps = may_have_long_explicit_steps(Table::value);

  /// Scalar of the step itself: one function then serves the nominal step and partial ones.
  template <class T>
  using NominalScalar = T;

  /// Constants of a step h, which may differ from lane to lane.
  template <class T>
  struct Constants : SegmentTimes<T> {
    Constants() = default;
    POLHODE_HD Constants(const typename System::template Model<T>&, const Options& options, const Kicks&, const T& h)
        : SegmentTimes<T>(h, static_cast<Real<T>>(options.bias)) {}
    template <class R>
    POLHODE_HD explicit Constants(const Constants<R>& of) : SegmentTimes<T>(of) {}
  };

  /// The map of one step. All that it is given must outlive it.
  template <class T, class = T>
  class Step {
    using State = typename System::template State<T>;

   public:
    POLHODE_HD Step(const typename System::template Model<T>& model, const Options& options, const Kicks&,
                    const Constants<T>& constants, int sweeps)
        : model_(model), is_centred_at_start_(options.bias == 0), times_(constants), sweeps_(sweeps) {}

    /// Advances x to y, which may alias. Returns the lanes whose step is valid and finite; y is meaningless in the
    /// others. Lanes outside `active` cost no iteration and count as valid.
    POLHODE_OUTLINED Mask<T> operator()(const State& x, State& y, const Mask<T>& active) const {
      const VariationalEquation<System, Table, T> equation(model_, times_, is_centred_at_start_, System::position(x),
                                                           System::momentum(x));
      auto unknown = equation.start();
      const Mask<T> converged = iterate<T>(
          unknown, sweeps_, active, [&equation](const auto& last) POLHODE_LAMBDA { return equation.sweep(last); });
      const auto is_on_constraints = [this](const auto& at)
                                         POLHODE_LAMBDA { return is_negligible(model_.displacement(at, at), at); };
      const auto q = equation.end_position(unknown);
      Mask<T> on_constraints = is_on_constraints(q);
      if (!is_centred_at_start_)
        on_constraints = on_constraints & is_on_constraints(unknown.q) & is_on_constraints(unknown.ends.minus);
      const auto p = model_.to_hidden_constraint(q, equation.end_momentum(unknown));
      y = System::state(q, p);
      return (converged & on_constraints & is_finite(dot(y, y))) | !active;
    }

    /// Discrete action of the step from x to y (method/discrete_action.hpp): that of its segment.
    POLHODE_OUTLINED StepAction<T> action(const StepContext<System, T>&, const State& x, const State&,
                                          const Mask<T>& active) const {
      const VariationalEquation<System, Table, T> equation(model_, times_, is_centred_at_start_, System::position(x),
                                                           System::momentum(x));
      auto unknown = equation.start();
      iterate<T>(unknown, sweeps_, active,
                 [&equation](const auto& last) POLHODE_LAMBDA { return equation.sweep(last); });
      return {equation.action(unknown)};
    }

    /// Causes of an invalid step from x.
    POLHODE_OUTLINED Failures<T> failures(const State& x) const {
      const auto q = System::position(x);
      const VariationalEquation<System, Table, T> equation(model_, times_, is_centred_at_start_, q,
                                                           System::momentum(x));
      const Mask<T> singular = model_.is_singular(q);  // the segment is NaN there, too
      return {!(is_finite(equation.start().error) | singular), singular};
    }

   private:
    const typename System::template Model<T>& model_;
    bool is_centred_at_start_;
    const SegmentTimes<T>& times_;
    int sweeps_;
  };

  /// Number of unconditional sweeps: fewer are enough for the shortest steps only. Host only.
  template <class R>
  static int nominal_sweeps(const double*, const Options&, const Kicks&, double) {
    return 2;
  }
};

/// Catalog entry: the step maps on a system with the default table; With<Table>: those with another one.
struct VariationalMap {
  static constexpr bool stages_in_memory = true;  ///< also on a GPU
  static constexpr bool leaves_inlining = true;   ///< as fast, and compiled in a fifth of the time

  template <class Table>
  struct With {
    template <class System>
    using StepMapsOn = StepMaps<Variational<System, Table>>;
  };
  template <class System>
  using StepMapsOn = StepMaps<Variational<System, DefaultTable>>;

  template <class System>
  static constexpr Properties properties_on(Properties properties, const VariationalOptions& options) {
    properties.symmetric = options.bias == -0.5;
    return properties;
  }
};

}  // namespace polhode::inline POLHODE_ISA

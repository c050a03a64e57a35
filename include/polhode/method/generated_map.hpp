// The step map of a generating function (method/generating_functions.hpp): the implicit equation is solved by
// fixed-point iteration for the new position, or for the midpoint of Poincare's function.
#pragma once

#include <cstdint>

#include "polhode/method/discrete_action.hpp"
#include "polhode/method/failures.hpp"
#include "polhode/method/generating_functions.hpp"
#include "polhode/method/kicks.hpp"
#include "polhode/method/map_options.hpp"
#include "polhode/method/nominal_sweeps.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/method/step_length.hpp"
#include "polhode/method/step_maps.hpp"

namespace polhode::inline POLHODE_ISA {

/// Kind of a generating function, as the option of the method lists them.
enum class GeneratingKind : std::uint8_t { first, second, poincare };

struct GeneratingFunctionOptions {
  GeneratingKind kind = GeneratingKind::second;
  int order = 2;
};

struct GeneratingFunctionSolver {
  static constexpr const char* name = "fixed-point";
  static constexpr const char* meaning = "fixed-point iteration for the new position, or the midpoint";
};

template <class System_>
struct GeneratedMap {
  using System = System_;
  using Solver = GeneratingFunctionSolver;
  using Options = GeneratingFunctionOptions;
  static constexpr int N = System::N;
  static constexpr bool is_large = true;  ///< derivatives up to the fourth

  /// Scalar of the step itself: one function then serves the nominal step and partial ones.
  template <class T>
  using NominalScalar = T;

  template <class T>
  using Constants = StepLength<T>;

  /// The map of one step. The model and the constants must outlive it.
  template <class T, class = T>
  class Step {
    using State = typename System::template State<T>;
    using Position = Vec<T, N>;

   public:
    POLHODE_HD Step(const typename System::template Model<T>& model, const Options& options, const Kicks&,
                    const Constants<T>& constants, int sweeps)
        : model_(model),
          kind_(options.kind),
          functions_(model, options.order, constants.h),
          h_(constants.h),
          sweeps_(sweeps) {}

    /// Advances x to y, which may alias. Returns the lanes whose step is valid and finite; y is meaningless in the
    /// others. Lanes outside `active` cost no iteration and count as valid.
    POLHODE_OUTLINED Mask<T> operator()(const State& x, State& y, const Mask<T>& active) const {
      const Position q = System::position(x), p = System::momentum(x);
      Mask<T> valid(true);
      if (kind_ == GeneratingKind::poincare) {
        State middle = middle_of(x);
        valid = iterate<T>(middle, sweeps_, active, [&](const State& at) POLHODE_LAMBDA { return sweep(x, at); });
        const auto f = functions_.poincare(System::position(middle), System::momentum(middle));
        y = System::state(q + f.dq, p - f.dp);
      } else {
        Position end = drifted(q, p);
        valid = iterate<T>(end, sweeps_, active, [&](const Position& at) POLHODE_LAMBDA { return sweep(q, p, at); });
        if (kind_ == GeneratingKind::first) {
          y = System::state(end, p + functions_.first(q, end).by_both);
          valid = valid & exists();
        } else {
          y = System::state(end, p - functions_.second(p, end).dp);
        }
      }
      return (valid & is_finite(dot(y, y))) | !active;
    }

    /// Discrete action of the step from x to y (method/discrete_action.hpp).
    POLHODE_OUTLINED StepAction<T> action(const StepContext<System, T>&, const State& x, const State& y,
                                          const Mask<T>&) const {
      const T half(Real<T>(0.5));
      const Position q = System::position(x), p = System::momentum(x), moved = System::position(y) - q;
      if (kind_ == GeneratingKind::first) return {functions_.first_value(q, System::position(y))};
      if (kind_ == GeneratingKind::second) return {dot(p, moved) - functions_.second_value(p, System::position(y))};
      const Position middle = fma(half, System::momentum(y) - p, p);
      return {dot(middle, moved) - functions_.poincare_value(fma(half, moved, q), middle)};
    }

    /// Causes of an invalid step from x.
    POLHODE_OUTLINED Failures<T> failures(const State& x) const {
      const State moved = sweep(x, x);
      Failures<T> found{.not_finite = !is_finite(dot(moved, moved))};
      if (kind_ == GeneratingKind::first) found.no_generating_function = !exists();
      return found;
    }

    /// Number of sweeps from x after which another one changes nothing, at most so many.
    POLHODE_HD int sweeps_from(const State& x, int most) const {
      const Position q = System::position(x), p = System::momentum(x);
      if (kind_ == GeneratingKind::poincare)
        return sweeps_to_settle(middle_of(x), most, [&](const State& at) { return sweep(x, at); });
      return sweeps_to_settle(drifted(q, p), most, [&](const Position& at) { return sweep(q, p, at); });
    }

   private:
    /// First iterates of the new position and of the midpoint.
    POLHODE_HD Position drifted(const Position& q, const Position& p) const { return fma(h_, model_.velocity(p), q); }
    POLHODE_HD State middle_of(const State& x) const {
      const Position q = System::position(x), p = System::momentum(x);
      return System::state(fma(T(Real<T>(0.5)) * h_, model_.velocity(p), q), p);
    }
    /// The iterates after them.
    POLHODE_HD Position sweep(const Position& q, const Position& p, const Position& end) const {
      if (kind_ == GeneratingKind::first) return fma(h_, model_.velocity(p + functions_.first(q, end).by_start), q);
      return q + functions_.second_dq(p, end);
    }
    POLHODE_HD State sweep(const State& x, const State& middle) const {
      const T half(Real<T>(0.5));
      const auto f = functions_.poincare(System::position(middle), System::momentum(middle));
      return System::state(fma(half, f.dq, System::position(x)), fma(-half, f.dp, System::momentum(x)));
    }
    /// Lanes in which there is a function of the first kind: D.MD/(2h) has no value at h = 0.
    POLHODE_HD Mask<T> exists() const { return !(h_ == T(Real<T>(0))); }

    const typename System::template Model<T>& model_;
    GeneratingKind kind_;
    GeneratingFunctions<System, T> functions_;
    T h_;
    int sweeps_;
  };

  /// Number K of unconditional sweeps for parameters p and step h: those that System::example_state needs. Host only.
  template <class R>
  static int nominal_sweeps(const double* p, const Options& options, const Kicks& kicks, double h) {
    const typename System::template Model<R> model(p);
    const Constants<R> constants(model, options, kicks, static_cast<R>(h));
    return Step<R>(model, options, kicks, constants, 0).sweeps_from(typical_state<System, R>(p), max_nominal_sweeps);
  }

 private:
  /// Bound on K: beyond it, branch-free sweeps for lanes that have converged cost more than the branch.
  static constexpr int max_nominal_sweeps = 20;
};

/// Catalog entry: the step maps on a system.
struct GeneratingFunctionMap {
  template <class System>
  using StepMapsOn = StepMaps<GeneratedMap<System>>;

  /// Whether there is a map with these options.
  static constexpr bool has(const GeneratingFunctionOptions& options) {
    const int order = options.order;
    return options.kind == GeneratingKind::second ? order >= 1 && order <= 4 : order == 2 || order == 4;
  }
  template <class System>
  static constexpr Properties properties_on(Properties properties, const GeneratingFunctionOptions& options) {
    properties.order = options.order;
    properties.symmetric = options.kind != GeneratingKind::second;
    return properties;
  }
};

}  // namespace polhode::inline POLHODE_ISA

// The explicit step maps of a canonical mechanical system (system/mechanical_system.hpp) that are made of kicks by the
// potential and one free motion, the drift:
//
//     p' = p - a h V_q(q),   Q = q + h W p',   P = p' - b h V_q(Q)
//
// a = b = 1/2 is the method of Stoermer and Verlet, a = 1 the symplectic Euler method (Pierce 1994, eq. (10)), b = 1
// its adjoint. All are symplectic.
#pragma once

#include "polhode/math/vec.hpp"
#include "polhode/method/discrete_action.hpp"
#include "polhode/method/failures.hpp"
#include "polhode/method/kicks.hpp"
#include "polhode/method/map_options.hpp"
#include "polhode/method/step_maps.hpp"

namespace polhode::inline POLHODE_ISA {

struct ExplicitSolver {
  static constexpr const char* name = "explicit";
  static constexpr const char* meaning = "nothing is solved for";
  static constexpr int unknowns = 0;
};

template <class System_>
struct KickDrift {
  using System = System_;
  using Solver = ExplicitSolver;
  static constexpr int N = System::N;
  /// Scalar of the constants of a step that is the same for all lanes: plain numbers, which take little cache.
  template <class T>
  using NominalScalar = Real<T>;
  static constexpr bool has_long_steps = true;  ///< Properties::long_steps of a method

  /// Constants of a step h, which may differ from lane to lane.
  template <class T>
  struct Constants {
    T h, before, after;  ///< a h and b h

    Constants() = default;
    POLHODE_HD Constants(const typename System::template Model<T>&, const NoOptions&, const Kicks& kicks, const T& h)
        : h(h), before(T(static_cast<Real<T>>(kicks.before)) * h), after(T(static_cast<Real<T>>(kicks.after)) * h) {}
  };

  /// The map of one step. All that it is given must outlive it; S: scalar of the constants, T or Real<T>.
  template <class T, class S = T>
  class Step {
    using State = typename System::template State<T>;

   public:
    POLHODE_HD Step(const typename System::template Model<T>& model, const NoOptions&, const Kicks& kicks,
                    const Constants<S>& constants, int)
        : model_(model), kicks_(kicks), c_(constants) {}

    /// Advances x to y, which may alias. Returns the lanes whose step is valid: those that are finite. Lanes outside
    /// `active` count as valid.
    POLHODE_HD Mask<T> operator()(const State& x, State& y, const Mask<T>& active) const {
      Vec<T, N> q = System::position(x), p = System::momentum(x);
      if (kicks_.before != 0) p = model_.kick(q, -T(c_.before), p);
      q = fma(T(c_.h), model_.velocity(p), q);
      if (kicks_.after != 0) p = model_.kick(q, -T(c_.after), p);
      y = System::state(q, p);
      return is_finite(dot(y, y)) | !active;
    }

    /// Discrete action of the step from x to y (method/discrete_action.hpp).
    POLHODE_HD StepAction<T> action(const StepContext<System, T>& of, const State& x, const State& y,
                                    const Mask<T>&) const {
      return action_of_motion(of, x, y);
    }

    /// Cause of an invalid step from x: the result is not finite.
    POLHODE_HD Failures<T> failures(const State&) const { return {.not_finite = Mask<T>(true)}; }

   private:
    const typename System::template Model<T>& model_;
    const Kicks& kicks_;
    const Constants<S>& c_;
  };

  /// One sweep, because there is no iteration. Host only.
  template <class R>
  static int nominal_sweeps(const double*, const NoOptions&, const Kicks&, double) {
    return 1;
  }
};

/// Catalog entry: the step maps on a system.
struct KickDriftMap {
  template <class System>
  using StepMapsOn = StepMaps<KickDrift<System>>;
};

}  // namespace polhode::inline POLHODE_ISA

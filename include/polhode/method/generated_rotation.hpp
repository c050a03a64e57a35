// The step maps of the free rigid body in three dimensions that a generating function on the rotations gives, by the
// rotation vector xi:
//
//     Pi = -A(xi) dS(xi, h),   Pi <- exp(hat xi) Pi
//
// with S and A of free_body_action.hpp, S up to h^order. Order 1 is the scheme of Ge & Marsden (Phys. Lett. A 133
// (1988) 134; Pierce 1994, prop. 3), orders 2 and 3 are of Channell & Scovel (Physica D 50 (1991) 80). All are Poisson,
// because S is a function on the group, and keep |Pi| because they turn Pi. Their domain is |Pi| < 2 pi kappa: the
// identity, h = 0, is generated at xi = -Pi / kappa, and S is not defined where xi is a full turn. The group is SU(2),
// without the point -1: beyond half a turn a rotation has two xi of the ball |xi| < 2 pi, with two values of S.
#pragma once

#include "polhode/method/failures.hpp"
#include "polhode/method/free_body_action.hpp"
#include "polhode/method/kicks.hpp"
#include "polhode/method/map_options.hpp"
#include "polhode/method/nominal_sweeps.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/method/step_maps.hpp"

namespace polhode::inline POLHODE_ISA {

/// The equation for eta = xi + Pi / kappa, which is O(h):
///
///     eta <- -A(xi) (dS / kappa - xi),   xi = eta - Pi / kappa
///
/// since A(xi) xi = xi. Converges linearly with a factor O(h). The change of Pi follows from eta to its relative
/// round-off, because xi x Pi = eta x Pi: the identity for h = 0, to the last bit.
struct RotationVectorSolver {
  static constexpr const char* name = "fixed-point";
  static constexpr const char* meaning = "fixed point of the rotation vector";

  /// Equation in scalar S. n: h kappa I^-1; inverse_scale: 1 / kappa.
  template <class T, class S>
  class Equation {
   public:
    POLHODE_HD Equation(const Vec<S, 3>& n, const S& inverse_scale, int order)
        : n_(n), inverse_scale_(inverse_scale), order_(order) {}

    /// xi for h = 0.
    POLHODE_HD Vec<T, 3> origin(const Vec<T, 3>& pi) const { return T(-inverse_scale_) * pi; }
    POLHODE_HD Vec<T, 3> sweep(const Vec<T, 3>& origin, const Vec<T, 3>& eta) const {
      if (order_ == 1) return sweep_of<1>(origin, eta);
      if (order_ == 2) return sweep_of<2>(origin, eta);
      return sweep_of<3>(origin, eta);
    }

   private:
    template <int order>
    POLHODE_HD Vec<T, 3> sweep_of(const Vec<T, 3>& origin, const Vec<T, 3>& eta) const {
      const Vec<T, 3> xi = origin + eta;
      const T r = dot(xi, xi);
      const InverseDerivative<T> inverse(r);
      const Vec<T, 3> change = change_of_action<order>(broadcast<T>(n_), xi, r, inverse);
      return cross(xi, fma(T(-inverse.c), cross(xi, change), T(Real<T>(0.5)) * change), -change);
    }

    const Vec<S, 3>& n_;
    const S& inverse_scale_;
    int order_;
  };
};

struct GeneratedRotationOptions {
  int order = 1;     ///< of the generating function in the step
  double scale = 1;  ///< kappa
};

/// System: the free body on SO(3), with m12 = -Pi3, m13 = Pi2, m23 = -Pi1.
template <class System_, class Solver_>
struct GeneratedRotation {
  using System = System_;
  using Solver = Solver_;
  using Options = GeneratedRotationOptions;
  static_assert(System::size == 3);
  template <class T>
  using NominalScalar = Real<T>;

  /// Constants of a step h, which may differ from lane to lane.
  template <class T>
  struct Constants {
    Vec<T, 3> n;  ///< h kappa I^-1
    T inverse_scale;

    Constants() = default;
    POLHODE_HD Constants(const typename System::template Model<T>& model, const Options& options, const Kicks&,
                         const T& h)
        : inverse_scale(T(Real<T>(1)) / T(static_cast<Real<T>>(options.scale))) {
      const T turn = h * T(static_cast<Real<T>>(options.scale));
      for (int i = 0; i < 3; ++i) n[i] = turn / (model.alpha[(i + 1) % 3] + model.alpha[(i + 2) % 3]);
    }
  };

  /// The map of one step. The constants must outlive it; S: scalar of the constants, T or Real<T>.
  template <class T, class S = T>
  class Step {
    using State = typename System::template State<T>;

   public:
    POLHODE_HD Step(const typename System::template Model<T>&, const Options& options, const Kicks&,
                    const Constants<S>& constants, int sweeps)
        : equation_(constants.n, constants.inverse_scale, options.order), sweeps_(sweeps) {}

    /// Advances x to y, which may alias. Returns the lanes whose step is valid and finite; y is meaningless in the
    /// others. Lanes outside `active` cost no iteration and count as valid.
    POLHODE_HD Mask<T> operator()(const State& x, State& y, const Mask<T>& active) const {
      const Vec<T, 3> pi = momentum(x), origin = equation_.origin(pi);
      const T zero(Real<T>(0));
      Vec<T, 3> eta{zero, zero, zero};
      const auto sweep = [equation = equation_, origin](const auto& last)
                             POLHODE_LAMBDA { return equation.sweep(origin, last); };
      const Mask<T> converged = iterate<T>(eta, sweeps_, active, sweep);
      const Vec<T, 3> xi = origin + eta;
      const T r = dot(xi, xi);
      const ExponentialMap<T> map(r);
      const Vec<T, 3> across = cross(eta, pi);
      const Vec<T, 3> turned = pi + fma(map.s, across, map.k * cross(xi, across));
      y = {-turned[2], turned[1], -turned[0]};
      return (converged & (r < full_turn_squared())) | !active;
    }

    /// Cause of an invalid step from x: it is outside the domain, or the equation did not converge, which has no flag.
    POLHODE_HD Failures<T> failures(const State& x) const {
      const Vec<T, 3> pi = momentum(x), origin = equation_.origin(pi);
      // Squares, and Pi / kappa itself, may overflow.
      return {.not_finite = !(is_finite(pi[0]) & is_finite(pi[1]) & is_finite(pi[2])),
              .no_generating_function = !(dot(origin, origin) < full_turn_squared())};
    }

   private:
    POLHODE_HD static T full_turn_squared() { return T(Real<T>(39.47841760435743)); }

    typename Solver::template Equation<T, S> equation_;
    int sweeps_;
  };

  /// Number K of unconditional sweeps for parameters p and step h: those that System::example_state needs. Host only.
  template <class R>
  static int nominal_sweeps(const double* p, const Options& options, const Kicks& kicks, double h) {
    const typename System::template Model<R> model(p);
    const Constants<R> constants(model, options, kicks, static_cast<R>(h));
    const typename Solver::template Equation<R, R> equation(constants.n, constants.inverse_scale, options.order);
    const Vec<R, 3> origin = equation.origin(momentum(typical_state<System, R>(p)));
    return sweeps_to_settle(Vec<R, 3>{R(0), R(0), R(0)}, max_nominal_sweeps,
                            [&](const auto& eta) { return equation.sweep(origin, eta); });
  }

 private:
  /// Bound on K: beyond it, branch-free sweeps for lanes that have converged cost more than the branch.
  static constexpr int max_nominal_sweeps = 30;

  /// Pi of a state.
  template <class T>
  POLHODE_HD static Vec<T, 3> momentum(const Vec<T, 3>& x) {
    return {-x[2], x[1], -x[0]};
  }
};

/// Catalog entry: the step maps on a system, and the orders of its generating function.
struct GeneratedRotationMap {
  template <class System>
  using StepMapsOn = StepMaps<GeneratedRotation<System, RotationVectorSolver>>;

  /// Whether there is a map with these options.
  static constexpr bool has(const GeneratedRotationOptions& options) {
    return options.order >= 1 && options.order <= 3;
  }

  /// Properties on a system of the map with these options, from those of the method.
  template <class System>
  static constexpr Properties properties_on(Properties properties, const GeneratedRotationOptions& options) {
    properties.order = options.order;
    return properties;
  }
};

}  // namespace polhode::inline POLHODE_ISA

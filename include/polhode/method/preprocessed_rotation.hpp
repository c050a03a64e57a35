// The discrete free rotation of a rigid body with modified moments of inertia (modified_moments.hpp): order 4 to 10 for
// one solution of the equation of order 2 (Hairer & Vilmart 2006). With order 2 it is the discrete Moser-Veselov map.
//
// It conserves the energy, |Pi|^2 and the spatial momentum to round-off, since its path is that of the free body
// whatever the moments are that modify the time along it.
#pragma once

#include "polhode/method/kicked_rotation.hpp"
#include "polhode/method/modified_moments.hpp"
#include "polhode/method/option.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/method/step_plan.hpp"

namespace polhode::inline POLHODE_ISA {

/// System: one of system/top.hpp, without gravity.
template <class System_, class Solver_>
struct PreprocessedRotation {
  using System = System_;
  using Solver = Solver_;
  using Rotation = KickedRotation<System, Solver>;
  template <class T>
  using NominalScalar = Real<T>;
  static constexpr bool has_constants_of_a_state = true;
  static constexpr int most_constants = max_stages / 2;  ///< a symmetric map has one stage for each fraction

  template <class T>
  struct Constants {
    typename Rotation::template Constants<T> rotation;
    ModifiedMoments<T> moments;
    T h;
    int order;

    Constants() = default;
    POLHODE_HD Constants(const typename System::template Model<T>& model, const Coefficients& coefficients, const T& h)
        : rotation(model, coefficients, h),
          moments(model.inertia, coefficients.order),
          h(h),
          order(coefficients.order) {}
  };

  /// The map of one step, as KickedRotation's.
  template <class T, class S = T>
  class Step {
    using State = typename System::template State<T>;

   public:
    POLHODE_HD Step(const typename System::template Model<T>& model, const Coefficients& coefficients,
                    const Constants<S>& constants, int sweeps)
        : model_(model), coefficients_(coefficients), c_(constants), sweeps_(sweeps) {}

    POLHODE_HD Mask<T> operator()(const State& x, State& y, const Mask<T>& active) const {
      if (c_.order == 2)
        return typename Rotation::template Step<T, S>(model_, coefficients_, c_.rotation, sweeps_)(x, y, active);
      Moments<T> moments;
      const T h(c_.h);
      const Mask<T> has_moments = c_.moments(System::angular_momentum(x), h, moments);
      typename Rotation::template Constants<T> constants;
      constants.equation = typename Solver::template Constants<T>(moments, h);
      constants.before = broadcast<T>(c_.rotation.before);
      constants.after = broadcast<T>(c_.rotation.after);
      const typename Rotation::template Step<T> step(model_, coefficients_, constants, sweeps_);
      return step(x, y, active & has_moments) & (has_moments | !active);
    }

    /// Cause of an invalid step from x.
    POLHODE_HD Failures<T> failures(const State& x) const {
      if (c_.order == 2) return {};
      Failures<T> found;
      Moments<T> moments;
      const T h(c_.h);
      const Vec<T, 3> pi = System::angular_momentum(x);
      found.not_finite = !is_finite(h * (abs(pi[0]) + abs(pi[1]) + abs(pi[2])));
      found.no_moments = !c_.moments(pi, h, moments);
      return found;
    }

   private:
    const typename System::template Model<T>& model_;
    const Coefficients& coefficients_;
    const Constants<S>& c_;
    int sweeps_;
  };

  /// As KickedRotation's: of a body as fast as that, modified moments hardly change the number of sweeps. Faster ones
  /// need further sweeps.
  template <class R>
  static int nominal_sweeps(const double* p, const Coefficients& coefficients, double h) {
    return Rotation::template nominal_sweeps<R>(p, coefficients, h);
  }
};

/// Catalog entry: the variants of the step map on a system, the default solver first, and its option.
struct PreprocessedRotationMap {
  template <class System>
  using VariantsOn = Variants<PreprocessedRotation<System, CayleySolver>, PreprocessedRotation<System, HadamardSolver>>;

  static constexpr Option options[] = {
      {.name = "order",
       .kind = Option::Kind::integer,
       .unit = "1",
       .meaning = "order of the map: 2, 4, 6, 8 or 10; above 2 by modified moments of inertia, and Poisson in Pi alone",
       .default_number = 2,
       .least = 2,
       .most = 10,
       .attribute = "map_order"}};
  static constexpr int orders[] = {2, 4, 6, 8, 10};

  /// Properties of the map of an order. Modified moments depend on the state, so that it preserves the Poisson
  /// structure in Pi alone: with Gamma or the attitude there is a defect of the order of the error.
  static constexpr Properties with_order(Properties properties, int order) {
    properties.order = order;
    properties.poisson = properties.poisson && order == 2;
    return properties;
  }
};

}  // namespace polhode::inline POLHODE_ISA

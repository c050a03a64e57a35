// The step map of kicked_rotation.hpp with modified moments of inertia (modified_moments.hpp) in its discrete free
// rotation: order 4 to 10 of the rotation for one solution of the equation of order 2 (Hairer & Vilmart 2006). With
// order 2 it is that map.
//
// The rotation conserves the kinetic energy, |Pi|^2 and the spatial momentum to round-off, since its path is that of
// the free body whatever the moments are that modify the time along it. The moments follow from Pi after the kick.
#pragma once

#include "polhode/method/kicked_rotation.hpp"
#include "polhode/method/modified_moments.hpp"
#include "polhode/method/properties.hpp"

namespace polhode::inline POLHODE_ISA {

struct PreprocessedRotationOptions {
  int order = 2;  ///< of the free rotation
};

/// System: one of system/top.hpp.
template <class System_, class Solver_>
struct PreprocessedRotation {
  using System = System_;
  using Solver = Solver_;
  using Options = PreprocessedRotationOptions;
  using Rotation = KickedRotation<System, Solver>;
  template <class T>
  using NominalScalar = Real<T>;
  static constexpr bool has_long_steps = true;  ///< Properties::long_steps of a method
  static constexpr bool has_constants_of_a_state = true;

  template <class T>
  struct Common {
    ModifiedMoments<T> moments;

    Common() = default;
    POLHODE_HD Common(const typename System::template Model<T>& model, const Options& options)
        : moments(model.inertia, options.order) {}
  };

  template <class T>
  struct Constants {
    typename Rotation::template Constants<T> rotation;
    T h;

    Constants() = default;
    POLHODE_HD Constants(const typename System::template Model<T>& model, const Options&, const Kicks& kicks,
                         const T& h)
        : rotation(model, NoOptions(), kicks, h), h(h) {}
  };

  /// The map of one step, as KickedRotation's.
  template <class T, class S = T, class C = S>
  class Step {
    using State = typename System::template State<T>;

   public:
    POLHODE_HD Step(const typename System::template Model<T>& model, const Options& options, const Kicks& kicks,
                    const Common<C>& common, const Constants<S>& constants, int sweeps)
        : model_(model), options_(options), kicks_(kicks), common_(common), c_(constants), sweeps_(sweeps) {}

    POLHODE_HD Mask<T> operator()(const State& x, State& y, const Mask<T>& active) const {
      if (options_.order == 2)
        return typename Rotation::template Step<T, S>(model_, NoOptions(), kicks_, c_.rotation, sweeps_)(x, y, active);
      const Vec<T, 3> pi = kicked(x);
      Moments<T> moments;
      const T h(c_.h);
      const Mask<T> has_moments = common_.moments(pi, h, moments);
      const typename Solver::template Constants<T> constants(moments, h);
      const typename Solver::template Equation<T> equation(constants);
      return Rotation::template rotate<T>(equation, sweeps_, x, pi, c_.rotation.after, y, active & has_moments) &
             (has_moments | !active);
    }

    /// Discrete action of a step of order 2 from x to y (method/discrete_action.hpp).
    POLHODE_HD BodyAction<T> action(const StepContext<System, T>& of, const State& x, const State& y,
                                    const Mask<T>& active) const {
      return typename Rotation::template Step<T, S>(model_, NoOptions(), kicks_, c_.rotation, sweeps_)
          .action(of, x, y, active);
    }

    /// Cause of an invalid step from x.
    POLHODE_HD Failures<T> failures(const State& x) const {
      if (options_.order == 2) return {};
      Failures<T> found;
      Moments<T> moments;
      const T h(c_.h);
      const Vec<T, 3> pi = kicked(x);
      found.not_finite = !is_finite(h * (abs(pi[0]) + abs(pi[1]) + abs(pi[2])));
      found.no_moments = !common_.moments(pi, h, moments);
      return found;
    }

   private:
    /// The momentum of x after the kick before the rotation.
    POLHODE_HD Vec<T, 3> kicked(const State& x) const {
      return c_.rotation.before(System::vertical(x), System::angular_momentum(x));
    }

    const typename System::template Model<T>& model_;
    const Options& options_;
    const Kicks& kicks_;
    const Common<C>& common_;
    const Constants<S>& c_;
    int sweeps_;
  };

  /// Number of unconditional sweeps, that of KickedRotation: modified moments hardly change it for a body as fast as
  /// that. Faster ones need further sweeps.
  template <class R>
  static int nominal_sweeps(const double* p, const Options&, const Kicks& kicks, double h) {
    return Rotation::template nominal_sweeps<R>(p, NoOptions(), kicks, h);
  }
};

/// Catalog entry: the step maps on a system, the default solver first, and the orders of its rotation.
struct PreprocessedRotationMap {
  /// Above order 2 a step is symplectic up to its error alone.
  static constexpr bool has_action(const PreprocessedRotationOptions& options) { return options.order == 2; }

  template <class System>
  using StepMapsOn = StepMaps<PreprocessedRotation<System, CayleySolver>, PreprocessedRotation<System, HadamardSolver>>;

  static constexpr const char* sources[] = {"MoserVeselov1991", "HairerVilmart2006"};

  /// Whether there is a map with these options.
  static constexpr bool has(const PreprocessedRotationOptions& options) {
    return options.order >= 2 && options.order <= 10 && options.order % 2 == 0;
  }

  /// Properties on a system of the map with these options, from those of the method. Modified moments depend on
  /// the state, so that it preserves the Poisson structure in Pi alone: with Gamma or the attitude there is a defect of
  /// the order of the error.
  template <class System>
  static constexpr Properties properties_on(Properties properties, const PreprocessedRotationOptions& options) {
    properties.order = options.order;
    properties.poisson = properties.poisson && options.order == 2;
    return properties;
  }
};

}  // namespace polhode::inline POLHODE_ISA

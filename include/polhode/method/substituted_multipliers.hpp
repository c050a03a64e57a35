// Methods to compare the constrained ones with: a constrained system with the multipliers substituted, as the ordinary
// differential equations
//
//     q' = W p,   p' = -V_q - G^T lambda,   G W G^T lambda = D^2 g(W p, W p) - G W V_q
//
// whose exact flow preserves g = 0 and G W p = 0. The rules are those of method/runge_kutta.hpp, and
//
//     rk4, projected      each step followed by the projection onto g = 0 along W G^T and onto G W p = 0
//
// (McLachlan & Scovel 1995, sect. 6.3 and Figure 2: the implicit midpoint rule on these equations; they are not
// canonical, and the constraints drift.)
#pragma once

#include "polhode/method/constraint_projection.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/method/runge_kutta.hpp"
#include "polhode/method/substitution_solver.hpp"

namespace polhode::inline POLHODE_ISA {

template <class System_>
struct SubstitutedMultipliers {
  using System = System_;
  using Solver = SubstitutionSolver;
  using Options = RungeKuttaOptions;

  /// Scalar of the step itself: one function then serves the nominal step and partial ones.
  template <class T>
  using NominalScalar = T;

  /// Constants of a step h, which may differ from lane to lane.
  template <class T>
  struct Constants {
    RungeKuttaConstants<T> rule;
    TimeStep<T> step;  ///< of the projection

    Constants() = default;
    POLHODE_HD Constants(const typename System::template Model<T>&, const Options&, const Kicks&, const T& h)
        : rule(h), step(h) {}
    template <class R>
    POLHODE_HD explicit Constants(const Constants<R>& of) : rule(of.rule), step(of.step) {}
  };

  /// The map of one step. The model and the constants must outlive it.
  template <class T, class = T>
  class Step {
    using State = typename System::template State<T>;

   public:
    POLHODE_HD Step(const typename System::template Model<T>& model, const Options& options, const Kicks&,
                    const Constants<T>& constants, int sweeps)
        : model_(model),
          rule_(model, options.scheme, constants.rule),
          projects_(options.projects),
          c_(constants),
          sweeps_(sweeps) {}

    /// Advances x to y, which may alias. Returns the lanes whose step is valid and finite; y is meaningless in the
    /// others. Lanes outside `active` cost no iteration and count as valid.
    POLHODE_OUTLINED Mask<T> operator()(const State& x, State& y, const Mask<T>& active) const {
      Mask<T> valid = rule_.advance(x, y, sweeps_, active);
      if (projects_) valid = project_onto_constraints<System, T>(model_, c_.step, sweeps_, y, active);
      return valid & (is_finite(dot(y, y)) | !active);
    }

    /// Causes of an invalid step from x.
    POLHODE_OUTLINED Failures<T> failures(const State& x) const {
      const State y = rule_.explicit_step(x);
      const Mask<T> singular = model_.is_singular(System::position(x));  // y is NaN there, too
      return {!(is_finite(dot(y, y)) | singular), singular};
    }

   private:
    const typename System::template Model<T>& model_;
    RungeKuttaRule<System, T> rule_;
    bool projects_;
    const Constants<T>& c_;
    int sweeps_;
  };

  /// Number of unconditional sweeps; those of the projection where nothing else is iterated. Host only.
  template <class R>
  static int nominal_sweeps(const double* p, const Options& options, const Kicks&, double h) {
    if (options.scheme != RungeKuttaScheme::implicit_midpoint) return projection_sweeps;
    return nominal_sweeps_of_midpoint<System, R>(p, h);
  }
};

/// Catalog entry: the step maps on a system. Off the constraints the equations are not canonical.
struct SubstitutedMultipliersMap {
  template <class System>
  using StepMapsOn = StepMaps<SubstitutedMultipliers<System>>;

  template <class System>
  static constexpr Properties properties_on(Properties properties, const RungeKuttaOptions&) {
    properties.poisson = false;
    return properties;
  }
};

}  // namespace polhode::inline POLHODE_ISA

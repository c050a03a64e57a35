// The step maps of a rigid body in a potential that are made of kicks by the torque and one discrete free rotation, in
// body coordinates (McLachlan & Scovel 1995, sect. 6.2; H (5.2)):
//
//     Pi2   = Pi - a h c chi x Gamma               kick
//     w^T J - J w = h m2,  w in SO(3)              discrete free body (discrete_rigid_body.hpp)
//     Gamma <- w Gamma,  Pi3 = w Pi2,  Q <- Q w^T
//     Pi    <- Pi3 - b h c chi x Gamma             kick with the new Gamma
//
// a + b = 1, or a = b = 0 where c = 0. The kick is F(Gamma) = c (Gamma chi^T - chi Gamma^T) in matrix form (the paper
// misprints it). Each part is a Poisson map on se(3)* and, with the attitude, a symplectic one on T*SO(3), so every
// such step is; |Gamma|^2 and Pi.Gamma are conserved because the same rotation is applied to Pi2 and Gamma.
#pragma once

#include "polhode/method/discrete_action.hpp"
#include "polhode/method/discrete_rigid_body.hpp"
#include "polhode/method/failures.hpp"
#include "polhode/method/kicks.hpp"
#include "polhode/method/map_options.hpp"
#include "polhode/method/step_maps.hpp"

namespace polhode::inline POLHODE_ISA {

/// System: one of system/top.hpp. Its Model<T> has the body, and the System defines where a State holds Pi and Gamma.
template <class System_, class Solver_>
struct KickedRotation {
  using System = System_;
  using Solver = Solver_;
  /// Scalar of the constants of a step that is the same for all lanes: plain numbers, which take little cache.
  template <class T>
  using NominalScalar = Real<T>;

  /// Constants of a step h, which may differ from lane to lane.
  template <class T>
  struct Constants {
    typename Solver::template Constants<T> equation;
    typename System::template Kick<T> before, after;  ///< over a h and b h

    Constants() = default;
    POLHODE_HD Constants(const typename System::template Model<T>& model, const NoOptions&, const Kicks& kicks,
                         const T& h)
        : equation(model, h), before(model, T(Real<T>(kicks.before)) * h), after(model, T(Real<T>(kicks.after)) * h) {}
  };

  /// The map of one step. The constants must outlive it; S: scalar of the constants, T or Real<T>.
  template <class T, class S = T>
  class Step {
   public:
    POLHODE_HD Step(const typename System::template Model<T>&, const NoOptions&, const Kicks&,
                    const Constants<S>& constants, int sweeps)
        : c_(constants), equation_(constants.equation), sweeps_(sweeps) {}

    /// Advances x to y, which may alias. Returns the lanes whose step is valid and finite; y is meaningless in the
    /// others. Lanes outside `active` cost no iteration and count as valid.
    POLHODE_HD Mask<T> operator()(const typename System::template State<T>& x, typename System::template State<T>& y,
                                  const Mask<T>& active) const {
      const Vec<T, 3> pi = c_.before(System::vertical(x), System::angular_momentum(x));
      return rotate<T>(equation_, sweeps_, x, pi, c_.after, y, active);
    }

    /// Discrete action of the step from x to y (method/discrete_action.hpp), of the rotation 2 sum I_i e_i^2 / h with
    /// its quaternion (e0, e).
    POLHODE_HD BodyAction<T> action(const StepContext<System, T>& of, const typename System::template State<T>& x,
                                    const typename System::template State<T>& y, const Mask<T>& active) const {
      const T zero(Real<T>(0)), two(Real<T>(2));
      const Vec<T, 3> load = equation_.load(c_.before(System::vertical(x), System::angular_momentum(x)));
      auto unknown = equation_.start(load);
      solve(equation_, sweeps_, load, active, unknown);
      const Vec<T, 4> turn = equation_.rotation(unknown).undone({T(Real<T>(1)), zero, zero, zero});
      const Vec<T, 3> e{turn[1], turn[2], turn[3]};
      const T action = two / of.h * dot(e, hadamard(of.model.inertia, e));
      return {of.with_kicks(action, System::vertical(x), System::vertical(y)), turn};
    }

    /// Cause of an invalid step from x: the equation did not converge, which has no flag.
    POLHODE_HD Failures<T> failures(const typename System::template State<T>&) const { return {}; }

   private:
    const Constants<S>& c_;
    typename Solver::template Equation<T, S> equation_;
    int sweeps_;
  };

  /// Number K of unconditional sweeps for parameters p and step h: those of a body that rotates as fast as the
  /// potential makes it, at 2 sqrt(swing / I) with its smallest moment of inertia (at 1 if that is 0), in the worst of
  /// several directions. Faster bodies need further sweeps. Host only.
  template <class R>
  static int nominal_sweeps(const double* p, const NoOptions&, const Kicks&, double h) {
    const typename System::template Model<R> model(p);
    const typename Solver::template Constants<R> constants(model, static_cast<R>(h));
    const typename Solver::template Equation<R> equation(constants);
    R lightest = model.inertia[0];
    for (int i = 1; i < 3; ++i) lightest = model.inertia[i] < lightest ? model.inertia[i] : lightest;
    const R swing = model.swing();
    const R rate = swing == R(0) ? R(1) : sqrt(R(4) * swing / lightest);
    int sweeps = 1;
    for (int direction = 1; direction < 27; ++direction) {
      const R e[3] = {R(direction % 3 - 1), R(direction / 3 % 3 - 1), R(direction / 9 - 1)};
      const R norm = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
      if (norm == R(0)) continue;
      Vec<R, 3> pi;
      for (int i = 0; i < 3; ++i) pi[i] = model.inertia[i] * rate * e[i] / norm;
      const int needed = sweeps_needed(equation, pi);
      if (needed < max_nominal_sweeps && needed > sweeps) sweeps = needed;
    }
    return sweeps;
  }

  /// Improves the rotation for a load; returns the lanes in which it is found.
  template <class Equation, class T, class Unknown>
  POLHODE_HD static Mask<T> solve(const Equation& equation, int sweeps, const Vec<T, 3>& load, const Mask<T>& active,
                                  Unknown& unknown) {
    return iterate<T>(unknown, sweeps, active,
                      [&equation, load](const auto& last) POLHODE_LAMBDA { return equation.sweep(load, last); });
  }

  /// The rest of a step from x after the kick to pi: the rotation and the kick `after`.
  template <class T, class Equation, class Kick>
  POLHODE_HD static Mask<T> rotate(const Equation& equation, int sweeps, const typename System::template State<T>& x,
                                   Vec<T, 3> pi, const Kick& after, typename System::template State<T>& y,
                                   const Mask<T>& active) {
    const Vec<T, 3> load = equation.load(pi);
    auto unknown = equation.start(load);
    const Mask<T> converged = solve(equation, sweeps, load, active, unknown);
    const auto rotation = equation.rotation(unknown);
    const Vec<T, 3> gamma = rotation(System::vertical(x));
    pi = after(gamma, rotation(pi));
    y = System::moved(x, pi, gamma, rotation);
    return converged;
  }

 private:
  /// Bound on K: beyond it, branch-free sweeps for lanes that have converged cost more than the branch.
  static constexpr int max_nominal_sweeps = 30;
};

/// Catalog entry: the step maps on a system, the default solver first.
struct KickedRotationMap {
  template <class System>
  using StepMapsOn = StepMaps<KickedRotation<System, CayleySolver>, KickedRotation<System, HadamardSolver>>;
};

}  // namespace polhode::inline POLHODE_ISA

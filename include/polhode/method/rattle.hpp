// RATTLE for a rigid body with a potential, reduced to (Pi, Gamma) (McLachlan & Scovel 1995, sect. 6.2; H (5.2)):
//
//     Pi2   = Pi - (h/2) c chi x Gamma                 kick
//     w^T J - J w = h m2,  w in SO(3)                  discrete free body (discrete_rigid_body.hpp)
//     Gamma <- w Gamma,  Pi3 = w Pi2
//     Pi    <- Pi3 - (h/2) c chi x Gamma               kick with the new Gamma
//
// Order 2, symmetric, Poisson on se(3)*; keeps |Gamma|^2 and Pi.Gamma, and for c = 0 also the energy and |Pi|^2, where
// it is the discrete Moser-Veselov map (MS Theorem 6). The kick is F(Gamma) = c (Gamma chi^T - chi Gamma^T) in matrix
// form (the paper misprints it).
//
// The rotation is applied to Pi2 and Gamma alike, so that the Casimirs are kept to round-off whatever the solver left.
#pragma once

#include "polhode/method/discrete_rigid_body.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/method/status.hpp"
#include "polhode/method/variants.hpp"
#include "polhode/system/heavy_top.hpp"

namespace polhode::inline POLHODE_ISA {

template <class System, class Solver>
struct Rattle;

template <class Solver_>
struct Rattle<HeavyTop, Solver_> {
  using System = HeavyTop;
  using Solver = Solver_;
  static constexpr Properties properties{.order = 2, .symmetric = true, .poisson = true, .casimirs = true};
  static constexpr Status failure = Status::not_converged;  ///< what an invalid step means

  /// The map of one step h. The constants are computed once; h may differ from lane to lane.
  template <class T>
  class Step {
   public:
    POLHODE_HD Step(const HeavyTop::Model<T>& model, const T& h, int sweeps)
        : equation_(model.inertia, h), kick_((T(Real<T>(0.5)) * h * model.c) * model.chi), sweeps_(sweeps) {}

    /// Advances x in place. Returns the lanes whose step is valid, and finite with it; of others x means nothing.
    /// Lanes outside `active` cost no iteration and count as valid.
    POLHODE_HD Mask<T> operator()(Vec<T, 6>& x, const Mask<T>& active) const {
      Vec<T, 3> pi{x[0], x[1], x[2]}, gamma{x[3], x[4], x[5]};
      pi = cross(gamma, kick_, pi);
      const Vec<T, 3> load = equation_.load(pi);
      auto unknown = equation_.start(load);
      const Mask<T> converged = iterate(unknown, sweeps_, active,
                                        [&](const auto& last) POLHODE_LAMBDA { return equation_.sweep(load, last); });
      const auto rotation = equation_.rotation(unknown);
      gamma = rotation(gamma);
      pi = cross(gamma, kick_, rotation(pi));
      x = {pi[0], pi[1], pi[2], gamma[0], gamma[1], gamma[2]};
      return converged;
    }

   private:
    typename Solver::template Equation<T> equation_;
    Vec<T, 3> kick_;  ///< (h/2) c chi
    int sweeps_;
  };

  /// K for parameters p[7] and step h: what a body needs that turns as fast as gravity makes it, at sqrt(2 |c| / I)
  /// about its lightest axis (at 1 where c = 0), in whichever direction is worst. Faster bodies iterate on. Host only.
  template <class R>
  static int nominal_sweeps(const double* p, double h) {
    const HeavyTop::Model<R> model(p);
    const typename Solver::template Equation<R> equation(model.inertia, static_cast<R>(h));
    R lightest = model.inertia[0];
    for (int i = 1; i < 3; ++i) lightest = model.inertia[i] < lightest ? model.inertia[i] : lightest;
    const R rate = model.c == R(0) ? R(1) : sqrt(R(4) * abs(model.c) / lightest);
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

 private:
  /// Beyond this a branch-free sweep for lanes that have converged costs more than the test.
  static constexpr int max_nominal_sweeps = 30;
};

/// The family in the catalog: every variant of the method on a system, the default solver first.
struct RattleFamily {
  static constexpr const char* name = "rattle";
  static constexpr const char* meaning = "RATTLE, order 2, symmetric, symplectic (MS sect. 6.2, H (5.2))";
  template <class System>
  using VariantsOn = Variants<Rattle<System, CayleySolver>, Rattle<System, HadamardSolver>>;
};

}  // namespace polhode::inline POLHODE_ISA

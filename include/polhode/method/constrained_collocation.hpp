// The Lobatto IIIA-IIIB pair with s stages on constrained systems with any Hamiltonian (Hairer 2003, eqs. (2.6)-(2.9),
// Example 2.2; what he calls a is a_hat here, and the reverse):
//
//     Q_i = q + h sum_j a_ij H_p(Q_j, P_j),   P_i = p - h sum_j a_hat_ij F_j,   F_j = H_q(Q_j, P_j) + G(Q_j)^T l_j
//     0 = g(Q_i),  i = 2, ..., s;   Q_1 = q,   q1 = Q_s
//     p1 = p - h sum_j b_j F_j,   0 = G(q1) H_p(q1, p1)
//
// Order 2 s - 2, symmetric, symplectic; RATTLE if s = 2. No stage depends on the last multipliers l_s, which are left
// for the momentum at the end. A sweep is a simplified Newton step for the other ones, from the positions, and
// substitution for the stages: forces there give the momenta, and these the next positions.
//
//     l_k += 1/h^2 sum_i B_ki S^-1 g(Q_i),   k = 1, ..., s - 1,   B = (a a_hat)^-1,  i = 2, ..., s
//
// To leading order in h the matrix of these equations has blocks (a a_hat)_ik S, with S = G H_pp G^T in the middle of
// the step, so that one factorisation of size D serves all stages, and B is known beforehand. The iteration converges
// with a factor O(h); docs/theory/lobatto.md has measured ones.
#pragma once

#include "polhode/method/collocation_options.hpp"
#include "polhode/method/constrained_stages.hpp"
#include "polhode/method/discrete_action.hpp"
#include "polhode/method/failures.hpp"
#include "polhode/method/kicks.hpp"
#include "polhode/method/map_options.hpp"
#include "polhode/method/nominal_sweeps.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/method/step_maps.hpp"

namespace polhode::inline POLHODE_ISA {

struct StageSolver {
  static constexpr const char* name = "newton-substitution";
  static constexpr const char* meaning = "simplified Newton iteration for the multipliers, substitution for the stages";
};

template <class System_>
struct ConstrainedCollocation {
  using System = System_;
  using Solver = StageSolver;
  using Options = CollocationOptions;
  static constexpr int N = System::N, D = System::D;
  static constexpr bool is_large = true;  ///< the stages

  /// Scalar of the step itself: one function then serves the nominal step and partial ones.
  template <class T>
  using NominalScalar = T;

  template <class T>
  struct Common {
    ConstrainedTable<Real<T>> table;

    Common() = default;
    /// Host only.
    Common(const typename System::template Model<T>&, const Options& options) : table(options.stages) {}
  };

  /// Constants of a step h, which may differ from lane to lane.
  template <class T>
  struct Constants : TimeStep<T> {
    using TimeStep<T>::TimeStep;
    POLHODE_HD Constants(const typename System::template Model<T>&, const Options&, const Kicks&, const T& h)
        : TimeStep<T>(h) {}
  };

  /// The map of one step. The model, what is common and the constants must outlive it.
  template <class T, class S = T, class C = S>
  class Step {
    using State = typename System::template State<T>;

   public:
    POLHODE_HD Step(const typename System::template Model<T>& model, const Options&, const Kicks&,
                    const Common<C>& common, const Constants<S>& constants, int sweeps)
        : model_(model), hamiltonian_(model), table_(common.table), step_(constants), sweeps_(sweeps) {}

    /// Advances x to y, which may alias. Returns the lanes whose step is valid and finite; y is meaningless in the
    /// others. Lanes outside `active` cost no iteration and count as valid.
    POLHODE_OUTLINED Mask<T> operator()(const State& x, State& y, const Mask<T>& active) const {
      const Equation equation(hamiltonian_, table_, step_, System::position(x), System::momentum(x));
      auto stages = equation.start();
      Mask<T> valid = solve(equation, active, stages);
      for (int i = 1; i < table_.stages; ++i) valid = valid & hamiltonian_.is_on_constraints(stages.q.of[i]);

      const Vec<T, N>& q = stages.q.of[table_.stages - 1];
      Vec<T, N> p = equation.momentum(stages);
      valid = valid & hamiltonian_.project(q, step_.h, p, active);
      y = System::state(q, p);
      return (valid & is_finite(dot(p, p))) | !active;
    }

    /// Discrete action of the step from x to y: h sum over i of b_i (P_i.H_p - H)(Q_i, P_i).
    POLHODE_OUTLINED StepAction<T> action(const StepContext<System, T>&, const State& x, const State&,
                                          const Mask<T>& active) const {
      const Equation equation(hamiltonian_, table_, step_, System::position(x), System::momentum(x));
      auto stages = equation.start();
      solve(equation, active, stages);
      T sum(Real<T>(0));
      for (int i = 0; i < table_.stages; ++i)
        sum = fma(T(table_.b[i]), lagrangian<System, T>(model_, stages.q.of[i], stages.p.of[i]), sum);
      return {step_.h * sum};
    }

    /// Causes of an invalid step from x.
    POLHODE_OUTLINED Failures<T> failures(const State& x) const {
      const Vec<T, N> q = System::position(x), p = System::momentum(x);
      const Vec<T, N> kicked = fma(-step_.h, hamiltonian_.position_gradient(q, p), p);
      const Vec<T, N> moved = fma(step_.h, hamiltonian_.velocity(q, kicked), q);
      const Mask<T> singular = model_.is_singular(q);  // velocities may be infinite there, too
      return {!(is_finite(dot(moved, moved)) | singular), singular};
    }

   private:
    using Equation = ConstrainedStageEquation<System, T>;

    /// Finds the stages; returns the lanes in which it does.
    POLHODE_HD Mask<T> solve(const Equation& equation, const Mask<T>& active,
                             typename Equation::Unknown& stages) const {
      const auto sweep =
          outlined_if<true>([&equation](const auto& last) POLHODE_LAMBDA { return equation.sweep(last); });
      const Mask<T> valid = iterate<T>(stages, sweeps_, active, sweep);
      stages = sweep(stages);  // the momentum converges one sweep later: its error is larger by 1 / h
      return valid;
    }

    const typename System::template Model<T>& model_;
    ConstrainedHamiltonian<System, T> hamiltonian_;
    const ConstrainedTable<Real<T>>& table_;
    TimeStep<T> step_;
    int sweeps_;
  };

  /// Number K of unconditional sweeps for parameters p and step h: those that System::example_state needs. Host only.
  template <class R>
  static int nominal_sweeps(const double* p, const Options& options, const Kicks&, double h) {
    const typename System::template Model<R> model(p);
    const auto x = typical_state<System, R>(p);
    const ConstrainedTable<R> table(options.stages);
    const ConstrainedStageEquation<System, R> equation(ConstrainedHamiltonian<System, R>(model), table,
                                                       TimeStep<R>(static_cast<R>(h)), System::position(x),
                                                       System::momentum(x));
    return sweeps_to_settle(equation.start(), max_nominal_sweeps,
                            [&](const auto& last) { return equation.sweep(last); });
  }

 private:
  /// Bound on K: beyond it, branch-free sweeps for lanes that have converged cost more than the branch.
  static constexpr int max_nominal_sweeps = 12;
};

/// Catalog entry: the step maps on a system.
struct ConstrainedCollocationMap {
  static constexpr bool stages_in_memory = true;  ///< also on a GPU
  template <class System>
  using StepMapsOn = StepMaps<ConstrainedCollocation<System>>;

  /// Whether there is a map with these options.
  static constexpr bool has(const CollocationOptions& options) {
    return options.nodes == CollocationNodes::lobatto && options.stages >= 2 && options.stages <= 4;
  }
  template <class System>
  static constexpr Properties properties_on(Properties properties, const CollocationOptions& options) {
    properties.order = 2 * options.stages - 2;
    return properties;
  }
};

}  // namespace polhode::inline POLHODE_ISA

// Discrete actions of steps, from which the energy that a symplectic step conserves is found (run/shadow_energy.hpp).
//
// A symplectic step from (q0, p0) to (q1, p1) has a function A of its start with dA = p1.dq1 - p0.dq0, which tends to
// the integral of p.dq - H dt over the step. On constraints q and p are those of the space around them: forces of
// constraint do no work. A body's A is that of a curve of rotations; p.dq needs then how it has turned (Skeel & Hardy
// 2001; Engle, Skeel & Drees 2005; Marsden & West 2001, sect. 2.3).
//
// The Step of a map that has one has
//
//   action(of, x, y, active)     StepAction, BodyAction or BodyActionN of the step from x to y
//
// Runge-Kutta methods that are not symplectic have the sum of their stages in its place, with which a drift shows.
#pragma once

#include "polhode/math/lu.hpp"
#include "polhode/math/quaternion.hpp"
#include "polhode/math/triangle.hpp"
#include "polhode/math/vec.hpp"
#include "polhode/method/kicks.hpp"
#include "polhode/system/description.hpp"

namespace polhode::inline POLHODE_ISA {

/// Model, kicks and length of a step.
template <class System, class T>
struct StepContext {
  const typename System::template Model<T>& model;
  const Kicks& kicks;
  T h;

  POLHODE_HD T before() const { return T(static_cast<Real<T>>(kicks.before)) * h; }
  POLHODE_HD T after() const { return T(static_cast<Real<T>>(kicks.after)) * h; }
  /// Action with that of the kicks by the potential at two positions, or verticals.
  template <class Position>
  POLHODE_HD T with_kicks(T action, const Position& first, const Position& last) const {
    if (kicks.before != 0) action = fma(-before(), model.potential(first), action);
    if (kicks.after != 0) action = fma(-after(), model.potential(last), action);
    return action;
  }
};

/// Action of a step, or of successive ones, between positions and momenta.
template <class T>
struct StepAction {
  T action;

  POLHODE_HD StepAction then(const StepAction& next) const { return {action + next.action}; }
};

/// Action of a body in three dimensions, with the quaternion of its turn, seen from the body before it.
template <class T>
struct BodyAction {
  T action;
  Vec<T, 4> turn;

  POLHODE_HD BodyAction then(const BodyAction& next) const {
    return {action + next.action, quaternion_product(turn, next.turn)};
  }
};

/// Action of a body in n dimensions, with the matrix of its turn.
template <class T, int n>
struct BodyActionN {
  T action;
  Mat<T, n, n> turn;

  POLHODE_HD BodyActionN then(const BodyActionN& next) const {
    BodyActionN both{action + next.action, {}};
    for (int i = 0; i < n; ++i) {
      both.turn[i] = turn[i][0] * next.turn[0];
      for (int k = 1; k < n; ++k) both.turn[i] = fma(turn[i][k], next.turn[k], both.turn[i]);
    }
    return both;
  }
};

/// Canonical momentum of a state.
template <class System, class T>
POLHODE_HD Vec<T, System::N> canonical_momentum(const typename System::template Model<T>& model,
                                                const typename System::template State<T>& x) {
  if constexpr (System::kind == Kind::reduced)
    return model.canonical_momentum(System::position(x), System::momentum(x));
  else
    return System::momentum(x);
}

/// 1/2 (p0 + p1).(q1 - q0) of two states.
template <class System, class T>
POLHODE_HD T chord(const typename System::template Model<T>& model, const typename System::template State<T>& from,
                   const typename System::template State<T>& to, const StepAction<T>&) {
  const auto momenta = canonical_momentum<System, T>(model, from) + canonical_momentum<System, T>(model, to);
  return T(Real<T>(0.5)) * dot(momenta, System::position(to) - System::position(from));
}
/// 1/2 (p0 + p1).(q1 - q0) of two states of a body, of unit quaternions q with p = q (0, 2 Pi).
template <class System, class T>
POLHODE_HD T chord(const typename System::template Model<T>&, const typename System::template State<T>& from,
                   const typename System::template State<T>& to, const BodyAction<T>& between) {
  const Vec<T, 3> axis{between.turn[1], between.turn[2], between.turn[3]};
  return dot(System::angular_momentum(from) + System::angular_momentum(to), axis);
}
/// 1/2 (p0 + p1).(q1 - q0) of two states of a body in n dimensions, of matrices Q with P = Q m / 2.
template <class System, class T, int n>
POLHODE_HD T chord(const typename System::template Model<T>&, const typename System::template State<T>& from,
                   const typename System::template State<T>& to, const BodyActionN<T, n>& between) {
  T sum(Real<T>(0));
  for_above<n>([&](int i, int j) POLHODE_LAMBDA {
    sum = fma(System::element(from, i, j) + System::element(to, i, j), between.turn[i][j] - between.turn[j][i], sum);
  });
  return T(Real<T>(0.25)) * sum;
}

/// p.q' - H(q, p) where q' = H_p.
template <class System, class T>
POLHODE_HD T lagrangian(const typename System::template Model<T>& model, const Vec<T, System::N>& q,
                        const Vec<T, System::N>& p) {
  if constexpr (requires { model.velocity(p); })
    return dot(p, model.velocity(p)) - model.hamiltonian(q, p);
  else
    return dot(p, model.velocity(q, p)) - model.hamiltonian(q, p);
}

/// Action of kicks by the potential before and after a motion with constant momentum, up to forces of constraint.
template <class System, class T>
POLHODE_HD StepAction<T> action_of_motion(const StepContext<System, T>& of, const typename System::template State<T>& x,
                                          const typename System::template State<T>& y) {
  const auto q0 = System::position(x), q1 = System::position(y);
  const auto v = (T(Real<T>(1)) / of.h) * (q1 - q0);
  return {of.with_kicks(T(Real<T>(0.5)) * of.h * dot(of.model.momentum_of(q0, v), v), q0, q1)};
}

/// Sum h b_i (P_i.Q_i' - H_i) over the stages of an explicit Runge-Kutta method from x.
template <class System, class T, class ExplicitStages>
POLHODE_HD StepAction<T> action_of_stages(const ExplicitStages& stages, const StepContext<System, T>& of,
                                          const typename System::template State<T>& x) {
  T sum(Real<T>(0));
  stages.visit_stages(x, [&](const T& weight, const typename System::template State<T>& at) POLHODE_LAMBDA {
    sum = fma(weight, lagrangian<System, T>(of.model, System::position(at), System::momentum(at)), sum);
  });
  return {of.h * sum};
}

}  // namespace polhode::inline POLHODE_ISA

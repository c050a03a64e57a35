// Shared by the numerics tests: one trajectory through the step template, on either system of a top and in any scalar.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <type_traits>

#include "numerics/advance_by.hpp"
#include "polhode/method/bound_method.hpp"
#include "polhode/method/constraint_euler.hpp"
#include "polhode/method/constraint_euler_adjoint.hpp"
#include "polhode/method/kicked_rotation.hpp"
#include "polhode/method/moser_veselov.hpp"
#include "polhode/method/preprocessed_rotation.hpp"
#include "polhode/method/rattle.hpp"
#include "polhode/system/heavy_top.hpp"
#include "polhode/system/rigid_body.hpp"
#include "support/acceptance.hpp"
#include "support/heavy_top.hpp"

namespace polhode::test {

template <class System, class Solver>
using Rattle = BoundMethod<RattleMethod, KickedRotation<System, Solver>>;
template <class System, class Solver>
using ConstraintEuler = BoundMethod<ConstraintEulerMethod, KickedRotation<System, Solver>>;
template <class System, class Solver>
using ConstraintEulerAdjoint = BoundMethod<ConstraintEulerAdjointMethod, KickedRotation<System, Solver>>;
template <class System, class Solver>
using MoserVeselov = BoundMethod<MoserVeselovMethod, PreprocessedRotation<System, Solver>>;

/// Pi with the attitude q: the state of either system.
template <class System, class T>
typename System::template State<T> to_state(const std::array<double, 3>& pi, const Quaternion& q) {
  const Vec<T, 4> attitude{T(q[0]), T(q[1]), T(q[2]), T(q[3])};
  typename System::template State<T> state;
  for (int i = 0; i < 3; ++i) state[i] = T(pi[i]);
  if constexpr (std::is_same_v<System, HeavyTop>) {
    const auto gamma = space_axis(attitude, 2);
    for (int i = 0; i < 3; ++i) state[3 + i] = gamma[i];
  } else {
    for (int i = 0; i < 4; ++i) state[3 + i] = attitude[i];
  }
  return state;
}

/// A quaternion of Gamma's length: the shortest rotation that carries Gamma to e3.
inline Quaternion attitude_of(const Point& x) {
  const double norm = std::sqrt(2 * (1 + x[5]));
  return {(1 + x[5]) / norm, x[4] / norm, -x[3] / norm, 0};
}

/// The point as a state of the system; a rigid body has the shortest attitude that goes with Gamma.
template <class System, class T>
typename System::template State<T> to_state(const Point& x) {
  if constexpr (std::is_same_v<System, RigidBody>) {
    return to_state<System, T>({x[0], x[1], x[2]}, attitude_of(x));
  } else {
    return {T(x[0]), T(x[1]), T(x[2]), T(x[3]), T(x[4]), T(x[5])};
  }
}

/// `steps` steps of the method; false where one did not converge.
template <class Method, class T>
bool advance(std::span<const double> parameters, double h, std::int64_t steps,
             typename Method::System::template State<T>& x) {
  if constexpr (std::is_same_v<T, double> && requires { typename Method::Map; }) {
    using Map = typename Method::Map;
    const Scheme scheme(Method::options, Method::kicks);
    return advance_by<Map, double>(parameters.data(), scheme, h, nominal_sweeps_by<Map>(parameters.data(), scheme, h),
                                   steps, x);
  } else {
    const typename Method::System::template Model<T> model(parameters.data());
    const typename Method::template Step<T> step(model, T(Real<T>(h)),
                                                 Method::template nominal_sweeps<double>(parameters.data(), h));
    bool valid = true;
    for (std::int64_t n = 0; n < steps; ++n) valid = step(x, x, true) && valid;
    return valid;
  }
}

/// Right-hand side of the equations (system/top.hpp, system/rigid_body.hpp).
template <class System, class T>
typename System::template State<T> flow(const typename System::template Model<T>& model,
                                        const typename System::template State<T>& x) {
  const Vec<T, 3> pi = System::angular_momentum(x), gamma = System::vertical(x);
  const auto omega = hadamard(model.inverse_inertia, pi);
  const auto torque = cross(pi, omega, cross(gamma, model.c * model.chi));
  if constexpr (std::is_same_v<System, HeavyTop>) {
    const auto turn = cross(gamma, omega);
    return {torque[0], torque[1], torque[2], turn[0], turn[1], turn[2]};
  } else {
    const T half(Real<T>(0.5));
    const auto turn = quaternion_product(System::attitude(x), {T(Real<T>(0)), omega[0], omega[1], omega[2]});
    return {torque[0], torque[1], torque[2], half * turn[0], half * turn[1], half * turn[2], half * turn[3]};
  }
}

/// Euclidean distance of the angular momenta.
template <class State>
double pi_error(const State& x, const std::array<double, 3>& exact) {
  return std::hypot(static_cast<double>(x[0]) - exact[0], static_cast<double>(x[1]) - exact[1],
                    static_cast<double>(x[2]) - exact[2]);
}

/// Largest difference of two states' components.
template <class T, int N>
double largest_difference(const Vec<T, N>& a, const Vec<T, N>& b) {
  T largest(0);
  for (int i = 0; i < N; ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return static_cast<double>(largest);
}

}  // namespace polhode::test

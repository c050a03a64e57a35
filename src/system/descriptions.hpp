// Descriptions of one physical system (polhode/system/cyclic_coordinate.hpp), and the states of one in another:
//
//   in space      q = q(x, theta), p with G W p = 0 where there are constraints
//   on all        x, theta and their momenta (dq/d(x, theta))^T p (cotangent lift)
//   reduced       x, s = p_x - J A(x) and theta, where J, the momentum of theta, is the parameter mu
//
// From space to the coordinates a momentum loses what constraint forces would take from it. Back, velocities are
// transformed, whose momentum is on the hidden constraint. Host only.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "polhode/system/cyclic_system.hpp"
#include "polhode/system/routh_reduced.hpp"
#include "system/transition.hpp"

namespace polhode::inline POLHODE_ISA {

template <class Physics>
concept HasDescriptionInSpace = requires {
  typename Physics::InSpace;
};

constexpr bool has_same_parameters(const auto& one, const auto& other) {
  return std::equal(
      std::begin(one), std::end(one), std::begin(other), std::end(other),
      [](const Parameter& a, const Parameter& b) { return std::string_view(a.name) == b.name && a.size == b.size; });
}

template <class Physics>
class Descriptions {
  static constexpr int M = Physics::N, N = M + 1;
  using Coordinates = Vec<double, N>;
  using Shape = Vec<double, M>;
  using Full = typename CyclicSystem<Physics>::template Model<double>;

 public:
  static const char* reduce(const double* p, const double* x, double* y) {
    const Shape connection = Full(p).metric(shape_of(x)).connection;
    for (int i = 0; i < M; ++i) {
      y[i] = x[i];
      y[M + i] = x[N + i] - x[N + M] * connection[i];
    }
    y[2 * M] = x[M];
    return nullptr;
  }
  static const char* lift(const double* p, const double* y, double* x) {
    const double mu = p[std::size(Physics::example_parameters)];
    const Shape connection = Full(p).metric(shape_of(y)).connection;
    for (int i = 0; i < M; ++i) {
      x[i] = y[i];
      x[N + i] = y[M + i] + mu * connection[i];
    }
    x[M] = y[2 * M];
    x[N + M] = mu;
    return nullptr;
  }
  static ConservedMomentum momentum(const double* p, const double* x) {
    const Full model(p);
    const double J = x[N + M];
    const auto at = model.metric(shape_of(x));
    const Shape s = shape_of(x + N) - J * at.connection;
    // J^2/(2 I) is then all of the kinetic energy.
    return {J, sqrt(J * J + at.inertia * dot(s, LU<double, M>(at.horizontal).solve(s)))};
  }

  static const char* locate(const double* p, const double* x, double* y) requires HasDescriptionInSpace<Physics> {
    constexpr int n = Physics::InSpace::N;
    Vec<double, n> q;
    for (int i = 0; i < n; ++i) q[i] = x[i];
    if (const char* problem = Physics::locate(q, y)) return problem;
    const auto along = position_along(p, y);
    for (int k = 0; k < N; ++k) {
      y[N + k] = 0;
      for (int i = 0; i < n; ++i) y[N + k] = fma(along[i].tangent[k], x[n + i], y[N + k]);
    }
    return nullptr;
  }
  static const char* place(const double* p, const double* y, double* x) requires HasDescriptionInSpace<Physics> {
    using Space = typename Physics::InSpace;
    constexpr int n = Space::N;
    Coordinates coordinates, momenta;
    for (int k = 0; k < N; ++k) {
      coordinates[k] = y[k];
      momenta[k] = y[N + k];
    }
    const Coordinates rates = Full(p).velocity(coordinates, momenta);
    const auto along = position_along(p, y);
    Vec<double, n> q, v;
    for (int i = 0; i < n; ++i) {
      q[i] = along[i].value;
      v[i] = 0;
      for (int k = 0; k < N; ++k) v[i] = fma(along[i].tangent[k], rates[k], v[i]);
    }
    const Vec<double, n> momentum = typename Space::template Model<double>(p).momentum_of(q, v);
    for (int i = 0; i < n; ++i) {
      x[i] = q[i];
      x[n + i] = momentum[i];
    }
    return nullptr;
  }

  /// Conversions from the system on all coordinates to its other descriptions, in space (if it has one) and reduced,
  /// and back (transition.hpp).
  static constexpr auto transitions = [] {
    constexpr Transition reduced{Physics::reduced.name, reduce, lift, momentum};
    if constexpr (HasDescriptionInSpace<Physics>) {
      static_assert(has_same_parameters(Physics::InSpace::parameters, Physics::parameters));
      return std::array{Transition{Physics::InSpace::name, place, locate, nullptr}, reduced};
    } else {
      return std::array{reduced};
    }
  }();

 private:
  static Shape shape_of(const double* x) {
    Shape shape;
    for (int i = 0; i < M; ++i) shape[i] = x[i];
    return shape;
  }
  /// Position in space at the coordinates y (x, then theta), each number with its derivatives by these coordinates.
  static auto position_along(const double* p, const double* y) {
    using Variable = Dual<double, N>;
    Vec<Variable, M> shape;
    for (int k = 0; k < M; ++k) shape[k] = Variable::variable(y[k], k);
    return typename Physics::template Equations<Variable>(p).position_in_space(shape, Variable::variable(y[M], M));
  }
};

}  // namespace polhode::inline POLHODE_ISA

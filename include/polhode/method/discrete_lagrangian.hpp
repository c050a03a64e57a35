// Discrete Lagrangians of a system that is reduced by an angle (system/routh_reduced.hpp): approximations of the action
// over a step h from the shape x0 to x1, in which the angle advances by `turn`,
//
//   L_d(x0, x1, turn) = h L((x0 + x1)/2, (x1 - x0)/h, turn/h)     (midpoint)
//
// or the system's own, in which the angle need not be a coordinate to which rotations add. Invariant under rotations,
// since turn is the difference of the angles. Its derivatives are taken with dual numbers.
#pragma once

#include <cstdint>

#include "polhode/system/routh_reduced.hpp"

namespace polhode::inline POLHODE_ISA {

/// Discrete Lagrangian, as the option of the method lists them.
enum class DiscreteAction : std::uint8_t { midpoint, own };

template <class System, class T>
class DiscreteLagrangian {
  static constexpr int N = System::N;
  using Model = typename System::template Model<T>;

 public:
  using Shape = Vec<T, N>;
  /// Whether a system has a discrete Lagrangian of its own.
  static constexpr bool has_own = requires(const typename System::template Equations<T>& equations, Shape x, T scalar) {
    equations.discrete_lagrangian(x, x, scalar, scalar);
  };

  /// The model must outlive it.
  POLHODE_HD DiscreteLagrangian(const Model& model, DiscreteAction kind, const T& h)
      : model_(model), kind_(kind), h_(h) {}

  POLHODE_OUTLINED T value(const Shape& start, const Shape& end, const T& turn) const { return at(start, end, turn); }

  /// Derivatives by x0 and by turn.
  struct Slopes {
    Shape by_start;
    T by_turn;
  };
  POLHODE_OUTLINED Slopes slopes(const Shape& start, const Shape& end, const T& turn) const {
    using Variable = Dual<T, N + 1>;
    Vec<Variable, N> x0, x1;
    unroll<N>([&](int i) POLHODE_LAMBDA {
      x0[i] = Variable::variable(start[i], i);
      x1[i] = Variable(end[i]);
    });
    const Variable value = at(x0, x1, Variable::variable(turn, N));
    Slopes slopes{{}, value.tangent[N]};
    unroll<N>([&](int i) POLHODE_LAMBDA { slopes.by_start[i] = value.tangent[i]; });
    return slopes;
  }
  /// Derivative along a shift of both ends: O(h), and computed without the cancellation of D1 L_d + D2 L_d.
  POLHODE_OUTLINED Shape shift_slope(const Shape& start, const Shape& end, const T& turn) const {
    using Variable = Dual<T, N>;
    Vec<Variable, N> x0, x1;
    unroll<N>([&](int i) POLHODE_LAMBDA {
      x0[i] = Variable::variable(start[i], i);
      x1[i] = Variable::variable(end[i], i);
    });
    const Variable value = at(x0, x1, Variable(turn));
    Shape slope;
    unroll<N>([&](int i) POLHODE_LAMBDA { slope[i] = value.tangent[i]; });
    return slope;
  }

 private:
  template <class S>
  POLHODE_HD S at(const Vec<S, N>& x0, const Vec<S, N>& x1, const S& turn) const {
    const auto equations = model_.template equations<S>();
    const S h(h_);
    if constexpr (has_own)
      if (kind_ == DiscreteAction::own) return equations.discrete_lagrangian(x0, x1, turn, h);
    const S half(Real<T>(0.5)), inverse = S(T(Real<T>(1)) / h_);
    const CyclicMetric<S, N> metric = equations.metric(half * (x0 + x1));
    const Vec<S, N> velocity = inverse * (x1 - x0);
    const S vertical = fma(inverse, turn, dot(metric.connection, velocity));
    S square = metric.inertia * vertical * vertical;
    unroll<N>([&](int i) POLHODE_LAMBDA { square = fma(velocity[i], dot(metric.horizontal[i], velocity), square); });
    return h * fma(half, square, -metric.potential);
  }

  const Model& model_;
  DiscreteAction kind_;
  T h_;
};

}  // namespace polhode::inline POLHODE_ISA

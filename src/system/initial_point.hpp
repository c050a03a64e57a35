// From what a user gives of positions and momenta to an initial state, of a constrained system on its constraints. Host
// only.
//
//   position     q <- q - W G(q0)^T (G(q) W G(q0)^T)^-1 g(q) from the q0 that was given, to the end; W = 1 where the
//                mass is not constant
//   velocities   the momenta of these at that position, of which the part that is possible is kept: that on the hidden
//                constraint
//   momentum     projected to CM or TN (Momentum in description.hpp)
//
// Without constraints only velocities are changed. What satisfies its equations to round-off stays as it is, bit for
// bit, so that a run continues another's states.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "polhode/system/phase_space.hpp"
#include "system/preparation.hpp"

namespace polhode {

/// Positions may be off their constraints by this much of their length: digits that were not given, not a mistake.
inline constexpr double most_displacement = 0.01;

template <class System>
class InitialPoint {
  static constexpr int N = System::N, D = System::D;
  static constexpr bool is_constrained = System::kind == Kind::constrained;
  using Vector = Vec<double, N>;
  using Model = typename System::template Model<double>;

 public:
  explicit InitialPoint(const double* parameters) : model_(parameters) {}

  /// x[2 N]: positions and momenta, made an initial state in place unless there is a problem with them.
  Preparation prepare(Momentum momentum, double* x) {
    take(x);
    Preparation result;
    if (move_position(result) && move_momentum(momentum, result)) store(x);
    return result;
  }

  /// The same with the second half of x given as velocities.
  Preparation prepare_velocities(Momentum momentum, double* x) {
    take(x);
    Preparation result;
    if (!move_position(result)) return result;
    if (!take_velocity(p_, result)) return result;
    if (move_momentum(Momentum::hidden_constraint, result)) {
      // In the tangent space it is the same state by another name: not moved.
      if constexpr (has_tangent)
        if (momentum == Momentum::tangent) p_ = model_.to_tangent(q_, p_);
      store(x);
    }
    return result;
  }

  /// Any x[2 N], with its position moved to the constraints however far that is. False if they are not near it.
  bool bring_near(double* x) {
    take(x);
    Preparation result;
    if (!move_position(result, std::numeric_limits<double>::infinity())) return false;
    store(x);
    return true;
  }

 private:
  /// Of a projection, relative to the vector: a few roundings for each constraint.
  static constexpr double round_off = 8 * D * std::numeric_limits<double>::epsilon();
  static constexpr int max_iterations = 50;
  /// The second takes what rounding has left of a large part that the first took away; more are for Hamiltonians that
  /// are not quadratic in the momentum.
  static constexpr int max_projections = 20;
  static constexpr bool has_constant_mass = requires(const Model& model, Vector v) { model.velocity(v); };
  /// Constrained ones of these, whose momenta may be those of TN.
  static constexpr bool has_tangent = requires(const Model& model, Vector v) { model.to_tangent(v, v); };

  static double length(const Vector& v) { return std::sqrt(dot(v, v)); }

  void take(const double* x) {
    for (int i = 0; i < N; ++i) {
      q_[i] = x[i];
      p_[i] = x[N + i];
    }
  }
  void store(double* x) const {
    for (int i = 0; i < N; ++i) {
      x[i] = q_[i];
      x[N + i] = p_[i];
    }
  }

  /// Sets the momentum to that of a velocity.
  bool take_velocity(Vector v, Preparation& result) {
    p_ = model_.momentum_of(q_, v);
    if constexpr (!has_constant_mass)
      // A magnetic one is a difference: of the size of what p = 0 moves with.
      if (!(length(model_.velocity(q_, p_) - v) <= 1e-9 * (length(v) + length(model_.velocity(q_, Vector{})))))
        return fail("no momentum has its velocity", result);
    return true;
  }

  bool move_position(Preparation& result, double most = most_displacement) {
    const Vector given = q_;
    if (!std::isfinite(length(given))) return fail("its position is too large", result);
    if constexpr (is_constrained)
      return move_to_constraints(given, most, result);
    else
      return true;
  }
  bool move_to_constraints(const Vector& given, double most, Preparation& result) {
    if (model_.is_singular(given))
      return fail("its constraints are not independent: points that coincide or are in line?", result);
    for (int k = 0; k < max_iterations; ++k) {
      const Vector change = model_.displacement(given, q_);
      const bool settled = length(change) <= round_off * length(q_);
      if (settled && k == 0) return true;
      q_ = q_ - change;  // the last one too, so that from here the first would be small
      if (!settled) continue;
      result.moved_position = length(q_ - given) / length(given);
      return result.moved_position <= most ||
             fail("its position is off the constraints by more than a hundredth of its length", result);
    }
    return fail("its position is far from the constraints, with no point of theirs near it", result);
  }

  bool move_momentum(Momentum momentum, Preparation& result) {
    const Vector given = p_;
    if (!std::isfinite(length(force())))
      return fail("the force at its position is not finite: points that coincide?", result);
    // Lengths that the projection does not increase; to the hidden constraint that is the velocity's, by its energy.
    const auto size = [&](const Vector& p) {
      if constexpr (has_constant_mass)
        if (momentum != Momentum::tangent) return std::sqrt(dot(p, model_.velocity(p)));
      return length(p);
    };
    if (!std::isfinite(size(given))) return fail("its momenta are too large", result);
    if constexpr (is_constrained)
      return project_momentum(given, momentum, size, result);
    else
      return true;
  }
  /// size: of a momentum, as the projection does not increase it.
  template <class Size>
  bool project_momentum(const Vector& given, Momentum momentum, const Size& size, Preparation& result) {
    double last = 0;
    for (int k = 0; k < max_projections; ++k) {
      const Vector change = p_ - projected(momentum);
      last = size(change);
      const bool settled = last <= round_off * size(p_);
      if (settled && k == 0) return true;
      p_ = p_ - change;
      if (settled) break;
    }
    // Of a momentum that is nearly nothing but constraint forces a rounding of the whole is left to change.
    const double larger = std::max(size(given), size(p_));
    if (!(last <= 1e-10 * larger)) return fail("its momenta have no projection to the constraints", result);
    if (size(p_) <= round_off * size(given)) p_ = {};  // no part of it was possible
    result.moved_momentum = size(p_ - given) / larger;
    return true;
  }

  Vector force() const {
    if constexpr (has_constant_mass)
      return model_.potential_gradient(q_);
    else
      return model_.position_gradient(q_, p_);
  }
  Vector projected(Momentum momentum) const {
    if constexpr (has_tangent)
      if (momentum == Momentum::tangent) return model_.to_tangent(q_, p_);
    return model_.to_hidden_constraint(q_, p_);
  }

  static bool fail(const char* problem, Preparation& result) {
    result.problem = problem;
    return false;
  }

  Model model_;
  Vector q_, p_;
};

}  // namespace polhode

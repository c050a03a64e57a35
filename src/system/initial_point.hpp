// Initial states from positions and momenta that a user gives, for a constrained system on its constraints. Host only.
//
//   position     q <- q - W G(q0)^T (G(q) W G(q0)^T)^-1 g(q) from the given q0, to convergence; W = 1 where the mass is
//                not constant
//   velocities   converted to momenta at that position, and projected onto the hidden constraint
//   momentum     projected onto CM or TN (Momentum in description.hpp)
//
// Without constraints only velocities are changed; never the angle of a reduced system. Data that satisfy their
// equations to round-off remain bitwise unchanged, so that a run can continue the states of another.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "polhode/system/phase_space.hpp"
#include "system/preparation.hpp"

namespace polhode::inline POLHODE_ISA {

/// Largest distance from the constraints at which a given position is accepted, relative to the length of the position:
/// an error of numbers with few digits. A larger distance is taken for a mistake.
inline constexpr double most_displacement = 0.01;

template <class System>
class InitialPoint {
  static constexpr int N = System::N, D = System::D;
  static constexpr bool is_constrained = System::kind == Kind::constrained;
  using Vector = Vec<double, N>;
  using Model = typename System::template Model<double>;

 public:
  explicit InitialPoint(const double* parameters) : model_(parameters) {}

  /// Makes an initial state, in place, of the first 2 N numbers of x, positions and momenta; leaves x as it is where
  /// the result has a problem. momentum: the set to which momenta are projected.
  Preparation prepare(Momentum momentum, double* x) {
    load(x);
    Preparation result;
    if (move_position(result) && move_momentum(momentum, result)) store(x);
    return result;
  }

  /// Makes an initial state, in place, of the first 2 N numbers of x, positions and velocities, which become momenta;
  /// leaves x as it is where the result has a problem. momentum: the set to which the momenta are to belong.
  Preparation prepare_velocities(Momentum momentum, double* x) {
    load(x);
    Preparation result;
    if (!move_position(result)) return result;
    if (!set_momentum_of(p_, result)) return result;
    if (move_momentum(Momentum::hidden_constraint, result)) {
      // On TN it is the same state in other variables: not counted as moved.
      if constexpr (has_tangent)
        if (momentum == Momentum::tangent) p_ = model_.to_tangent(q_, p_);
      store(x);
    }
    return result;
  }

  /// Moves the position of x onto the constraints, over any distance, and returns true. Returns false, and leaves x as
  /// it is, where the length of the position is not finite, the constraint Jacobian is rank-deficient, or the iteration
  /// finds no point on the constraints.
  bool bring_near(double* x) {
    load(x);
    Preparation result;
    if (!move_position(result, std::numeric_limits<double>::infinity())) return false;
    store(x);
    return true;
  }

 private:
  /// Round-off of a projection, relative to the vector: a few roundings for each constraint.
  static constexpr double round_off = 8 * D * std::numeric_limits<double>::epsilon();
  static constexpr int max_iterations = 50;
  /// Largest number of projections of a momentum. The second one removes the rounding errors of the first, which are
  /// large where the first removes most of the momentum; more are for Hamiltonians that are not quadratic in the
  /// momentum.
  static constexpr int max_projections = 20;
  static constexpr bool has_constant_mass = requires(const Model& model, Vector v) { model.velocity(v); };
  /// Whether momenta of the system may be on TN: it has constraints and a constant mass.
  static constexpr bool has_tangent = requires(const Model& model, Vector v) { model.to_tangent(v, v); };

  static double length(const Vector& v) { return std::sqrt(dot(v, v)); }

  void load(const double* x) {
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

  /// Sets the momentum p_ to that of the velocity v at the position q_, and returns true. Returns false, with a problem
  /// in `result`, where no momentum has this velocity.
  bool set_momentum_of(Vector v, Preparation& result) {
    p_ = model_.momentum_of(q_, v);
    if constexpr (!has_constant_mass)
      // A magnetic velocity is a difference, so the error is relative to the velocity of p = 0, too.
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
      return fail("its constraint Jacobian is rank-deficient: points that coincide or are in line?", result);
    for (int k = 0; k < max_iterations; ++k) {
      const Vector change = model_.displacement(given, q_);
      const bool settled = length(change) <= round_off * length(q_);
      if (settled && k == 0) return true;
      q_ = q_ - change;  // also the last one, so that a repeated first one would be small
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
    // Norms that the projection does not increase; for that onto the hidden constraint the norm of the kinetic energy.
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
  /// Projects the momentum p_, which is `given`, onto the set `momentum`, writes its displacement into `result`, and
  /// returns true. Returns false, with a problem in `result`, where p_ has no projection. size(p): a norm that the
  /// projection does not increase.
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
    // For a momentum that consists almost of constraint forces alone the change is a rounding error of the whole.
    const double larger = std::max(size(given), size(p_));
    if (!(last <= 1e-10 * larger)) return fail("its momenta have no projection to the constraints", result);
    if (size(p_) <= round_off * size(given)) p_ = {};  // it consisted of constraint forces alone
    result.moved_momentum = size(p_ - given) / larger;
    if constexpr (has_tangent)  // to the precision with which people write numbers
      result.is_tangent = momentum == Momentum::hidden_constraint && result.moved_momentum > 0.01 &&
                          length(model_.to_tangent(q_, given) - given) <= 1e-3 * length(given);
    return true;
  }

  Vector force() const {
    if constexpr (has_constant_mass)
      return model_.potential_gradient(q_);
    else if constexpr (System::kind == Kind::reduced)
      return model_.rates(q_, model_.canonical_momentum(q_, p_)).force;
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

}  // namespace polhode::inline POLHODE_ISA

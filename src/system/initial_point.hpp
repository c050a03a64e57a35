// From what a user gives of a constrained system to a state on its constraints. Host only.
#pragma once

#include <cmath>
#include <limits>

#include "polhode/system/constrained_system.hpp"

namespace polhode {

/// Positions may be off their constraints by this much of their length: digits that were not given, not a mistake.
inline constexpr double most_displacement = 0.01;

template <class System>
class InitialPoint {
  static constexpr int N = System::N, D = System::D;
  using Model = typename System::template Model<double>;

 public:
  /// p: parameters; x[2 N]: a state.
  InitialPoint(const double* p, const double* x) : model_(p) {
    for (int i = 0; i < N; ++i) {
      q_[i] = x[i];
      p_[i] = x[N + i];
    }
  }

  /// Takes the second half of the state as velocities q' and makes them momenta M q'.
  void take_velocities() {
    Mat<double, N, N> inverse_mass;
    for (int j = 0; j < N; ++j) {
      Vec<double, N> e{};
      e[j] = 1;
      const Vec<double, N> column = model_.velocity(e);
      for (int i = 0; i < N; ++i) inverse_mass[i][j] = column[i];
    }
    p_ = LU<double, N>(inverse_mass).solve(p_);
  }

  /// Moves the position along W G^T to the constraints and projects the momentum; what satisfies its equations to
  /// round-off stays as it is, bit for bit. What is wrong with the state, or null.
  const char* project(Momentum momentum) {
    if (const char* problem = project_position()) return problem;
    if (!std::isfinite(length(model_.potential_gradient(q_))))
      return "the force at its position is not finite (points that coincide?)";
    const auto correction = [&](const Vec<double, N>& p) {
      return momentum == Momentum::tangent ? p - model_.to_tangent(q_, p) : p - model_.to_hidden_constraint(q_, p);
    };
    const Vec<double, N> change = correction(p_);
    if (!(length(change) <= round_off * length(p_))) p_ = p_ - change;
    return std::isfinite(length(p_)) ? nullptr : "its momenta have no projection to the constraints";
  }

  void store(double* x) const {
    for (int i = 0; i < N; ++i) {
      x[i] = q_[i];
      x[N + i] = p_[i];
    }
  }

 private:
  /// Of a projection, relative to the vector: a few roundings for each constraint.
  static constexpr double round_off = 8 * D * std::numeric_limits<double>::epsilon();
  static constexpr int max_iterations = 50;

  static double length(const Vec<double, N>& v) { return std::sqrt(dot(v, v)); }

  const char* project_position() {
    if (model_.is_singular(q_)) return "its constraints are not independent (points that coincide or are in line?)";
    const Vec<double, N> given = q_;
    for (int k = 0; k < max_iterations; ++k) {
      const Vec<double, D> s = LU<double, D>(model_.schur(q_, given)).solve(model_.constraints(q_));
      const Vec<double, N> change = model_.velocity(model_.pull(given, s));
      if (length(change) <= round_off * length(q_))
        return length(q_ - given) <= most_displacement * length(given)
                   ? nullptr
                   : "its position is off the constraints by more than a hundredth of its length";
      q_ = q_ - change;
    }
    return "no position on the constraints was found near it";
  }

  Model model_;
  Vec<double, N> q_, p_;
};

}  // namespace polhode

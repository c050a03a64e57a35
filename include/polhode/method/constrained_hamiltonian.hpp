// One interface to the constrained systems with a constant mass (system/constrained_system.hpp) and to those with any
// Hamiltonian (system/hamiltonian_system.hpp).
#pragma once

#include "polhode/method/constraint_algorithm.hpp"

namespace polhode::inline POLHODE_ISA {

/// The model must outlive it.
template <class System, class T>
class ConstrainedHamiltonian {
  static constexpr int N = System::N, D = System::D;
  using Model = typename System::template Model<T>;
  using Position = Vec<T, N>;
  static constexpr bool has_constant_mass = requires(const Model& model, Position q) { model.potential_gradient(q); };

 public:
  POLHODE_HD explicit ConstrainedHamiltonian(const Model& model) : model_(model) {}

  POLHODE_HD Vec<T, D> constraints(const Position& q) const { return model_.constraints(q); }
  POLHODE_HD Position velocity(const Position& q, const Position& p) const {
    if constexpr (has_constant_mass)
      return model_.velocity(p);
    else
      return model_.velocity(q, p);
  }
  POLHODE_HD Position position_gradient(const Position& q, const Position& p) const {
    if constexpr (has_constant_mass)
      return model_.potential_gradient(q);
    else
      return model_.position_gradient(q, p);
  }
  /// H_q + G^T l.
  POLHODE_HD Position force(const Position& q, const Position& p, const Vec<T, D>& l) const {
    return model_.pull(q, l, position_gradient(q, p));
  }
  /// G(q) H_pp(q, p) G(q)^T.
  POLHODE_HD Mat<T, D, D> schur(const Position& q, const Position& p) const {
    if constexpr (has_constant_mass)
      return model_.schur(q, q);
    else
      return model_.schur(q, q, q, p);
  }
  /// Displaces p by constraint forces so that it satisfies the hidden constraint; returns the lanes in which it does.
  /// h: see MomentumEquation.
  POLHODE_HD Mask<T> project(const Position& q, const T& h, Position& p, const Mask<T>& active) const {
    if constexpr (has_constant_mass) {
      p = model_.to_hidden_constraint(q, p);
      return Mask<T>(true);
    } else {
      return project_momentum<System, T>(model_, q, h, p, active);
    }
  }
  /// Lanes in which q is on its constraints to round-off.
  POLHODE_HD Mask<T> is_on_constraints(const Position& q) const { return is_negligible(model_.displacement(q, q), q); }

 private:
  const Model& model_;
};

}  // namespace polhode::inline POLHODE_ISA

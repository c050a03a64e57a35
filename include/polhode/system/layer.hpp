// The layer of a variational integrator (method/variational_map.hpp): the equations of motion of a constrained system
// and its action, near its constraints,
//
//     q' = v,   v' = A(q, v),   S' = L(q, v)
//
// to which a one-step method is applied, and the tangent bundle TQ of the constraints, g(q) = 0, G v = 0. Multipliers
// are substituted, so that A is defined off TQ as well (Patrick, Cuell, Spiteri & Zhang 2009, sect. 4).
//
// Where the mass is constant momenta stand for velocities: a Runge-Kutta method does the same in both.
#pragma once

#include <type_traits>

#include "polhode/math/lu.hpp"
#include "polhode/scalar/dual.hpp"

namespace polhode::inline POLHODE_ISA {

/// D^2 g(v, z): the derivative of G v along z.
template <class Model, class T, int N>
POLHODE_HD auto second_derivative(const Model& model, const Vec<T, N>& q, const Vec<T, N>& v, const Vec<T, N>& z) {
  using Along = Dual<T, 1>;
  Vec<Along, N> moving, constant;
  unroll<N>([&](int i) POLHODE_LAMBDA {
    moving[i] = Along(q[i]);
    moving[i].tangent[0] = z[i];
    constant[i] = Along(v[i]);
  });
  const auto rates = model.template in_scalar<Along>().push(moving, constant);
  typename Model::Multipliers second;
  for (int i = 0; i < Model::D; ++i) second[i] = rates[i].tangent[0];
  return second;
}

/// v without its part along the rows of G.
template <class Model, class T, int N>
POLHODE_HD Vec<T, N> tangential_part(const Model& model, const Vec<T, N>& q, const Vec<T, N>& v) {
  return model.pull(q, -LU<T, Model::D>(model.gram(q)).solve(model.push(q, v)), v);
}

/// Mechanical system of constant mass (system/constrained_system.hpp), with momenta u = M v, L = 1/2 u.W u - V. The
/// model must outlive it.
template <class System, class T>
class MomentumLayer {
 public:
  static constexpr int N = System::N, D = System::D;
  using Position = Vec<T, N>;
  using Curve = Vec<T, 2 * N + 1>;  ///< q, u, S
  using Model = typename System::template Model<T>;

  explicit POLHODE_HD MomentumLayer(const Model& model) : model_(model) {}

  /// u of a state with these positions and momenta.
  POLHODE_HD Position from_momentum(const Position& q, const Position& p) const { return model_.lifted(q, p); }
  POLHODE_HD Position velocity(const Position& u) const { return model_.velocity(u); }
  /// u without its part that leads off the constraints.
  POLHODE_HD Position tangential(const Position& q, const Position& u) const {
    return model_.to_hidden_constraint(q, u);
  }

  /// Tangent space of TQ at a point. All that it is given must outlive it.
  class Tangents {
   public:
    POLHODE_HD Tangents(const Model& model, const Position& q, const Position& u)
        : model_(model), q_(q), velocity_(model.velocity(u)), matrix_(model.schur(q, q)) {}

    /// Change of u for a change z of the momentum, up to constraint forces.
    POLHODE_HD Position along_momentum(const Position& z) const { return model_.to_hidden_constraint(q_, z, matrix_); }
    /// Change of u that keeps (q, u) on TQ while q moves along z.
    POLHODE_HD Position along_position(const Position& z) const {
      return model_.pull(q_, -matrix_.solve(second_derivative(model_, q_, velocity_, z)));
    }

   private:
    const Model& model_;
    const Position& q_;
    Position velocity_;
    LU<T, D> matrix_;
  };

  /// Rates of q, u and S.
  POLHODE_OUTLINED Curve flow(const Curve& x) const {
    Position q, u;
    unroll<N>([&](int i) POLHODE_LAMBDA {
      q[i] = x[i];
      u[i] = x[N + i];
    });
    const Position v = model_.velocity(u), force = model_.force(q, u);
    Curve rate;
    unroll<N>([&](int i) POLHODE_LAMBDA {
      rate[i] = v[i];
      rate[N + i] = force[i];
    });
    rate[2 * N] = fma(T(Real<T>(0.5)), dot(u, v), -model_.potential(q));
    return rate;
  }

 private:
  const Model& model_;
};

/// System with any Hamiltonian that is quadratic in the momenta (system/hamiltonian_system.hpp), with velocities u = v.
/// The model must outlive it.
template <class System, class T>
class VelocityLayer {
 public:
  static constexpr int N = System::N, D = System::D;
  using Position = Vec<T, N>;
  using Curve = Vec<T, 2 * N + 1>;  ///< q, v, S
  using Model = typename System::template Model<T>;

  /// H_p at a position: linear in the momentum but for its value at rest.
  class Velocities {
   public:
    POLHODE_HD Velocities(const Model& model, const Position& q) {
      const Position zero = T(Real<T>(0)) * q;
      at_rest_ = model.velocity(q, zero);
      for (int j = 0; j < N; ++j) {
        Position unit = zero;
        unit[j] = T(Real<T>(1));
        columns_[j] = model.velocity(q, unit) - at_rest_;
      }
    }
    /// H_pp p.
    POLHODE_HD Position operator()(const Position& p) const {
      Position v;
      for (int i = 0; i < N; ++i) v[i] = dot(columns_[i], p);
      return v;
    }
    /// Momentum of a velocity.
    POLHODE_HD Position momentum_of(const Position& v) const { return LU<T, N>(columns_).solve(v - at_rest_); }

   private:
    Mat<T, N, N> columns_;  ///< H_pp, which is symmetric
    Position at_rest_;
  };

  explicit POLHODE_HD VelocityLayer(const Model& model) : model_(model) {}

  POLHODE_HD Position from_momentum(const Position& q, const Position& p) const { return model_.velocity(q, p); }
  POLHODE_HD const Position& velocity(const Position& u) const { return u; }
  POLHODE_HD Position tangential(const Position& q, const Position& u) const { return tangential_part(model_, q, u); }

  class Tangents {
   public:
    POLHODE_HD Tangents(const Model& model, const Position& q, const Position& u)
        : model_(model),
          q_(q),
          u_(u),
          velocities_(model, q),
          gram_(model.gram(q)),
          schur_(model.product(q, q, velocities_)) {}

    POLHODE_HD Position along_momentum(const Position& z) const {
      return velocities_(model_.pull(q_, -schur_.solve(model_.push(q_, velocities_(z))), z));
    }
    POLHODE_HD Position along_position(const Position& z) const {
      return model_.pull(q_, -gram_.solve(second_derivative(model_, q_, u_, z)));
    }

   private:
    const Model& model_;
    const Position &q_, &u_;
    Velocities velocities_;
    LU<T, D> gram_, schur_;
  };

  POLHODE_OUTLINED Curve flow(const Curve& x) const {
    Position q, v;
    unroll<N>([&](int i) POLHODE_LAMBDA {
      q[i] = x[i];
      v[i] = x[N + i];
    });
    const Velocities velocities(model_, q);
    const Position p = velocities.momentum_of(v);
    const Position gradient = model_.position_gradient(q, p);
    // Change of H_p along (v, -H_q), without constraint forces; these come last.
    using Along = Dual<T, 1>;
    Vec<Along, N> position, momentum;
    unroll<N>([&](int i) POLHODE_LAMBDA {
      position[i] = Along(q[i]);
      position[i].tangent[0] = v[i];
      momentum[i] = Along(p[i]);
      momentum[i].tangent[0] = -gradient[i];
    });
    const auto velocity = model_.template in_scalar<Along>().velocity(position, momentum);
    Position acceleration;
    unroll<N>([&](int i) POLHODE_LAMBDA { acceleration[i] = velocity[i].tangent[0]; });
    const typename Model::Multipliers load = second_derivative(model_, q, v, v) + model_.push(q, acceleration);
    const Position forces = model_.pull(q, LU<T, D>(model_.product(q, q, velocities)).solve(load));
    acceleration = acceleration - velocities(forces);
    Curve rate;
    unroll<N>([&](int i) POLHODE_LAMBDA {
      rate[i] = v[i];
      rate[N + i] = acceleration[i];
    });
    rate[2 * N] = dot(p, v) - model_.hamiltonian(q, p);
    return rate;
  }

 private:
  const Model& model_;
};

template <class System, class T>
constexpr auto* layer_of() {
  using Position = Vec<T, System::N>;
  if constexpr (requires(const typename System::template Model<T>& model, const Position& p) { model.velocity(p); })
    return static_cast<MomentumLayer<System, T>*>(nullptr);
  else
    return static_cast<VelocityLayer<System, T>*>(nullptr);
}
/// The layer of a system.
template <class System, class T>
using LayerOf = std::remove_pointer_t<decltype(layer_of<System, T>())>;

}  // namespace polhode::inline POLHODE_ISA

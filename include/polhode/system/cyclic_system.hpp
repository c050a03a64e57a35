// The canonical system of a cyclic coordinate (cyclic_coordinate.hpp), on all of its coordinates: q = (x, theta) with
// momenta (p, mu). CyclicSystem<Physics> is the system.
#pragma once

#include <utility>

#include "polhode/system/cyclic_coordinate.hpp"
#include "polhode/system/phase_space.hpp"

namespace polhode::inline POLHODE_ISA {

/// The Physics of phase_space.hpp.
template <class Cyclic_>
struct CyclicPhysics : Cyclic_ {
  using Cyclic = Cyclic_;
  static constexpr const char* name = Cyclic::full.name;
  static constexpr const char* meaning = Cyclic::full.meaning;
  static constexpr auto equations = Cyclic::full.equations;
  static constexpr int M = Cyclic::N, N = M + 1, D = 0;
  static constexpr int n_rows = cyclic_derived_count<Cyclic>();
  static constexpr bool is_large = true;  ///< the derivatives of a metric

  static constexpr std::array<Quantity, 2 * N> columns = [] {
    std::array<Quantity, 2 * N> all{};
    for (int i = 0; i < M; ++i) all[i] = Cyclic::shape[i];
    all[M] = Cyclic::angle;
    for (int i = 0; i < N; ++i) all[N + i] = Cyclic::momenta[i];
    return all;
  }();
  static void example_state(const double* p, double* x) {
    const CyclicMotion<double, M> motion = Cyclic::example_motion(p);
    const CyclicMetric<double, M> at = typename Cyclic::template Equations<double>(p).metric(motion.shape);
    const double mu = at.inertia * (motion.angle_rate + dot(at.connection, motion.velocity));
    for (int i = 0; i < M; ++i) {
      x[i] = motion.shape[i];
      x[N + i] = dot(at.horizontal[i], motion.velocity) + mu * at.connection[i];
    }
    x[M] = motion.angle;
    x[N + M] = mu;
  }

  template <class T>
  struct Equations : Cyclic::template Equations<T> {
    using Base = typename Cyclic::template Equations<T>;
    using Base::Base;
    using Position = Vec<T, N>;

    POLHODE_HD static Vec<T, M> shape(const Position& q) {
      Vec<T, M> x;
      unroll<M>([&](int i) POLHODE_LAMBDA { x[i] = q[i]; });
      return x;
    }
    POLHODE_HD static Position joined(const Vec<T, M>& x, const T& last) {
      Position q;
      unroll<M>([&](int i) POLHODE_LAMBDA { q[i] = x[i]; });
      q[M] = last;
      return q;
    }

    POLHODE_HD Mask<T> is_inside(const Position& q) const requires requires(const Base& base, const Vec<T, M>& x) {
      base.is_inside(x);
    }
    { return Base::is_inside(shape(q)); }
    /// mu.
    POLHODE_HD T momentum_of_angle(const Position&, const Position& p) const { return p[M]; }
    static constexpr ConservedRow<Equations, T, N> conserved[1] = {{Cyclic::momenta[M], &Equations::momentum_of_angle}};
  };
};

template <class Physics, class T>
class CyclicSystemFunctions : public CyclicCalculus<Physics, T, Physics::M> {
  using Base = CyclicCalculus<Physics, T, Physics::M>;
  using Rows = typename Physics::Cyclic::template Equations<T>;

 public:
  using Base::Base, Base::N;
  static constexpr int M = Physics::M;
  using typename Base::Position;

  struct Rates {
    Position velocity, force;
  };
  /// The equations of motion; the last force is 0.
  POLHODE_HD Rates rates(const Position& q, const Position& p) const {
    const auto rates = this->shape_rates(this->shape(q), this->shape(p), p[M]);
    return {this->joined(rates.velocity, rates.angle_rate), this->joined(rates.force, T(Real<T>(0)))};
  }
  POLHODE_HD Position velocity(const Position& q, const Position& p) const {
    const auto at = motion_at(q, p);
    return this->joined(at.velocity, at.angle_rate);
  }
  POLHODE_HD Position force(const Position& q, const Position& p) const { return rates(q, p).force; }
  POLHODE_HD Position position_gradient(const Position& q, const Position& p) const {
    return T(Real<T>(-1)) * force(q, p);
  }
  /// The momenta of velocities.
  POLHODE_HD Position momentum_of(const Position& q, const Position& v) const {
    const Vec<T, M> x = this->shape(q), shape_velocity = this->shape(v);
    const CyclicMetric<T, M> at = this->metric(x);
    const T mu = at.inertia * (v[M] + dot(at.connection, shape_velocity));
    return this->joined(fma(mu, at.connection, this->horizontal_momentum(x, shape_velocity)), mu);
  }
  POLHODE_HD const Position& lifted(const Position&, const Position& p) const { return p; }

  POLHODE_HD T hamiltonian(const Position& q, const Position& p) const {
    return this->energy_at(this->shape(q), this->shape(p), p[M]).value;
  }
  POLHODE_HD T hamiltonian_size(const Position& q, const Position& p) const {
    return this->energy_at(this->shape(q), this->shape(p), p[M]).size;
  }

  /// Lanes in which a step h from (q, p) that fails leaves the chart.
  POLHODE_OUTLINED Mask<T> is_at_edge(const Position& q, const Position& p,
                                      const T& h) const requires HasEdge<Rows, T, M> {
    return this->is_near_edge(motion_at(q, p), h);
  }

  template <int row>
  POLHODE_HD T derived_value(const Position& q, const Position& p) const {
    constexpr auto value = Rows::derived[row].value;
    return call(value, *this, motion_at(q, p));
  }
  template <int row>
  POLHODE_HD T derived_magnitude(const Position& q, const Position& p) const {
    constexpr auto magnitude = Rows::derived[row].magnitude;
    return call(magnitude, *this, motion_at(q, p));
  }

 private:
  POLHODE_HD CyclicMotion<T, M> motion_at(const Position& q, const Position& p) const {
    return this->motion(this->shape(q), this->shape(p), q[M], p[M]);
  }
};

template <class Physics, class T>
struct CyclicSystemCalculus : CyclicSystemFunctions<Physics, T> {
  using Functions = CyclicSystemFunctions<Physics, T>;
  using Functions::Functions;
  using Row = DerivedRow<Functions, T, Physics::N>;

  /// The rows of the Physics as functions of positions and momenta.
  static constexpr auto derived =
      cyclic_rows<typename Physics::Cyclic::template Equations<T>, Functions, Row, Physics::n_rows>();
};

template <class Physics>
using CyclicSystem = PhaseSpace<CyclicPhysics<Physics>, CyclicSystemCalculus>;

}  // namespace polhode::inline POLHODE_ISA

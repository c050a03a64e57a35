// Partitioned Runge-Kutta methods of collocation type on canonical equations, q' = v(q, p), p' = f(q, p):
//
//   Q_i = q + h sum over j of a_ij v(Q_j, P_j),      q1 = q + h sum over i of b_i v(Q_i, P_i)
//   P_i = p + h sum over j of a^_ij f(Q_j, P_j),     p1 = p + h sum over i of b_i f(Q_i, P_i)
//
// gauss has a^ = a; lobatto is the pair of Lobatto IIIA and IIIB (Hairer, Lubich & Wanner 2006, sects. II.1.4, II.2.2
// and VI.4). Symplectic, because b_i a^_ij + b_j a_ji = b_i b_j, and symmetric; conserve integrals q^T D p. With two
// stages, Lobatto's pair is the method of Stoermer and Verlet where H = T(p) + V(q).
//
// On a system that is reduced by an angle (system/routh_reduced.hpp) they are applied in its canonical coordinates, and
// the angle is the integral of its rate with the same weights (Jalnapurkar, Leok, Marsden & West 2006, sect. 5).
#pragma once

#include "polhode/method/collocation_step.hpp"
#include "polhode/method/lobatto_tables.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/method/step_maps.hpp"
#include "polhode/system/description.hpp"

namespace polhode::inline POLHODE_ISA {

/// The StageEquations of a canonical system, or of a reduced one. A stage is (Q, P).
template <class System, class T, class C>
class CanonicalStages {
  static constexpr int N = System::N;
  static constexpr bool is_reduced = System::kind == Kind::reduced;
  static constexpr bool has_cyclic = requires { typename System::Cyclic; };  ///< it is the last position
  using Model = typename System::template Model<T>;
  using State = typename System::template State<T>;
  using Table = ButcherTable<C, max_collocation_stages>;
  using Half = Vec<T, N>;

  /// Whether velocities, forces and the rate of the angle come together.
  static constexpr bool has_rates = requires(const Model& model, Half q) { model.rates(q, q); };

 public:
  using Values = Stages<T, 2 * N, max_collocation_stages>;

  POLHODE_HD CanonicalStages(const Model& model, const Table& table, const T& h, const State& x)
      : model_(model), table_(table), h_(h), x_(x), q_(System::position(x)), p_(canonical_momentum(x)) {
    // Nothing depends on a cyclic coordinate: stages are judged by its advance alone, not by how often it has turned.
    if constexpr (has_cyclic) q_[N - 1] = T(Real<T>(0));
  }

  POLHODE_HD Values start() const {
    const auto rates = rates_at(q_, p_);
    Values first(table_.stages);
    for (int i = 0; i < table_.stages; ++i) {
      const T time = T(table_.c[i]) * h_;
      set_position(first.of[i], fma(time, rates.velocity, q_));
      set_momentum(first.of[i], fma(time, rates.force, p_));
    }
    return first;
  }

  /// Sweep of the fixed-point iteration. Where velocities and forces are separate functions, forces are those at the
  /// new positions already: that halves the number of sweeps where H = T(p) + V(q).
  POLHODE_OUTLINED Values sweep(const Values& last) const {
    Half velocities[max_collocation_stages], forces[max_collocation_stages];
    Values next(table_.stages);
    for (int j = 0; j < table_.stages; ++j) {
      const Half q = position(last.of[j]), p = momentum(last.of[j]);
      if constexpr (has_rates) {
        const auto rates = model_.rates(q, p);
        velocities[j] = rates.velocity;
        forces[j] = rates.force;
      } else {
        velocities[j] = velocity(q, p);
      }
    }
    for (int i = 0; i < table_.stages; ++i)
      set_position(next.of[i], advanced(q_, h_, table_.a[i], velocities, table_.stages));
    if constexpr (!has_rates)
      for (int j = 0; j < table_.stages; ++j) forces[j] = model_.force(position(next.of[j]), momentum(last.of[j]));
    for (int i = 0; i < table_.stages; ++i)
      set_momentum(next.of[i], advanced(p_, h_, table_.a_hat[i], forces, table_.stages));
    return next;
  }

  POLHODE_HD State end(const Values& stages) const {
    Half velocities[max_collocation_stages], forces[max_collocation_stages];
    Vec<T, 1> angle_rates[max_collocation_stages];
    for (int j = 0; j < table_.stages; ++j) {
      const auto rates = rates_at(position(stages.of[j]), momentum(stages.of[j]));
      velocities[j] = rates.velocity;
      forces[j] = rates.force;
      if constexpr (is_reduced) angle_rates[j][0] = rates.angle_rate;
    }
    Half q = advanced(q_, h_, table_.b, velocities, table_.stages);
    const Half p = advanced(p_, h_, table_.b, forces, table_.stages);
    if constexpr (has_cyclic) q[N - 1] = System::position(x_)[N - 1] + q[N - 1];
    if constexpr (is_reduced) {
      const Vec<T, 1> angle = advanced(Vec<T, 1>{System::angle_of(x_)}, h_, table_.b, angle_rates, table_.stages);
      return System::state(q, model_.reduced_momentum(q, p), angle[0]);
    } else {
      return System::state(q, p);
    }
  }

  /// h sum over i of b_i (P_i.Q_i' - H(Q_i, P_i)), of a reduced system with its energy for H.
  POLHODE_HD T action(const Values& stages) const {
    T sum(Real<T>(0));
    for (int i = 0; i < table_.stages; ++i) {
      const Half q = position(stages.of[i]), p = momentum(stages.of[i]);
      sum = fma(T(table_.b[i]), dot(p, rates_at(q, p).velocity) - energy(q, p), sum);
    }
    return h_ * sum;
  }

  template <class R>
  static ButcherTable<R, max_collocation_stages> table(const CollocationOptions& options) {
    if (options.nodes == CollocationNodes::gauss) return gauss_table<R>(options.stages);
    return widened<max_collocation_stages>(lobatto_table<R>(options.stages));
  }

 private:
  POLHODE_HD Half canonical_momentum(const State& x) const {
    if constexpr (is_reduced)
      return model_.canonical_momentum(System::position(x), System::momentum(x));
    else
      return System::momentum(x);
  }
  POLHODE_HD Half velocity(const Half& q, const Half& p) const {
    if constexpr (requires { model_.velocity(p); })
      return model_.velocity(p);
    else
      return model_.velocity(q, p);
  }
  POLHODE_HD T energy(const Half& q, const Half& p) const {
    if constexpr (is_reduced)
      return model_.energy(System::state(q, model_.reduced_momentum(q, p), T(Real<T>(0))));
    else
      return model_.hamiltonian(q, p);
  }
  struct Rates {
    Half velocity, force;
  };
  POLHODE_HD auto rates_at(const Half& q, const Half& p) const {
    if constexpr (has_rates)
      return model_.rates(q, p);
    else
      return Rates{velocity(q, p), model_.force(q, p)};
  }

  using Stage = Vec<T, 2 * N>;
  POLHODE_HD static Half position(const Stage& stage) {
    Half q;
    unroll<N>([&](int k) POLHODE_LAMBDA { q[k] = stage[k]; });
    return q;
  }
  POLHODE_HD static Half momentum(const Stage& stage) {
    Half p;
    unroll<N>([&](int k) POLHODE_LAMBDA { p[k] = stage[N + k]; });
    return p;
  }
  POLHODE_HD static void set_position(Stage& stage, const Half& q) {
    unroll<N>([&](int k) POLHODE_LAMBDA { stage[k] = q[k]; });
  }
  POLHODE_HD static void set_momentum(Stage& stage, const Half& p) {
    unroll<N>([&](int k) POLHODE_LAMBDA { stage[N + k] = p[k]; });
  }

  const Model& model_;
  const Table& table_;
  T h_;
  State x_;
  Half q_, p_;
};

/// Catalog entry: the step map on a canonical system.
struct PartitionedCollocationMap {
  static constexpr bool stages_in_memory = true;  ///< also on a GPU
  template <class System>
  using StepMapsOn = StepMaps<Collocation<System, CanonicalStages>>;

  /// Whether there is a map with these options.
  static constexpr bool has(const CollocationOptions& options) {
    return options.nodes == CollocationNodes::gauss ? options.stages >= 1 && options.stages <= max_gauss_stages
                                                    : options.stages >= 2 && options.stages <= 4;
  }
  template <class System>
  static constexpr Properties properties_on(Properties properties, const CollocationOptions& options) {
    properties.order = options.nodes == CollocationNodes::gauss ? 2 * options.stages : 2 * options.stages - 2;
    properties.long_steps = has_long_collocation_steps(properties.order);
    properties.constraints = false;  // there are none
    return properties;
  }
};

}  // namespace polhode::inline POLHODE_ISA

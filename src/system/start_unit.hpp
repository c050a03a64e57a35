// The functions on starts (start_functions.hpp) of a system for the instruction set that this is compiled for. What
// draws in packs has the bits of what draws one state at a time: trajectories are lanes.
#pragma once

#include <algorithm>
#include <cmath>

#include "system/equilibrium.hpp"
#include "system/initial_point.hpp"
#include "system/random_attitude.hpp"

namespace polhode::inline POLHODE_ISA {

template <class System>
using Model = typename System::template Model<double>;
template <class System>
using HostState = typename System::template State<double>;

template <class System>
HostState<System> host_state(const double* x) {
  HostState<System> state;
  for (int i = 0; i < System::dim; ++i) state[i] = x[i];
  return state;
}

/// Whether states of a system are positions and momenta, and perhaps an angle.
template <class System>
inline constexpr bool has_positions = System::kind != Kind::lie_poisson;

/// Result `prepared` of preparing the state x. Where x is finite and outside the domain of the system, that is its
/// problem, in place of any other: beyond the domain a system may have no forces.
template <class System>
Preparation with_domain_checked([[maybe_unused]] const double* p, [[maybe_unused]] const double* x,
                                Preparation prepared) {
  if constexpr (requires(const Model<System>& model, const HostState<System>& state) { model.in_domain(state); })
    if (std::all_of(x, x + System::dim, [](double number) { return std::isfinite(number); }) &&
        !Model<System>(p).in_domain(host_state<System>(x)))
      prepared.problem = "it is outside the domain of the system";
  return prepared;
}

template <class System>
Preparation prepare(const double* p, Momentum momentum, double* x) {
  if constexpr (has_positions<System>)
    return with_domain_checked<System>(p, x, InitialPoint<System>(p).prepare(momentum, x));
  else
    return {.problem = System::invalid_state_reason(p, x)};
}

template <class System>
Preparation prepare_velocities(const double* p, Momentum momentum, double* x) {
  return with_domain_checked<System>(p, x, InitialPoint<System>(p).prepare_velocities(momentum, x));
}

template <class System>
bool bring_near(const double* p, double* x) {
  if constexpr (has_positions<System>) return InitialPoint<System>(p).bring_near(x);
  for (const Block& block : System::layout) {
    if (!block.is_unit()) continue;
    double squared = 0;
    for (int i = block.first; i < block.first + block.size; ++i) squared += x[i] * x[i];
    for (int i = block.first; i < block.first + block.size; ++i) x[i] /= std::sqrt(squared);
    if (!(squared > 0 && std::isfinite(squared))) return false;
  }
  return true;
}

/// Whether a system has states that can be drawn in equilibrium.
template <class System>
inline constexpr bool has_equilibrium = requires {
  Configurations<System>::n;
};
/// Whether a system has states that can be drawn at an energy and an angular momentum.
template <class System>
inline constexpr bool has_levels = requires {
  &Levels<System>::problem;
};

#if defined(__AVX2__) && defined(__FMA__)
/// Pack for eight trajectories, which hide the latencies of one another.
using StartPack = Pack<double, 8 / Native<double>::width>;
#else
using StartPack = double;
#endif
/// Whether a system's configurations can be drawn in packs.
template <class System>
inline constexpr bool draws_in_packs = requires {
  Configurations<System, StartPack>::n;
};
template <class System>
using DrawnScalar = std::conditional_t<draws_in_packs<System>, StartPack, double>;

template <class System>
class StartUnit {
  static constexpr int dim = System::dim;

 public:
  static std::int64_t draw(const double* p, const Equilibrium& equilibrium, const DrawnBlock& block, double* x) {
    if constexpr (has_levels<System>)
      if (equilibrium.angular_momentum) {
        const Levels<System> levels(p, equilibrium);
        return draw_block<double>(block, x, [&](RandomSource& random, double* state) POLHODE_LAMBDA {
          levels.draw(random, state);
          return std::uint64_t{0};
        });
      }
    using T = DrawnScalar<System>;
    const EquilibriumStates<System, T> states(p, equilibrium);
    return draw_block<T>(block, x,
                         [&](RandomNumbers<T>& random, T* state) POLHODE_LAMBDA { return states.draw(random, state); });
  }

  static std::int64_t draw_cloud(const double* p, const double* centre, const double* width, const DrawnBlock& block,
                                 double* x) {
    using T = StartPack;
    draw_block<T>(block, x, [&](RandomNumbers<T>& random, T* state) POLHODE_LAMBDA {
      for (int i = 0; i < dim; ++i) state[i] = T(centre[i]) + T(width[i]) * random.normal();
      return std::uint64_t{0};
    });
    for (std::int64_t k = 0; k < block.count; ++k)
      if (!bring_near<System>(p, x + k * dim)) return k;
    return block.count;
  }

  static void draw_attitudes(const double* state, const DrawnBlock& block, double* x) {
    using T = StartPack;
    for (std::int64_t k = 0; k < block.count; k += lanes_of<T>) {
      RandomNumbers<T> random(block.seed, static_cast<std::uint64_t>(block.first + k));
      const Vec<T, 4> rotations = draw_rotation(random);
      const std::int64_t here = std::min<std::int64_t>(lanes_of<T>, block.count - k);
      for (int l = 0; l < here; ++l) {
        Vec<double, 4> rotation;
        for (int i = 0; i < 4; ++i) rotation[i] = lane_of(rotations[i], l);
        double* const turned = x + (k + l) * dim;
        for (int i = 0; i < dim; ++i) turned[i] = state[i];
        Attitudes<System>::turn(rotation, turned);
      }
    }
  }

  static std::int64_t prepare_block(const double* p, Momentum momentum, bool velocities, std::int64_t count, double* x,
                                    Preparation* prepared) {
    const Model<System> model(p);
    for (std::int64_t k = 0; k < count; ++k, x += dim) {
      if (!are_finite<dim>([&](int i) POLHODE_LAMBDA { return x[i]; })) return k;
      if constexpr (has_positions<System>)
        prepared[k] = velocities ? prepare_velocities<System>(p, momentum, x) : prepare<System>(p, momentum, x);
      else
        prepared[k] = prepare<System>(p, momentum, x);
      if (prepared[k].problem) return k;
      const HostState<System> state = host_state<System>(x);
      constexpr int derived = std::size(System::observables) - dim;
      if (!are_finite<derived>([&](int i) POLHODE_LAMBDA { return model.observe(dim + i, state); })) return k;
    }
    return count;
  }

  static std::uint32_t conserved(const double* p, std::int64_t count, const double* x, std::uint32_t invariants) {
    for (std::int64_t k = 0; k < count; ++k)
      unroll<System::n_invariants>([&](int i) POLHODE_LAMBDA {
        if (invariants >> i & 1u && !System::conserves(p, x + k * dim, i)) invariants &= ~(std::uint32_t{1} << i);
      });
    return invariants;
  }

 private:
  template <int N, class Value>
  POLHODE_HD static bool are_finite(const Value& value) {
    bool all = true;
    unroll<N>([&](int i) POLHODE_LAMBDA { all = all && is_finite(value(i)); });
    return all;
  }

  /// Draws the states of a block by draw(random, state[dim]), which makes one for each lane of `random` and returns
  /// bits: bit l is set where lane l has none. Returns the number of states before the first that is missing.
  template <class T, class Draw>
  static std::int64_t draw_block(const DrawnBlock& block, double* x, const Draw& draw) {
    constexpr int lanes = lanes_of<T>;
    for (std::int64_t k = 0; k < block.count; k += lanes) {
      RandomNumbers<T> random(block.seed, static_cast<std::uint64_t>(block.first + k));
      T state[dim];
      const std::uint64_t missing = draw(random, state);
      double column[lanes];
      const auto here = static_cast<int>(std::min<std::int64_t>(lanes, block.count - k));
      for (int i = 0; i < dim; ++i) {
        store_lanes(state[i], column);
        for (int l = 0; l < here; ++l) x[(k + l) * dim + i] = column[l];
      }
      if (missing != 0 && lowest_bit(missing) < here) return k + lowest_bit(missing);
    }
    return block.count;
  }
};

template <class System>
constexpr StartFunctions start_functions() {
  using Unit = StartUnit<System>;
  StartFunctions functions{.draw = nullptr,
                           .draw_cloud = Unit::draw_cloud,
                           .draw_attitudes = nullptr,
                           .prepare = Unit::prepare_block,
                           .conserved = Unit::conserved};
  if constexpr (has_equilibrium<System>) functions.draw = Unit::draw;
  if constexpr (requires { &Attitudes<System>::turn; }) functions.draw_attitudes = Unit::draw_attitudes;
  return functions;
}

}  // namespace polhode::inline POLHODE_ISA

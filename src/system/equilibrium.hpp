// Random states of the microcanonical and of the canonical ensemble of a mechanical system, H = T(q, p) + V(q): the
// Liouville measure dq dp on T*N at an energy, or times exp(-H / kT). Host only.
//
// With M the metric of the kinetic energy, dq dp is the volume dvol_M of N times a Euclidean measure of the momenta, in
// which 2 T is the square of their length. For n = dim N degrees of freedom the integral over the momenta leaves
//
//   canonical        exp(-H / kT)                       exp(-V / kT) dvol_M
//   microcanonical   delta(H - E)                       (E - V)^((n - 2) / 2) dvol_M
//                    delta(H - E) delta(J - j), n > 2   (E - V - j^2 / (2 I))^((n - 3) / 2) I^(-1/2) dvol_M
//
// where J = xi.p is the momentum of the rotation xi(q) about the vertical, and I = xi.M xi its moment of inertia.
// Configurations are drawn by rejection: a proposal from a simpler measure times exp(-V / T) is accepted with a
// probability equal to the ratio of the densities over a bound of it. T is the temperature, or one at which the energy
// is about E: with a = (n - 2) / 2 or (n - 3) / 2,
//
//   (E - V)^a  <=  (a T)^a exp((E - V) / T - a)
//
// The momentum is Gaussian with the kinetic energy as its exponent; if J is given, its value replaces the one drawn,
// and the rest is scaled to the energy.
// Where configurations can be packs, states of several trajectories are drawn together. Each lane keeps the first
// proposal that is accepted there, and the momentum has random numbers of its own, so that no lane's depend on how many
// proposals another takes.
//
// Configurations of a system have
//   n, N                       degrees of freedom; components of a momentum
//   heights                    number of coordinates over which the potential is a sum
//   Configurations(p)          constructor from the parameters
//   propose(random, at_momentum, T)   a Point of exp(-V / T) times a measure for dvol_M or for I^(-1/2) dvol_M
//   prepare_proposals(T)       computes what proposals have in common, once; may be absent
//   chance(q, at_momentum)     ratio of dvol_M or I^(-1/2) dvol_M to the measure of proposals, over its bound: <= 1
//   potential(q), least_potential()
//   thermal(q, random)         a momentum [N], for kT = 1
//   kinetic(q, p)              kinetic energy
//   rotation_momentum(q)       M xi, the momentum of a rotation at rate 1; absent if there is no vertical
//   about(q, p)                J; absent if there is no vertical
//   store(q, p, x)             stores the state
#pragma once

#include <cmath>
#include <numbers>

#include "polhode/math/vec.hpp"
#include "system/random_source.hpp"
#include "system/start_functions.hpp"

namespace polhode::inline POLHODE_ISA {

/// Random states at an energy and an angular momentum; specialised in src/system/levels.hpp for the systems that have
/// them.
template <class System>
class Levels;

/// Random configurations of a system in a scalar type T, with the members that the head of this file lists; specialised
/// in src/system/configurations.hpp for the systems that have an equilibrium ensemble, some for T = double alone.
template <class System, class T = double>
class Configurations;

template <class System, class T = double>
class EquilibriumStates {
  using Space = Configurations<System, T>;
  static constexpr int n = Space::n;
  static constexpr bool can_turn = n > 2 && requires(const Space& space) { &Space::rotation_momentum; };

 public:
  EquilibriumStates(const double* p, const Equilibrium& equilibrium)
      : space_(p),
        equilibrium_(equilibrium),
        most_kinetic_(equilibrium.energy - space_.least_potential()),
        halves_(equilibrium.momentum ? n - 3 : n - 2),
        proposal_temperature_(equilibrium.temperature ? *equilibrium.temperature
                                                      : most_kinetic_ / (0.5 * halves_ + Space::heights)) {
    if constexpr (requires { space_.prepare_proposals(proposal_temperature_); })
      space_.prepare_proposals(proposal_temperature_);
  }

  /// Reason why there are no states to draw from, or null.
  const char* problem() const {
    if (equilibrium_.temperature) return nullptr;
    if (!(most_kinetic_ > 0)) return "no state has so little energy";
    if (equilibrium_.momentum && !can_turn)
      return n > 2 ? "it has no momentum about the vertical" : "the J_z of one pendulum is given as angular_momentum";
    return nullptr;
  }

  /// Draws a state x[dim] for each lane. Bit l of the result is set where no state was found for lane l in ten million
  /// proposals; x has numbers without meaning in that lane.
  std::uint64_t draw(RandomNumbers<T>& random, T* x) const {
    const bool at_momentum = equilibrium_.momentum.has_value();
    auto q = space_.propose(random, at_momentum, proposal_temperature_);
    T kinetic = kinetic_beside_rotation(q);
    Mask<T> is_missing = !is_accepted(q, kinetic, random);
    for (int k = 1; k < max_proposals && mask_bits(is_missing) != 0; ++k) {
      const auto proposed = space_.propose(random, at_momentum, proposal_temperature_);
      const T kinetic_there = kinetic_beside_rotation(proposed);
      const Mask<T> is_found = is_accepted(proposed, kinetic_there, random);
      q = select(is_missing, proposed, q);
      kinetic = select(is_missing, kinetic_there, kinetic);
      is_missing = is_missing & !is_found;
    }
    RandomNumbers<T> of_momentum = random.beside(1);
    space_.store(q, momentum(q, kinetic, of_momentum), x);
    return mask_bits(is_missing);
  }

 private:
  static constexpr int max_proposals = 10'000'000;
  using Vector = Vec<T, Space::N>;

  /// Kinetic energy at q besides that of the rotation about the vertical: E - V - j^2 / (2 I), or E - V if no momentum
  /// j is given; not positive where no state has this q. A positive number without meaning if a temperature is given.
  template <class Point>
  T kinetic_beside_rotation(const Point& q) const {
    if (equilibrium_.temperature) return T(1);
    T kinetic = T(equilibrium_.energy) - space_.potential(q);
    if constexpr (can_turn)
      if (equilibrium_.momentum) {
        const T inertia = space_.about(q, space_.rotation_momentum(q)), rate = T(*equilibrium_.momentum) / inertia;
        kinetic = kinetic - rate * rate * inertia * T(0.5);
      }
    return kinetic;
  }

  template <class Point>
  Mask<T> is_accepted(const Point& q, const T& kinetic, RandomNumbers<T>& random) const {
    const T chance = space_.chance(q, equilibrium_.momentum.has_value()) * density(q, kinetic);
    return (kinetic > T(0)) & (random.uniform() <= chance);
  }

  /// Ratio kinetic^a exp(V / T) of the density of q to that of proposals, without the measures that
  /// Configurations::chance() compares, over its bound (head of this file): 1 at most; 1 if a temperature is given.
  /// kinetic: the result of kinetic_beside_rotation().
  template <class Point>
  T density(const Point& q, const T& kinetic) const {
    if (equilibrium_.temperature) return T(1);
    T result = exp((space_.potential(q) - T(equilibrium_.energy)) / T(proposal_temperature_));
    if (halves_ <= 0) return result;
    const T ratio = kinetic * T(std::numbers::e / (0.5 * halves_ * proposal_temperature_));
    for (int k = 2; k <= halves_; k += 2) result = result * ratio;
    return halves_ % 2 == 0 ? result : result * sqrt(larger(ratio, T(0)));
  }

  template <class Point>
  Vector momentum(const Point& q, const T& kinetic, RandomNumbers<T>& random) const {
    const Vector p = space_.thermal(q, random);
    if (equilibrium_.temperature) return T(std::sqrt(*equilibrium_.temperature)) * p;
    if constexpr (can_turn)
      if (equilibrium_.momentum) {
        const Vector rotation = space_.rotation_momentum(q);
        const T inertia = space_.about(q, rotation);
        const Vector rest = p - (space_.about(q, p) / inertia) * rotation;
        return fma(sqrt(kinetic / space_.kinetic(q, rest)), rest, (T(*equilibrium_.momentum) / inertia) * rotation);
      }
    return sqrt(kinetic / space_.kinetic(q, p)) * p;
  }

  Space space_;
  Equilibrium equilibrium_;
  double most_kinetic_;
  int halves_;  ///< twice the exponent a (head of this file)
  double proposal_temperature_;
};

}  // namespace polhode::inline POLHODE_ISA

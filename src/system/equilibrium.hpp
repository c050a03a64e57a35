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
// where J = xi.p is the momentum of the rotation xi(q) about the vertical, and I = xi.M xi its moment of inertia. A
// configuration is drawn by rejection: one of a simpler measure times exp(-V / T) is kept with the ratio of the
// densities, over a bound of it. T is the temperature, or one at which the energy is about E: with a = (n - 2) / 2 or
// (n - 3) / 2,
//
//   (E - V)^a  <=  (a T)^a exp((E - V) / T - a)
//
// Its momentum is Gaussian with the kinetic energy as its exponent; of J a given value takes the place of what was
// drawn, and the rest is scaled to the energy.
//
// Configurations of a system are
//   n, N                       degrees of freedom; components of a momentum
//   heights                    coordinates that the potential is a sum over
//   Configurations(p)          for its parameters
//   propose(random, at_momentum, T)   a Point of exp(-V / T) times a measure for dvol_M or for I^(-1/2) dvol_M
//   chance(q, at_momentum)     the ratio of the latter to that measure, over a bound of it: in [0, 1]
//   potential(q), least_potential()
//   thermal(q, random)         a momentum [N], for kT = 1
//   kinetic(q, p)              its kinetic energy
//   turning(q), about(q, p)    M xi, the momentum of turning at the rate 1, and J; not if there is no vertical
//   store(q, p, x)             the state
#pragma once

#include <cmath>
#include <optional>

#include "polhode/math/vec.hpp"
#include "system/random_source.hpp"

namespace polhode {

/// An ensemble in equilibrium. Energies in the unit of the system's parameters.
struct Equilibrium {
  std::optional<double> temperature{};  ///< kT: the canonical ensemble; otherwise the microcanonical one of
  double energy = 0;                    ///< E and
  std::optional<double> momentum{};     ///< j, if it is given
  /// J_z of one pendulum or |Pi| of a free body, if it is given (levels.hpp).
  std::optional<double> angular_momentum{};
};

/// Of a system whose states at an energy and an angular momentum can be drawn; src/system/levels.hpp.
template <class System>
class Levels;

/// Of a system that has them; src/system/configurations.hpp.
template <class System>
class Configurations;

template <class System>
class EquilibriumStates {
  using Space = Configurations<System>;
  static constexpr int n = Space::n;
  static constexpr bool can_turn = n > 2 && requires(const Space& space) { &Space::turning; };

 public:
  EquilibriumStates(const double* p, const Equilibrium& which)
      : space_(p),
        which_(which),
        most_kinetic_(which.energy - space_.least_potential()),
        exponent_(0.5 * (which.momentum ? n - 3 : n - 2)),
        tilt_(which.temperature.value_or(most_kinetic_ / (exponent_ + Space::heights))) {}

  /// Why there is nothing to draw from, or null.
  const char* problem() const {
    if (which_.temperature) return nullptr;
    if (!(most_kinetic_ > 0)) return "no state has so little energy";
    if (which_.momentum && !can_turn)
      return n > 2 ? "it has no momentum about the vertical" : "the J_z of one pendulum is given as angular_momentum";
    return nullptr;
  }

  /// x[dim]: a state. False if none was found in ten million proposals.
  bool draw(RandomSource& random, double* x) const {
    for (int k = 0; k < max_proposals; ++k) {
      const auto q = space_.propose(random, which_.momentum.has_value(), tilt_);
      const double left = kinetic_beside_turning(q);
      if (!(left > 0)) continue;
      if (random.uniform() > space_.chance(q, which_.momentum.has_value()) * density(q, left)) continue;
      space_.store(q, momentum(q, left, random), x);
      return true;
    }
    return false;
  }

 private:
  static constexpr int max_proposals = 10'000'000;
  using Vector = Vec<double, Space::N>;

  /// Energy for momenta that do not turn the system, E - V - j^2 / (2 I); whatever is positive where none is given.
  template <class Point>
  double kinetic_beside_turning(const Point& q) const {
    if (which_.temperature) return 1;
    double left = which_.energy - space_.potential(q);
    if constexpr (can_turn)
      if (which_.momentum) {
        const double rate = *which_.momentum / inertia(q);
        left -= rate * rate * inertia(q) / 2;
      }
    return left;
  }

  /// Of a configuration, over that of the proposals and the largest value of this.
  template <class Point>
  double density(const Point& q, double left) const {
    if (which_.temperature) return 1;
    const double tilted = std::exp((space_.potential(q) - which_.energy) / tilt_);
    return exponent_ > 0 ? tilted * std::pow(left / (exponent_ * tilt_) * std::exp(1), exponent_) : tilted;
  }

  template <class Point>
  double inertia(const Point& q) const {
    return space_.about(q, space_.turning(q));
  }

  template <class Point>
  Vector momentum(const Point& q, double left, RandomSource& random) const {
    const Vector p = space_.thermal(q, random);
    if (which_.temperature) return std::sqrt(*which_.temperature) * p;
    if constexpr (can_turn)
      if (which_.momentum) {
        const Vector turning = space_.turning(q);
        const double i = space_.about(q, turning);
        const Vector rest = p - (space_.about(q, p) / i) * turning;
        return fma(std::sqrt(left / space_.kinetic(q, rest)), rest, (*which_.momentum / i) * turning);
      }
    return std::sqrt(left / space_.kinetic(q, p)) * p;
  }

  Space space_;
  Equilibrium which_;
  double most_kinetic_, exponent_, tilt_;
};

}  // namespace polhode

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
// (n - 3) / 2,
//
//   (E - V)^a  <=  (a T)^a exp((E - V) / T - a)
//
// The momentum is Gaussian with the kinetic energy as its exponent; if J is given, its value replaces the one drawn,
// and the rest is scaled to the energy.
//
// Configurations of a system have
//   n, N                       degrees of freedom; components of a momentum
//   heights                    number of coordinates over which the potential is a sum
//   Configurations(p)          constructor from the parameters
//   propose(random, at_momentum, T)   a Point of exp(-V / T) times a measure for dvol_M or for I^(-1/2) dvol_M
//   chance(q, at_momentum)     ratio of the latter to that measure, over a bound of it: in [0, 1]
//   potential(q), least_potential()
//   thermal(q, random)         a momentum [N], for kT = 1
//   kinetic(q, p)              kinetic energy
//   turning(q), about(q, p)    M xi, the momentum of a rotation at rate 1, and J; absent if there is no vertical
//   store(q, p, x)             stores the state
#pragma once

#include <cmath>
#include <optional>

#include "polhode/math/vec.hpp"
#include "system/random_source.hpp"

namespace polhode {

/// An equilibrium ensemble. Energies are in the unit of the system's parameters.
struct Equilibrium {
  std::optional<double> temperature{};  ///< kT: the canonical ensemble; otherwise the microcanonical one at
  double energy = 0;                    ///< E and
  std::optional<double> momentum{};     ///< j, if it is given
  /// J_z of one pendulum or |Pi| of a free body, if given (levels.hpp).
  std::optional<double> angular_momentum{};
};

/// States of a system at an energy and an angular momentum, where they can be drawn; src/system/levels.hpp.
template <class System>
class Levels;

/// Configurations of a system that has them; src/system/configurations.hpp.
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

  /// Reason why there are no states to draw from, or null.
  const char* problem() const {
    if (which_.temperature) return nullptr;
    if (!(most_kinetic_ > 0)) return "no state has so little energy";
    if (which_.momentum && !can_turn)
      return n > 2 ? "it has no momentum about the vertical" : "the J_z of one pendulum is given as angular_momentum";
    return nullptr;
  }

  /// Draws a state x[dim]. Returns false if none was found in ten million proposals.
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

  /// Energy of momenta besides the rotation about the vertical, E - V - j^2 / (2 I); any positive number if a
  /// temperature is given.
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

  /// Density of a configuration, over that of the proposals and the maximum of this ratio.
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

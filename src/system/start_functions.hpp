// Functions on the starts of an ensemble, block after block, compiled for an instruction set (start_unit.hpp). All
// instruction sets give the same bits.
#pragma once

#include <cstdint>
#include <optional>

#include "polhode/system/description.hpp"
#include "system/preparation.hpp"

namespace polhode {

/// A number that may be missing. Unlike std::optional it is plain data, which may cross between the program and a
/// module.
class OptionalNumber {
 public:
  constexpr OptionalNumber() = default;
  constexpr OptionalNumber(double value) : value_(value), is_given_(true) {}
  constexpr OptionalNumber(const std::optional<double>& value)
      : value_(value.value_or(0)), is_given_(value.has_value()) {}

  constexpr bool has_value() const { return is_given_; }
  constexpr explicit operator bool() const { return is_given_; }
  constexpr double operator*() const { return value_; }

 private:
  double value_ = 0;
  bool is_given_ = false;
};

/// Size in bytes of a text that has room for a reason in words, the final zero included.
inline constexpr int problem_size = 160;

/// An equilibrium ensemble. Energies are in the unit of the system's parameters.
struct Equilibrium {
  OptionalNumber temperature{};  ///< kT of the canonical ensemble; if missing, the ensemble is microcanonical
  double energy = 0;             ///< E of the microcanonical ensemble
  OptionalNumber momentum{};     ///< j, the momentum about the vertical, in the microcanonical ensemble; if given
  /// J_z of one pendulum or |Pi| of a free body, in the microcanonical ensemble; if given (levels.hpp).
  OptionalNumber angular_momentum{};
};

/// Trajectories first, ..., first + count - 1 of an ensemble whose states are drawn with a seed.
struct DrawnBlock {
  std::uint64_t seed;
  std::int64_t first, count;
};

/// Functions on states x[count][dim], with the parameters p. A count that they return is the number of states before
/// the first that cannot be drawn or prepared: `count`, if all can.
struct StartFunctions {
  /// Draws states in equilibrium; null where the system has none.
  std::int64_t (*draw)(const double* p, const Equilibrium& equilibrium, const DrawnBlock& block, double* x);
  /// Draws states about centre[dim], Gaussian with standard deviations width[dim], and brings them to what prepare()
  /// accepts: unit vectors to length 1, positions to the constraints.
  std::int64_t (*draw_cloud)(const double* p, const double* centre, const double* width, const DrawnBlock& block,
                             double* x);
  /// Makes the states x of state[dim] by rotations in space that are drawn uniformly; null where states have neither
  /// attitude nor vertical.
  void (*draw_attitudes)(const double* state, const DrawnBlock& block, double* x);
  /// Makes initial states in place, with finite observables. momentum: the set to which momenta are moved; velocities:
  /// whether x has velocities in place of momenta. prepared[count]: displacements of the states that are counted, and
  /// the problem of the next one, which is null if an observable of that state is not finite; not written if one of its
  /// numbers is not finite.
  std::int64_t (*prepare)(const double* p, Momentum momentum, bool velocities, std::int64_t count, double* x,
                          Preparation* prepared);
  /// Bits of those among the given invariants that are conserved on the orbits of all states: bit i for invariant i.
  std::uint32_t (*conserved)(const double* p, std::int64_t count, const double* x, std::uint32_t invariants);
};

}  // namespace polhode

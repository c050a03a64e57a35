// Whole turns of an angle that counts them.
#pragma once

#include "polhode/scalar/elementary/polynomial.hpp"

namespace polhode::inline POLHODE_ISA {

inline constexpr double full_turn = 6.283185307179586;  ///< 2 pi

/// The whole number of turns that is nearest to an angle.
template <class T>
POLHODE_HD T nearest_turns(const T& angle) {
  return nearest_integer(angle, Real<T>(0.15915494309189535));
}

/// The angle less so many turns: without rounding if they are the nearest ones.
template <class T>
POLHODE_HD T without_turns(const T& angle, const T& turns) {
  return fma(-turns, T(Real<T>(full_turn)), angle);
}

/// The angle in [low, low + 2 pi) that differs from it by whole turns.
POLHODE_HD double within_turn_from(double low, double angle) {
  const double from_low = angle - low, rest = without_turns(from_low, nearest_turns(from_low));
  const double within = low + (rest < 0 ? rest + full_turn : rest);
  return within >= low + full_turn ? low : within;  // by rounding
}

}  // namespace polhode::inline POLHODE_ISA

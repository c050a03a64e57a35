// Options of a method that are coefficients of its step map.
#pragma once

#include "polhode/method/coefficients.hpp"
#include "polhode/method/option.hpp"

namespace polhode {

/// An option and the coefficient that is its value: an integer, the place of a choice among the choices, or a real.
struct MethodSetting {
  Option option;
  std::int16_t Coefficients::*integer = nullptr;
  double Coefficients::*real = nullptr;

  /// Whether it selects one of a few maps, rather than a number from a range.
  constexpr bool selects() const { return integer != nullptr; }
};

}  // namespace polhode

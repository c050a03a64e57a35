// Order of a Runge-Kutta method from its table: the conditions of order, one for each rooted tree (Butcher 1963;
// Hairer, Norsett & Wanner 1993, sect. II.2).
#pragma once

#include "polhode/method/explicit_table.hpp"

namespace polhode {

/// Largest order that is looked for, which no table of max_explicit_stages exceeds.
inline constexpr int max_explicit_order = 10;

/// Order of a method: the largest p for which the conditions of all trees of 1 to p nodes hold; 0 where the weights do
/// not sum up to 1. A condition holds if it does to what the rounding of the coefficients makes of it, and if that is
/// far below the condition itself: one that rounding could hide does not.
int order_of(const ExplicitTable& table);

}  // namespace polhode

// Order of a Runge-Kutta method from its table: the conditions of order, one for each rooted tree (Butcher 1963;
// Hairer, Norsett & Wanner 1993, sect. II.2).
#pragma once

#include <optional>

#include "polhode/method/explicit_table.hpp"

namespace polhode {

/// Largest order that is looked for: the highest one that a table of max_explicit_stages is known to have.
inline constexpr int max_explicit_order = 10;

/// Order of a method: the largest p for which the conditions of all trees of 1 to p nodes hold; 0 where the weights do
/// not sum up to 1. A condition holds if it does to what the rounding of the coefficients makes of it, and if that is
/// far below the condition itself: one that rounding could hide does not.
int order_of(const ExplicitTable& table);

/// Order that a method misses by little.
struct NearOrder {
  int order;
  double defect;  ///< largest one of the conditions up to that order
};
/// The largest order whose conditions hold but for defects that are small beside them, and larger than what roundings
/// make; nothing where that is no more than the order of the method. Digits that were left out do that.
std::optional<NearOrder> near_order_of(const ExplicitTable& table);

}  // namespace polhode

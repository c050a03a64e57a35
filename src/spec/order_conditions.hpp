// Order of a Runge-Kutta method from its table: the conditions of order, one for each rooted tree (Butcher 1963;
// Hairer, Norsett & Wanner 1993, sect. II.2).
#pragma once

#include <optional>

#include "polhode/method/explicit_table.hpp"

namespace polhode {

/// Largest order that is looked for: the highest one that a table of max_explicit_stages stages is known to have.
inline constexpr int max_explicit_order = 10;

/// Order of a table: the largest p, max_explicit_order at most, for which the conditions of all trees of 1 to p nodes
/// hold; 0 where the weights do not sum up to 1. A condition holds if its defect is no larger than the rounding of the
/// coefficients can make it, and if rounding can make only a small part of the condition's exact value.
int order_of(const ExplicitTable& table);

/// Order that a method misses by little.
struct NearOrder {
  int order;
  double defect;  ///< largest defect of the conditions, from the first order that is missed up to this one
};
/// Largest order up to which all conditions hold with small defects, as digits that were left out make them; nothing
/// unless one of these defects is larger than the rounding of the coefficients can make it.
std::optional<NearOrder> near_order_of(const ExplicitTable& table);

}  // namespace polhode

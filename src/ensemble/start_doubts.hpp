// Starts that can be used and are asked about: they look as if they were given in other units.
#pragma once

#include "catalog/catalog.hpp"

namespace polhode {

struct StartDoubt {
  const char* system;
  const char* observable;  ///< observable of the system
  double most;             ///< largest value of the observable at which a start is not asked about
  const char* question;
};

/// Question about the starts of a system; null where there is none.
const StartDoubt* find_doubt(const SystemEntry& system);

}  // namespace polhode

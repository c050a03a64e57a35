// What becomes of a state that a user gives on its way to an initial one.
#pragma once

namespace polhode {

struct Preparation {
  const char* problem = nullptr;  ///< why it cannot be one, or null
  /// How far it was moved, of the length of its position and of its momentum.
  double moved_position = 0, moved_momentum = 0;
};

}  // namespace polhode

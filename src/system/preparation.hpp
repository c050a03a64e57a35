// Result of preparing a user's state as an initial one.
#pragma once

namespace polhode {

struct Preparation {
  const char* problem = nullptr;  ///< why it cannot be used, or null
  /// Displacements relative to the lengths of its position and its momentum.
  double moved_position = 0, moved_momentum = 0;
  /// Whether its momentum, which was moved, had been tangent to the constraints as if it were a velocity: G p = 0.
  bool is_tangent = false;
};

}  // namespace polhode

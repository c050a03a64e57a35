// Result of preparing a user's state as an initial one.
#pragma once

namespace polhode {

struct Preparation {
  const char* problem = nullptr;  ///< why the state cannot be used, or null
  /// Displacements by which position and momentum were moved, each relative to its length; 0: not moved.
  double moved_position = 0, moved_momentum = 0;
  /// Whether the momentum was moved by more than a hundredth of its length to the hidden constraint, but had been
  /// tangent to the constraints, G p = 0, as if it were a velocity.
  bool is_tangent = false;
};

}  // namespace polhode

// Kicks by the potential before and after the motion of a stage.
#pragma once

namespace polhode {

/// Kicks of a stage, as fractions of one over its length; both 0: no kick.
struct Kicks {
  double before = 0, after = 0;

  /// Kicks of the adjoint map: the same parts in the opposite order.
  constexpr Kicks adjoint() const { return {after, before}; }
  constexpr bool operator==(const Kicks&) const = default;
};

}  // namespace polhode

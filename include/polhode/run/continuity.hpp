// Whether a function that may jump, an angle, is continuous where a search finds its zero (run/bracket.hpp,
// run/long_search.hpp): a jump onto the value is not a crossing.
//
// The search goes on beside a zero that is found, until f changes by no more than most_change from end to end of the
// bracket, and comes back to the zero, which ends it.
#pragma once

#include <limits>

#include "polhode/scalar/scalar.hpp"

namespace polhode::inline POLHODE_ISA {

/// Largest change of an angle, in radians, over a bracket in which it does not jump: the cube root of round-off. What
/// jumps does so by a turn, or by half a turn where the angle is that of a point that goes through the axis. At a
/// distance d from the axis, of the length, the angle is uncertain by round-off over d. So the square root of round-off
/// would take a passage at 1e-9 for a jump, and a larger bound would take one at 1e-14, which is round-off itself, for
/// a passage. The same in fractions of the step: where an angle is looked at beside a zero.
template <class R>
inline constexpr R most_change = R(1) / (1 << std::numeric_limits<R>::digits / 3);

template <class T>
class Continuity {
  using R = Real<T>;

 public:
  Continuity() = default;
  /// f: where the bracket begins; `tolerance` is the accuracy of f.
  POLHODE_HD Continuity(const T& f, const T& tolerance)
      : level_(tolerance), zero_(R(-1)), holds_(false), looks_beside_(false) {
    begin(Mask<T>(true), f, tolerance);
  }
  /// Another bracket begins, in some lanes.
  POLHODE_HD void begin(const Mask<T>& lanes, const T& f, const T& tolerance) {
    level_ = select(lanes, select(abs(f) <= tolerance, tolerance, -tolerance), level_);
  }

  /// Whether f, that rises, is on the near side: below its accuracy, so that no round-off about zero is a crossing, or
  /// not above it where the bracket begins with such round-off.
  POLHODE_HD Mask<T> is_near(const T& f) const { return f < level_; }

  /// Takes the zeros at theta and the change of f over the bracket; returns those that count. known: lanes in which f
  /// is known at both ends.
  POLHODE_HD Mask<T> add(const Mask<T>& at_zero, const T& theta, const T& change, const Mask<T>& known) {
    holds_ = known & (change <= T(most_change<R>));
    looks_beside_ = at_zero & !holds_;
    zero_ = select(looks_beside_, theta, zero_);
    return at_zero & holds_;
  }

  /// The next theta, instead of `next`: beside a zero at theta, which is on the near side or the far one.
  POLHODE_HD T beside(const T& next, const T& theta, const Mask<T>& near) const {
    const T distance(most_change<R>);
    return select(looks_beside_, select(near, theta + distance, theta - distance), next);
  }
  /// The next theta, instead of `next`: the zero again, once f is known to be continuous.
  POLHODE_HD T back(const T& next, const T& low, const T& high) const {
    return select(holds_ & (zero_ >= low) & (zero_ <= high), zero_, next);
  }

 private:
  T level_;  ///< between the sides
  T zero_;   ///< the last one that was found, or -1
  Mask<T> holds_, looks_beside_;
};

/// Continuity of a function that does not jump, of which there is nothing to know.
struct AlwaysContinuous {};

}  // namespace polhode::inline POLHODE_ISA

// Root search in the fraction theta of a long step, where the derivative of f by theta is known too, and f may cross
// its value twice. A step of many stages is worth more thought than one of a single stage (run/bracket.hpp): with
// cubics through values and slopes two of them suffice for most crossings.
//
// * A crossing: f has different signs at the ends of the bracket. The next theta is the zero of its cubic. Where
//   Newton's correction is below the square root of round-off, it is applied to the state along the flow, with an error
//   of its square, but for angles that jump. Where f is zero at the end of the step, that is the first theta.
// * Two crossings in one step: f has the same sign at both ends but comes towards the value and goes away from it. The
//   next theta is the extremum of the cubic, until f has crossed there, which leaves a bracket on each side, or cannot.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "polhode/run/continuity.hpp"
#include "polhode/scalar/scalar.hpp"

namespace polhode::inline POLHODE_ISA {

/// f and its derivative by theta at a fraction of the step.
template <class T>
struct StepSample {
  T theta, f, slope;
};

/// a where the mask is set, b elsewhere.
template <class T>
POLHODE_HD StepSample<T> choose_sample(const Mask<T>& mask, const StepSample<T>& a, const StepSample<T>& b) {
  return {select(mask, a.theta, b.theta), select(mask, a.f, b.f), select(mask, a.slope, b.slope)};
}

/// Lanes in which f may cross zero twice between two samples at which it has the same sign: it goes towards zero and
/// away from it, and would reach zero with `margin` times its slopes. With 1 the bound is sharp for a concave f: its
/// tangents meet above it. A start on the section, which is no crossing, may be followed by one.
template <class T>
POLHODE_HD Mask<T> may_cross_twice(const StepSample<T>& a, const StepSample<T>& b, Real<T> margin) {
  const T zero(Real<T>(0)), span = b.theta - a.theta;
  const Mask<T> below = (a.f <= zero) & (b.f < zero), above = (a.f >= zero) & (b.f > zero);
  const T side = select(below, T(Real<T>(1)), T(Real<T>(-1)));
  const T f0 = side * a.f, f1 = side * b.f, r0 = side * a.slope * span, r1 = side * b.slope * span;
  return (below | above) & (r0 > zero) & (r1 < zero) & (fma(f1, r0, -(f0 * r1)) - T(margin) * (r0 * r1) >= zero);
}

inline constexpr int max_long_interpolations = 6;
/// Bound on the evaluations of f: bisections after the interpolations exhaust any bracket, after the search for one.
inline constexpr int max_long_refinements = 2 * max_long_interpolations + 54;

/// jumps: whether f may do so, as an angle does.
template <class T, bool jumps = false>
class LongSearch {
  using R = Real<T>;

 public:
  T theta;    ///< the next point at which to evaluate f
  T outcome;  ///< result for a lane that the last add() returned: the fraction of the crossing; infinite if f jumps
              ///< over zero or no crossing is found, NaN if no valid step reaches it; NaN for other lanes
  T beyond;   ///< by how much of the step that is beyond theta

  /// Samples at 0 and 1; `tolerance` is the accuracy of f. later: lanes that look for the second of two crossings.
  POLHODE_HD LongSearch(const StepSample<T>& start, const StepSample<T>& end, const T& tolerance, const Mask<T>& later)
      : low_(start),
        high_(end),
        tolerance_(tolerance),
        span_(abs(start.f) + abs(end.f)),
        side_(select((start.f < T(R(0))) | ((start.f == T(R(0))) & (end.f < T(R(0)))), T(R(1)), T(R(-1)))),
        seeking_(side_ * end.f < T(R(0))),
        later_(later),
        blocked_(false) {
    if constexpr (jumps) continuity_ = {side_ * start.f, tolerance};
    move_on(0);
    theta = select((!seeking_) & (end.f == T(R(0))), T(R(1)), theta);
  }

  /// Takes the sample at theta and returns the lanes that are done there. Lanes are independent; one that is done
  /// may go on with the others, but its values are then meaningless. An invalid step counts as beyond the crossing, so
  /// that the next one is shorter.
  POLHODE_HD Mask<T> add(const StepSample<T>& here, const Mask<T>& valid) {
    constexpr R eps = std::numeric_limits<R>::epsilon(),
                root_eps = R(1) / (std::int64_t{1} << std::numeric_limits<R>::digits / 2);
    const T zero(R(0)), inf(std::numeric_limits<R>::infinity()), nan(std::numeric_limits<R>::quiet_NaN());
    const T height = side_ * here.f;
    // An angle that stays at the value to round-off has not gone beyond it.
    const Mask<T> is_beyond = jumps ? height > tolerance_ : height >= zero;
    const Mask<T> found = seeking_ & valid & is_beyond, seeking = seeking_ & !found;
    const Mask<T> is_low =
        valid & ((seeking & (side_ * here.slope > zero)) | (found & later_) | ((!seeking_) & is_below(height)));
    low_ = choose_sample(is_low, here, low_);
    high_ = choose_sample(is_low, high_, here);
    side_ = select(found & later_, -side_, side_);
    if constexpr (jumps) continuity_.begin(found & later_, side_ * here.f, tolerance_);
    seeking_ = seeking;
    blocked_ = (blocked_ & is_low) | (!valid);

    const T width = high_.theta - low_.theta, correction = -here.f / here.slope;
    const Mask<T> closed = width <= T(eps), at_zero = valid & (!seeking) & (abs(here.f) <= tolerance_);
    const T corrected = theta + correction;
    // An angle may pass its axis within the reach of the differences that slopes are.
    const Mask<T> near = Mask<T>(!jumps) & valid & (!seeking) & (abs(correction) <= T(root_eps)) & (corrected > zero) &
                         (corrected >= low_.theta) & (corrected <= high_.theta);
    const Mask<T> hopeless = seeking & (closed | ((!blocked_) & (!may_cross_twice(low_, high_, R(1)))));
    const T change = abs(high_.f - low_.f), most = jumps ? T(most_change<R>) : T(root_eps) * span_;
    Mask<T> reached = at_zero | near;
    if constexpr (jumps) reached = continuity_.add(reached, theta, change, !blocked_);
    const Mask<T> jumped = closed & (change > most), done = reached | hopeless | closed;
    beyond = select(near & !at_zero, correction, zero);
    const T missed = select(seeking | (jumped & !blocked_), inf, select(blocked_, nan, theta));
    outcome = select(reached, theta + beyond, select(done, missed, nan));
    return done;
  }

  /// Lanes in which no point beyond the value is known yet.
  POLHODE_HD const Mask<T>& is_seeking() const { return seeking_; }

  /// Chooses the next theta, after the k-th call of add(), counted from 1.
  POLHODE_HD void move_on(int k) {
    const T zero(R(0)), one(R(1)), half(R(0.5)), two(R(2)), three(R(3));
    // The cubic f0 + r0 t + c t^2 + d t^3 for t from 0 to 1 in the bracket, rising from f0 < 0.
    const T width = high_.theta - low_.theta;
    const T f0 = side_ * low_.f, f1 = side_ * high_.f;
    const T r0 = side_ * low_.slope * width, r1 = side_ * high_.slope * width, rise = f1 - f0;
    const T c = three * rise - two * r0 - r1, d = r0 + r1 - two * rise;
    // Newton's method for its zero, from that of the chord; only a guess, so that a bound on it is enough.
    T t = -f0 / rise;
    for (int n = 0; n < 4; ++n) {
      const T value = fma(t, fma(t, fma(t, d, c), r0), f0), slope = fma(t, fma(t, three * d, two * c), r0);
      t = t - value / slope;
      t = select(t > zero, select(t < one, t, one), zero);
    }
    const T extremum = r0 / (sqrt(fma(c, c, -(three * d * r0))) - c);
    t = select(seeking_, extremum, t);
    T next = fma(t, width, low_.theta);
    if constexpr (jumps) next = continuity_.beside(next, theta, theta <= low_.theta);
    const T middle = half * (low_.theta + high_.theta);
    const Mask<T> between = (next > low_.theta) & (next < high_.theta) & !blocked_;
    // A bracket that only one end of which moves is closed by bisections in the end.
    const bool interpolates = k < max_long_interpolations;
    theta = interpolates ? select(between, next, middle) : select(seeking_ & between, next, middle);
    if constexpr (jumps) theta = continuity_.back(theta, low_.theta, high_.theta);
  }

 private:
  /// Whether f, by its height on the way to the far side, is on that of the low end.
  POLHODE_HD Mask<T> is_below(const T& height) const {
    if constexpr (jumps)
      return continuity_.is_near(height);
    else
      return height < T(R(0));
  }

  StepSample<T> low_, high_;  ///< the bracket
  T tolerance_, span_;
  T side_;           ///< 1 if f rises from a negative value at the low end, -1 if it falls from a positive one
  Mask<T> seeking_;  ///< no point beyond the value is known yet
  Mask<T> later_;
  Mask<T> blocked_;  ///< the step to the high end was not valid
  [[no_unique_address]] std::conditional_t<jumps, Continuity<T>, AlwaysContinuous> continuity_;
};

}  // namespace polhode::inline POLHODE_ISA

// Root search in the fraction of a step: the zero in [0, 1] of a function f that has different signs at the ends. It
// uses values only; f is so smooth over a step that three or four of them suffice for round-off accuracy.
//
// The next fraction is the zero of the parabola through the last three points (Muller, MTAC 10, 1956), initially
// including both ends of the step, corrected by Newton's method for the cubic through the last four, and confined to a
// bracket. Inverse quadratic interpolation needs no square root but one more step, and many near a tangency; a pack
// waits for its slowest lane. A lane that has not converged after max_interpolations is bisected.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "polhode/run/continuity.hpp"
#include "polhode/scalar/scalar.hpp"

namespace polhode::inline POLHODE_ISA {

inline constexpr int max_interpolations = 8;
/// Bound on the evaluations of f: the bisections after the interpolations exhaust any bracket.
inline constexpr int max_refinements = max_interpolations + 54;

/// jumps: whether f may do so, as an angle does.
template <class T, bool jumps = false>
class Bracket {
  using R = Real<T>;

 public:
  T theta;    ///< the next point at which to evaluate f
  T outcome;  ///< result for a lane that the last add() returned: theta of that call, but infinite if f jumps over zero
              ///< there, and NaN if no valid step reaches it; NaN for other lanes

  Bracket() = default;
  /// f_low and f_high are the values of f at 0 and 1; `tolerance` is the accuracy of f.
  POLHODE_HD Bracket(const T& f_low, const T& f_high, const T& tolerance)
      : low_(R(0)),
        high_(R(1)),
        f_low_(f_low),
        f_high_(f_high),
        last_(R(0)),
        before_(R(1)),
        oldest_(R(0)),
        f_last_(f_low),
        slope_last_(f_high - f_low),
        bend_last_(R(0)),
        span_(slope_last_),
        tolerance_(tolerance),
        rising_(f_low < T(R(0))),
        blocked_(false) {
    if constexpr (jumps) continuity_ = {rising_height(f_low), tolerance};
    // The first guess is linear; the bound makes the fraction positive even if that underflows.
    const T linear = f_low / (f_low - f_high), least(std::numeric_limits<R>::min());
    theta = select(linear > least, linear, least);
  }

  /// Takes f at theta and returns the lanes that are done there. Lanes are independent; one that is done may go on with
  /// the others, but its values are then meaningless. An invalid step counts as beyond the zero, so that the next one
  /// is shorter; guesses computed from its f are inside the bracket, or are replaced by bisections.
  POLHODE_HD Mask<T> add(const T& f, const Mask<T>& valid) {
    constexpr R eps = std::numeric_limits<R>::epsilon(),
                root_eps = R(1) / (std::int64_t{1} << std::numeric_limits<R>::digits / 2);
    const T inf(std::numeric_limits<R>::infinity()), nan(std::numeric_limits<R>::quiet_NaN());
    const Mask<T> below = valid & is_below(f);
    low_ = select(below, theta, low_);
    high_ = select(below, high_, theta);
    f_low_ = select(below, f, f_low_);
    f_high_ = select(below, f_high_, f);
    blocked_ = (blocked_ & below) | (!valid);
    // In a bracket of round-off width, f has nearly equal values at both ends unless it jumps.
    const T gap = abs(f_high_ - f_low_), most = jumps ? T(most_change<R>) : T(root_eps) * abs(span_);
    Mask<T> at_zero = abs(f) <= tolerance_;
    if constexpr (jumps) at_zero = continuity_.add(valid & at_zero, theta, gap, !blocked_);
    const Mask<T> done = valid & (at_zero | (high_ - low_ <= T(eps))), closed = done & !blocked_;
    outcome = select((done & at_zero) | (closed & (gap <= most)), theta, select(closed & (gap > most), inf, nan));
    return done;
  }

  /// Chooses the next theta; f as in add(), whose k-th call it was, counted from 0. Separate from add(), because its
  /// divisions would be wasted when all lanes are done.
  POLHODE_HD void move_on(const T& f, int k) {
    // Divided differences of first, second and third order, the first two with a common division.
    const T stride = theta - last_, reach = theta - before_;
    const T inverse = T(R(1)) / (stride * reach);
    const T slope = (f - f_last_) * (inverse * reach), bend = (slope - slope_last_) * (inverse * stride);
    const T tangent = fma(bend, stride, slope);
    const T discriminant = sqrt(fma(tangent, tangent, T(R(-4)) * (bend * f)));
    const T rate = select(rising_, discriminant, -discriminant);  // derivative of the parabola at its zero
    const T change = (T(R(-2)) * f) / (tangent + rate);
    T next = theta + change;
    if (k > 0)
      next = next - (bend - bend_last_) * (change * ((next - last_) * (next - before_))) / ((theta - oldest_) * rate);
    if constexpr (jumps) next = continuity_.beside(next, theta, is_below(f));
    const Mask<T> between = (next > low_) & (next < high_);

    oldest_ = before_;
    before_ = last_;
    last_ = theta;
    f_last_ = f;
    slope_last_ = slope;
    bend_last_ = bend;
    const T middle = T(R(0.5)) * (low_ + high_);
    theta = k < max_interpolations ? select(between, next, middle) : middle;
    if constexpr (jumps) theta = continuity_.back(theta, low_, high_);
  }

 private:
  POLHODE_HD T rising_height(const T& f) const { return select(rising_, f, -f); }
  /// Whether f is on the side of the low end.
  POLHODE_HD Mask<T> is_below(const T& f) const {
    const T zero(R(0));
    if constexpr (jumps)
      return continuity_.is_near(rising_height(f));
    else
      return (rising_ & (f < zero)) | ((!rising_) & (f > zero));
  }

  T low_, high_, f_low_, f_high_;      ///< the bracket
  T last_, before_, oldest_;           ///< the last three points of evaluation
  T f_last_, slope_last_, bend_last_;  ///< divided differences at the last one
  T span_, tolerance_;
  Mask<T> rising_;
  Mask<T> blocked_;  ///< the step to high_ was not valid
  [[no_unique_address]] std::conditional_t<jumps, Continuity<T>, AlwaysContinuous> continuity_;
};

}  // namespace polhode::inline POLHODE_ISA

// The search for the fraction of a step at which a function f of it is zero, between 0 and 1 where it has different
// signs: from values only, because f is so smooth over a step that three or four of them reach round-off.
//
// The next fraction is the zero of the parabola through the last three points (Muller, MTAC 10, 1956), the first two of
// them the ends of the step, corrected by Newton's method for the cubic through the last four, and kept inside a
// bracket. Inverse quadratic interpolation, which needs no square root, takes a step more and near a tangent many, and
// a pack waits for its slowest lane. What has not converged after max_interpolations is bisected.
#pragma once

#include <cstdint>
#include <limits>

#include "polhode/scalar/scalar.hpp"

namespace polhode::inline POLHODE_ISA {

inline constexpr int max_interpolations = 8;
/// Bisections after that leave nothing of a bracket.
inline constexpr int max_refinements = max_interpolations + 54;

template <class T>
class Bracket {
  using R = Real<T>;

 public:
  T theta;    ///< where f is wanted
  T outcome;  ///< of a lane of which add() has just said that it is done: where f was taken, but infinite if f jumps
              ///< over zero there, and NaN if no valid step goes as far; of others NaN

  Bracket() = default;
  /// f_low at 0, f_high at 1; f is not known better than to the tolerance.
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
    // The first guess is linear; the fraction is positive also where that underflows.
    const T linear = f_low / (f_low - f_high), least(std::numeric_limits<R>::min());
    theta = select(linear > least, linear, least);
  }

  /// Takes f at theta and returns the lanes that are done there. Lanes know nothing of each other; one that is done may
  /// go on with the others, but what it does then means nothing. An invalid step counts as beyond the zero, so that the
  /// next one is shorter; what its f makes of the next guesses is inside the bracket, or a bisection.
  POLHODE_HD Mask<T> add(const T& f, const Mask<T>& valid) {
    constexpr R eps = std::numeric_limits<R>::epsilon(),
                root_eps = R(1) / (std::int64_t{1} << std::numeric_limits<R>::digits / 2);
    const T zero(R(0)), inf(std::numeric_limits<R>::infinity()), nan(std::numeric_limits<R>::quiet_NaN());
    const Mask<T> below = valid & ((rising_ & (f < zero)) | ((!rising_) & (f > zero)));
    low_ = select(below, theta, low_);
    high_ = select(below, high_, theta);
    f_low_ = select(below, f, f_low_);
    f_high_ = select(below, f_high_, f);
    blocked_ = (blocked_ & below) | (!valid);
    const Mask<T> at_zero = abs(f) <= tolerance_, done = valid & (at_zero | (high_ - low_ <= T(eps)));
    // Where nothing is left of the bracket, f is nearly the same at its ends unless it jumps.
    const T gap = abs(f_high_ - f_low_), most = T(root_eps) * abs(span_);
    const Mask<T> closed = done & !blocked_;
    outcome = select((done & at_zero) | (closed & (gap <= most)), theta, select(closed & (gap > most), inf, nan));
    return done;
  }

  /// Moves theta on; f is that of add(), which was the k-th one from 0. Apart from it, because where all lanes are done
  /// its divisions would be for nothing.
  POLHODE_HD void move_on(const T& f, int k) {
    // Divided differences of the first, second and third order, of the first two with one division.
    const T stride = theta - last_, reach = theta - before_;
    const T inverse = T(R(1)) / (stride * reach);
    const T slope = (f - f_last_) * (inverse * reach), bend = (slope - slope_last_) * (inverse * stride);
    const T tangent = fma(bend, stride, slope);
    const T discriminant = sqrt(fma(tangent, tangent, T(R(-4)) * (bend * f)));
    const T rate = select(rising_, discriminant, -discriminant);  // of the parabola at its zero
    const T change = (T(R(-2)) * f) / (tangent + rate);
    T next = theta + change;
    if (k > 0)
      next = next - (bend - bend_last_) * (change * ((next - last_) * (next - before_))) / ((theta - oldest_) * rate);
    const Mask<T> between = (next > low_) & (next < high_);

    oldest_ = before_;
    before_ = last_;
    last_ = theta;
    f_last_ = f;
    slope_last_ = slope;
    bend_last_ = bend;
    const T middle = T(R(0.5)) * (low_ + high_);
    theta = k < max_interpolations ? select(between, next, middle) : middle;
  }

 private:
  T low_, high_, f_low_, f_high_;      ///< the bracket
  T last_, before_, oldest_;           ///< where f was taken last, and before that
  T f_last_, slope_last_, bend_last_;  ///< its divided differences
  T span_, tolerance_;
  Mask<T> rising_;
  Mask<T> blocked_;  ///< the step to high_ was not valid
};

}  // namespace polhode::inline POLHODE_ISA

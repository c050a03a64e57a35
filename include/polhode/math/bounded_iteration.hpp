// The loop of every implicit step: x <- sweep(x) until each lane has converged.
//
// The first K sweeps are unconditional, so that the hot loop has no branch; further ones update only lanes that have
// not converged. The result of a lane therefore depends on that lane alone, not on its neighbours in a pack or warp.
//
// A lane whose update then grows to more than twice the previous one is declared divergent: with too long a step there
// may be no solution nearby, and the iteration might eventually find one that is unrelated to the motion.
// K must be chosen on the host from the parameters and the nominal step (nominal_sweeps) and passed to every backend.
#pragma once

#include "polhode/math/vec.hpp"

namespace polhode::inline POLHODE_ISA {

/// Number of sweeps after which a lane counts as not converged.
inline constexpr int max_sweeps = 200;

/// Relative change of the iterate below which a lane has converged. A sweep contracts, so that the remaining error is
/// smaller still; 32 ulp is above the rounding noise of a sweep, so that the change can fall below it.
template <class R>
POLHODE_HD R sweep_tolerance() {
  return R(32) * std::numeric_limits<R>::epsilon();
}

/// |next - x|^2.
template <class T, int N>
POLHODE_HD T squared_change(const Vec<T, N>& x, const Vec<T, N>& next) {
  const Vec<T, N> change = next - x;
  return dot(change, change);
}

/// Lanes that diverge: the change has grown to more than twice the previous one, whose square is `before`, or is not
/// finite. Changes below a thousand tolerances may be round-off, so their growth is accepted.
template <class T, int N>
POLHODE_HD Mask<T> diverges(const Vec<T, N>& x, const Vec<T, N>& next, const T& before) {
  using R = Real<T>;
  const T change = squared_change(x, next);
  const R noise = R(1024) * sweep_tolerance<R>();
  return (!(change <= T(R(4)) * before)) & (!(change < T(noise * noise) * dot(next, next)));
}

/// Lanes in which next differs from x by less than the tolerance, in the Euclidean norm. False if either is not finite:
/// the comparison is strict, and an infinite change is not below an infinite norm.
template <class T, int N>
POLHODE_HD Mask<T> has_settled(const Vec<T, N>& x, const Vec<T, N>& next) {
  using R = Real<T>;
  const R tolerance = sweep_tolerance<R>();
  // The smallest normal number lets an iterate at zero settle.
  return squared_change(x, next) < fma(T(tolerance * tolerance), dot(next, next), T(std::numeric_limits<R>::min()));
}

/// Replaces the tangents of x by those of `next` in the lanes `wanted`; the values of x do not change.
template <class T, int N>
POLHODE_HD void copy_tangents(const Mask<T>& wanted, const Vec<T, N>& next, Vec<T, N>& x) {
  unroll<N>([&](int i) POLHODE_LAMBDA { x[i] = select(wanted, with_value_of(next[i], x[i]), x[i]); });
}

/// State of an iteration that continues lane by lane.
template <class T, class Unknown>
struct Iteration {
  Unknown x;
  Mask<T> converged;
  int sweeps;  ///< so far
  T count;     ///< number of sweeps of each lane; dead code unless there are tangents
};

/// Sweeps the lanes that have not converged until they converge or fail; `change` is the square of the last change.
template <class T, class Unknown, class Sweep>
POLHODE_OUTLINED void iterate_on(Iteration<T, Unknown>& at, T change, Sweep& sweep) {
  Mask<T> done = at.converged;  // or given up
  for (; !all(done) && at.sweeps < max_sweeps; ++at.sweeps) {
    Unknown next = sweep(at.x);
    const Mask<T> settled = has_settled(at.x, next), diverging = diverges(at.x, next, change);
    change = squared_change(at.x, next);
    at.x = select(done, at.x, next);
    if constexpr (ScalarTraits<T>::has_tangent) at.count = select(done, at.count, at.count + T(Real<T>(1)));
    at.converged = at.converged | (settled & !done);
    done = done | settled | diverging;
  }
}

/// Iterates x in place: K = sweeps unconditional sweeps, then masked ones. Lanes outside `active` count as converged.
/// Returns the lanes that have converged; the iterates of the others are meaningless. An Unknown is a Vec, or has its
/// own overloads of the functions above. A Sweep is not changed by a call, so that it may be copied. It should capture
/// by value everything that is not in memory anyway, because the masked sweeps take the address of a copy.
template <class T, class Unknown, class Sweep>
POLHODE_HD Mask<T> iterate(Unknown& x, int sweeps, const Mask<T>& active, Sweep sweep) {
  for (int k = 1; k < sweeps; ++k) x = sweep(x);
  Unknown next = sweep(x);
  Mask<T> converged = has_settled(x, next);
  T count(static_cast<Real<T>>(sweeps));
  if (all(converged)) {
    x = next;
  } else {
    // `active` is combined here, not above: most steps never need it.
    Iteration<T, Unknown> rest{next, Mask<T>(converged | !active), sweeps, count};
    Sweep own = sweep;
    iterate_on<T>(rest, squared_change(x, next), own);
    x = rest.x;
    converged = rest.converged;
    sweeps = rest.sweeps;
    count = rest.count;
  }
  // Tangents converge at the same rate, but only after the value: as many sweeps again, with the value fixed.
  if constexpr (ScalarTraits<T>::has_tangent) {
    for (int k = 0; k < sweeps; ++k) {
      next = sweep(x);
      const Mask<T> wanted = T(static_cast<Real<T>>(k)) < count;
      copy_tangents<T>(wanted, next, x);
    }
  }
  return converged;
}

}  // namespace polhode::inline POLHODE_ISA

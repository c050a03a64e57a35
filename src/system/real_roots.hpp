// Real roots by bracketing: of a function between two points, and all those of a polynomial on an interval.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace polhode {

/// Point in [a, b] at which f changes sign, to the spacing of numbers near 1; fa = f(a) and fb = f(b), of which one is
/// negative and the other is not. Inverse quadratic interpolation if three values allow it, otherwise bisection, e.g.
/// where f is like a square root at its zero (Chandrupatla 1997, Adv. Eng. Software 28, 145).
template <class F>
double bracketed_root(const F& f, double a, double b, double fa, double fb) {
  constexpr double tolerance = 0x1p-53;
  double part = 0.5;  // fraction of the way from a, the newest point, to b, beyond the root
  for (;;) {
    const double x = a + part * (b - a), fx = f(x);
    double c = a, fc = fa;  // the previous point on the same side as x, or the end that x replaces
    if ((fx < 0) != (fa < 0)) {
      c = b;
      fc = fb;
      b = a;
      fb = fa;
    }
    a = x;
    fa = fx;
    const double least = tolerance / std::abs(b - a);
    if (!(least < 0.5) || fa == 0) return std::abs(fa) < std::abs(fb) ? a : b;
    const double xi = (a - b) / (c - b), phi = (fa - fb) / (fc - fb);
    const bool interpolates = phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi;
    part =
        interpolates ? fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * (fa / (fc - fa)) * (fb / (fc - fb)) : 0.5;
    part = std::clamp(part, least, 1 - least);
  }
}

/// Polynomial c[0] + c[1] u + ... + c[n] u^n.
template <int n>
struct Polynomial {
  std::array<double, n + 1> c{};

  double operator()(double u) const {
    double value = c[n];
    for (int k = n - 1; k >= 0; --k) value = value * u + c[k];
    return value;
  }
};

template <int m, int n>
Polynomial<m + n> operator*(const Polynomial<m>& a, const Polynomial<n>& b) {
  Polynomial<m + n> product;
  for (int i = 0; i <= m; ++i)
    for (int j = 0; j <= n; ++j) product.c[i + j] += a.c[i] * b.c[j];
  return product;
}

template <int n>
Polynomial<n> operator*(double factor, const Polynomial<n>& a) {
  Polynomial<n> result = a;
  for (double& c : result.c) c *= factor;
  return result;
}

template <int n>
Polynomial<n> operator+(const Polynomial<n>& a, const Polynomial<n>& b) {
  Polynomial<n> sum = a;
  for (int k = 0; k <= n; ++k) sum.c[k] += b.c[k];
  return sum;
}

template <int n>
Polynomial<n> operator-(const Polynomial<n>& a, const Polynomial<n>& b) {
  return a + (-1.0) * b;
}

template <int n>
Polynomial<n - 1> derivative(const Polynomial<n>& a) {
  Polynomial<n - 1> result;
  for (int k = 1; k <= n; ++k) result.c[k - 1] = k * a.c[k];
  return result;
}

/// Roots of a polynomial, n at most, in the increasing order in which add() is called with them.
template <int n>
struct Roots {
  std::array<double, n> at{};
  int count = 0;

  void add(double u) { at[count++] = u; }
  const double* begin() const { return at.data(); }
  const double* end() const { return at.data() + count; }
};

/// The roots of p in [-1, 1] at which p changes sign. Between neighbouring roots of its derivative p is monotone, so
/// that it has one root at most, and no guesses are needed; the roots of the derivative are found recursively. A pair
/// of roots between which p stays below round-off may be missed.
template <int n>
Roots<n> roots_of(const Polynomial<n>& p) {
  Roots<n> roots;
  if constexpr (n > 0) {
    double left = -1, at_left = p(left);
    const auto look_up_to = [&](double right) {
      const double at_right = p(right);
      if ((at_left < 0) != (at_right < 0)) roots.add(bracketed_root(p, left, right, at_left, at_right));
      left = right;
      at_left = at_right;
    };
    for (const double turn : roots_of(derivative(p))) look_up_to(turn);
    look_up_to(1);
  }
  return roots;
}

}  // namespace polhode

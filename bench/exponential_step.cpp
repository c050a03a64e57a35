// Newton's iteration for xi in R^3 from xi = h Omega, as the angular momentum gives it:
//
//     F(xi) = vee(R J - J R^T) - h Pi = 0,   R = w^T = exp(hat(xi)),   J = diag(alpha),   alpha_i = sum(I) / 2 - I_i
//
// the equation w^T J - J w = h m in vectors, between the two kicks of RATTLE.
#include "exponential_step.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "pack_algebra.hpp"

namespace polhode::bench {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Body of the heavy top's parameters: I1 I2 I3, chi, c.
struct Body {
  Vector<double> inertia, alpha, weight;  // weight = c chi

  explicit Body(const double* p) : inertia{p[0], p[1], p[2]}, weight{p[6] * p[3], p[6] * p[4], p[6] * p[5]} {
    for (int i = 0; i < 3; ++i) alpha[i] = (p[0] + p[1] + p[2]) / 2 - p[i];
  }
};

/// vee(A J - J A^T).
template <class T>
Vector<T> momentum(const Matrix<T>& a, const Vector<double>& alpha) {
  Vector<T> m;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    m[i] = a[k][j] * alpha[j] - a[j][k] * alpha[k];
  }
  return m;
}
/// F without the load, and its derivative.
template <class T>
struct Linearised {
  Vector<T> momentum;
  std::array<Vector<T>, 3> columns;
};

/// R = 1 + A S with A = hat(xi) and S = sum A^k / (k + 1)!. Along eta it changes by R hat(S^T eta): S with -A for A,
/// which is antisymmetric and ad(xi), too.
class Series {
 public:
  static constexpr const char* name = "exponential/series";

  template <class T>
  static Matrix<T> rotation(const Vector<T>& xi) {
    return one_plus(product(hat(xi), sum(xi)));
  }
  template <class T>
  static Linearised<T> linearised(const Body& body, const Vector<T>& xi) {
    const Matrix<T> s = sum(xi), r = one_plus(product(hat(xi), s));
    Linearised<T> f{momentum(r, body.alpha), {}};
    for (int k = 0; k < 3; ++k) f.columns[k] = momentum(product(r, hat(s[k])), body.alpha);
    return f;
  }

 private:
  /// S, of as many terms as change R, from the last one on.
  template <class T>
  static Matrix<T> sum(const Vector<T>& xi) {
    constexpr double round_off = epsilon / 4;
    const double size_squared = largest(dot(xi, xi));
    int terms = 0;
    for (double bound_squared = size_squared; bound_squared > round_off * round_off; ++terms)
      bound_squared *= size_squared / ((terms + 2) * (terms + 2));

    const Matrix<T> a = hat(xi);
    Matrix<T> s = one_plus(Matrix<T>{});
    for (int k = terms - 1; k > 0; --k) {
      const double factor = 1.0 / (k + 1);
      const Matrix<T> p = product(a, s);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) s[i][j] = factor * p[i][j];
      for (int i = 0; i < 3; ++i) s[i][i] += 1;
    }
    return s;
  }
};

/// R = 1 + a hat(xi) + b hat(xi)^2 with a = sin|xi| / |xi|, b = (1 - cos|xi|) / |xi|^2, hence
///
///     vee(R J - J R^T) = a I xi + b (J xi) x xi
class Rodrigues {
 public:
  static constexpr const char* name = "exponential/rodrigues";

  template <class T>
  static Matrix<T> rotation(const Vector<T>& xi) {
    const T x = dot(xi, xi), a = value(sine, x), b = value(cosine, x), one = T{} + 1;
    const Matrix<T> h = hat(xi);
    Matrix<T> r;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) r[i][j] = b * (xi[i] * xi[j]) + a * h[i][j];
    for (int i = 0; i < 3; ++i) r[i][i] += one - b * x;
    return r;
  }
  template <class T>
  static Linearised<T> linearised(const Body& body, const Vector<T>& xi) {
    const T x = dot(xi, xi), a = value(sine, x), b = value(cosine, x), da = slope(sine, x), db = slope(cosine, x);
    const Vector<T> linear = scaled(xi, body.inertia), quadratic = cross(scaled(xi, body.alpha), xi);
    Linearised<T> f;
    for (int i = 0; i < 3; ++i) {
      f.momentum[i] = a * linear[i] + b * quadratic[i];
      const T along = 2 * (da * linear[i] + db * quadratic[i]);
      for (int k = 0; k < 3; ++k) f.columns[k][i] = along * xi[k];
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      const T difference = b * (body.alpha[j] - body.alpha[k]);
      f.columns[i][i] += a * body.inertia[i];
      f.columns[j][i] += difference * xi[k];
      f.columns[k][i] += difference * xi[j];
    }
    return f;
  }

 private:
  /// Series in x = |xi|^2, which have no cancellation: to round-off for |xi| below 1/4, more than Figure 1 reaches.
  static constexpr int terms = 6;
  using Coefficients = std::array<double, terms>;

  /// (-1)^k / (2k + shift)!.
  template <int shift>
  static constexpr Coefficients alternating = [] {
    Coefficients c{};
    double factorial = shift;
    for (int k = 0; k < terms; ++k) {
      c[k] = 1 / factorial;
      factorial *= -(2.0 * k + shift + 1) * (2 * k + shift + 2);
    }
    return c;
  }();
  static constexpr Coefficients sine = alternating<1>, cosine = alternating<2>;

  template <class T>
  static T value(const Coefficients& c, const T& x) {
    T sum = T{} + c[terms - 1];
    for (int k = terms - 2; k >= 0; --k) sum = sum * x + c[k];
    return sum;
  }
  template <class T>
  static T slope(const Coefficients& c, const T& x) {
    T sum = T{} + (terms - 1) * c[terms - 1];
    for (int k = terms - 2; k >= 1; --k) sum = sum * x + k * c[k];
    return sum;
  }
};

/// w^T, by iterations until the next would change it by round-off in every lane: to leading order a correction is at
/// most a quarter of the square of the one before, because |alpha_j - alpha_k| <= I_i.
template <class Exponential, class T>
Matrix<T> rotation(const Body& body, double h, const Vector<T>& pi) {
  const Vector<T> load{h * pi[0], h * pi[1], h * pi[2]};
  Vector<T> xi{load[0] / body.inertia[0], load[1] / body.inertia[1], load[2] / body.inertia[2]}, correction;
  do {
    const Linearised<T> f = Exponential::linearised(body, xi);
    Vector<T> residual;
    for (int i = 0; i < 3; ++i) residual[i] = f.momentum[i] - load[i];
    correction = solved(f.columns, residual);
    for (int i = 0; i < 3; ++i) xi[i] -= correction[i];
  } while (largest(dot(correction, correction)) > 2 * epsilon);
  return Exponential::rotation(xi);
}

template <class Exponential, int lanes>
void advance(double* states, long n, long steps, double h, const double* parameters) {
  using T = typename PackOf<lanes>::Type;
  const Body body(parameters);
  const Vector<double> half_kick{h / 2 * body.weight[0], h / 2 * body.weight[1], h / 2 * body.weight[2]};
  for (long first = 0; first < n; first += lanes) {
    const auto stored = [&](int lane) { return states + 6 * std::min(first + lane, n - 1); };
    Vector<T> pi, gamma;
    for (int lane = 0; lane < lanes; ++lane)
      for (int i = 0; i < 3; ++i) pi[i][lane] = stored(lane)[i], gamma[i][lane] = stored(lane)[3 + i];
    const auto kick = [&] {
      const Vector<T> change = cross(gamma, half_kick);
      for (int i = 0; i < 3; ++i) pi[i] += change[i];
    };
    for (long step = 0; step < steps; ++step) {
      kick();
      const Matrix<T> r = rotation<Exponential>(body, h, pi);
      pi = turned(r, pi), gamma = turned(r, gamma);
      kick();
    }
    for (int lane = 0; lane < lanes; ++lane)
      for (int i = 0; i < 3; ++i) stored(lane)[i] = pi[i][lane], stored(lane)[3 + i] = gamma[i][lane];
  }
}

template <int lanes, class Exponential>
constexpr ExponentialStep in_packs_of{{Exponential::name, 2, advance<Exponential, lanes>}, lanes};

constexpr ExponentialStep all[] = {
    in_packs_of<4, Series>,
    in_packs_of<4, Rodrigues>,
#ifdef __AVX512F__
    in_packs_of<8, Series>,
    in_packs_of<8, Rodrigues>,
#endif
};

}  // namespace

const std::span<const ExponentialStep> exponential_steps = all;

}  // namespace polhode::bench

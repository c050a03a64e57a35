// The generating functions of canonical maps (Pierce 1994, sect. 2.2, 2.3, 4.2, 5): that they solve the Hamilton-Jacobi
// equation as series, that the program's maps are theirs, and where they exist.
#include <cmath>
#include <random>

#include "numerics/canonical_step.hpp"

namespace polhode::test {
namespace {

using Vector = Eigen::Vector2d;
using Matrix = Eigen::Matrix2d;

// Henon and Heiles by hand, for functions that the program does not see.
double V(const Vector& q) { return q.squaredNorm() / 2 + q[0] * q[0] * q[1] - q[1] * q[1] * q[1] / 3; }
Vector slope(const Vector& q) { return {q[0] + 2 * q[0] * q[1], q[1] + q[0] * q[0] - q[1] * q[1]}; }
Matrix curvature(const Vector& q) { return (Matrix() << 1 + 2 * q[1], 2 * q[0], 2 * q[0], 1 - 2 * q[1]).finished(); }
/// Third derivative along v, of a cubic the same everywhere.
double cubic(const Vector& v) { return 6 * v[0] * v[0] * v[1] - 2 * v[1] * v[1] * v[1]; }
double H(const Vector& q, const Vector& p) { return p.squaredNorm() / 2 + V(q); }

/// F of the second kind; U = -Q.p + F.
double second_kind(const Vector& p, const Vector& q, double h, int order) {
  double F = h * H(q, p);
  if (order >= 2) F -= h * h / 2 * p.dot(slope(q));
  if (order >= 3) F += std::pow(h, 3) / 6 * (slope(q).squaredNorm() + p.dot(curvature(q) * p));
  if (order >= 4) F -= std::pow(h, 4) * (5 * p.dot(curvature(q) * slope(q)) + cubic(p)) / 24;
  return F;
}
/// Poincare's.
double poincare(const Vector& q, const Vector& p, double h, int order) {
  double F = h * H(q, p);
  if (order >= 4) F += std::pow(h, 3) / 24 * (p.dot(curvature(q) * p) + slope(q).squaredNorm());
  return F;
}
/// Integral over (0, 1) by Simpson's rule with n intervals.
template <class F>
auto simpson(const F& f, int n) {
  auto sum = f(0.0);
  sum += f(1.0);
  for (int k = 1; k < n; ++k) sum += (k % 2 == 1 ? 4.0 : 2.0) * f(k / double(n));
  sum /= 3.0 * n;
  return sum;
}
/// S of the first kind. The inner integrals are of cubics, for which the rule is exact, the outer one is of degree 6.
double first_kind(const Vector& q, const Vector& Q, double h, int order) {
  const Vector D = Q - q;
  double S = D.squaredNorm() / (2 * h) - h * simpson([&](double s) { return V(q + s * D); }, 2);
  if (order < 4) return S;
  const auto by_end = [&](double s) { return simpson([&](double u) { return Vector(-u * slope(q + u * s * D)); }, 2); };
  return S - std::pow(h, 3) / 2 * simpson([&](double s) { return s * s * by_end(s).squaredNorm(); }, 64);
}

/// Derivatives by central differences of order 4: exact to some 1e-12 for functions of size 1.
template <class F>
double derivative(const F& f) {
  constexpr double e = 2e-3;
  return (8 * (f(e) - f(-e)) - (f(2 * e) - f(-2 * e))) / (12 * e);
}
template <class F>
Vector gradient(const F& f, const Vector& x) {
  Vector g;
  for (int k = 0; k < 2; ++k) g[k] = derivative([&](double e) { return f(x + e * Vector::Unit(k)); });
  return g;
}

std::vector<PhasePoint> points(int n) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform(-0.4, 0.4);
  std::vector<PhasePoint> all(n);
  for (PhasePoint& x : all)
    for (double& value : x) value = uniform(random);
  return all;
}

TEST(GeneratingFunctions, SolveTheHamiltonJacobiEquation) {
  // Cut off after h^k the residual is of order h^k: of the second kind and Poincare's U_t = H, of the first -S_t = H,
  // each with H at a point that the function itself gives (Pierce 1994, eq. (7)).
  const PhasePoint x{0.3, 0.2, 0.35, 0.25};
  const Vector a = x.head<2>(), b = x.tail<2>();
  const auto residual_of_second = [&](double h, int order) {
    const double rate = derivative([&](double e) { return second_kind(b, a, h * (1 + e), order); }) / h;
    const Vector start = a - gradient([&](const Vector& p) { return second_kind(p, a, h, order); }, b);
    return rate - H(start, b);
  };
  const auto residual_of_first = [&](double h, int order) {
    const Vector end = a + Vector(0.3, 0.2);
    const double rate = derivative([&](double e) { return first_kind(a, end, h * (1 + e), order); }) / h;
    return rate + H(end, gradient([&](const Vector& q) { return first_kind(a, q, h, order); }, end));
  };
  const auto residual_of_poincare = [&](double h, int order) {
    const double rate = derivative([&](double e) { return poincare(a, b, h * (1 + e), order); }) / h;
    const Vector by_q = gradient([&](const Vector&q) { return poincare(q, b, h, order); }, a),
                 by_p = gradient([&](const Vector&p) { return poincare(a, p, h, order); }, b);
    return rate - H(a + by_p / 2, b - by_q / 2);
  };
  const auto residual = [&](const KindAndOrder& map, double h) {
    switch (map.kind) {
      case GeneratingKind::first: return residual_of_first(h, map.order);
      case GeneratingKind::second: return residual_of_second(h, map.order);
      case GeneratingKind::poincare: return residual_of_poincare(h, map.order);
    }
    return 0.0;
  };
  for (const KindAndOrder& map : all_generated) {
    const double coarse = residual(map, 0.2), fine = residual(map, 0.1);
    EXPECT_NEAR(std::log2(std::abs(coarse / fine)), map.order, 0.25)
        << "kind " << int(map.kind) << ", order " << map.order << ": " << coarse << ", " << fine;
  }
}

TEST(GeneratingFunctions, MakeTheMapsOfTheProgram) {
  // (q, p) -> (Q, P) is that of the function: its derivatives at both ends.
  constexpr double h = 0.1;
  for (const KindAndOrder& map : all_generated) {
    const StepsOf<GeneratedMap<HenonHeiles>> step(generated(map.kind, map.order), h);
    for (const PhasePoint& x : points(5)) {
      const PhasePoint y = step(x);
      const Vector q = x.head<2>(), p = x.tail<2>(), Q = y.head<2>(), P = y.tail<2>();
      Vector off_q, off_p;
      if (map.kind == GeneratingKind::second) {
        off_q = Q - q - gradient([&](const Vector& at) { return second_kind(at, Q, h, map.order); }, p);
        off_p = P - p + gradient([&](const Vector& at) { return second_kind(p, at, h, map.order); }, Q);
      } else if (map.kind == GeneratingKind::first) {
        off_q = h * (p + gradient([&](const Vector& at) { return first_kind(at, Q, h, map.order); }, q));
        off_p = h * (P - gradient([&](const Vector& at) { return first_kind(q, at, h, map.order); }, Q));
      } else {
        const Vector middle = (q + Q) / 2, moving = (p + P) / 2;
        off_q = Q - q - gradient([&](const Vector& at) { return poincare(middle, at, h, map.order); }, moving);
        off_p = P - p + gradient([&](const Vector& at) { return poincare(at, moving, h, map.order); }, middle);
      }
      // The differences are exact to 1e-12; the terms of order 4 that the functions could lack are 1e-6.
      EXPECT_LT(off_q.norm(), 5e-12) << int(map.kind) << ' ' << map.order;
      EXPECT_LT(off_p.norm(), 5e-12) << int(map.kind) << ' ' << map.order;
    }
  }
}

TEST(GeneratingFunctions, OfTheSecondKindHavePlusHFirst) {
  // Eq. (9) has U_1 = -H, whose map goes backwards; with +H it is the drift, then the kick, which is not (10).
  for (const PhasePoint& x : points(5)) {
    const PhasePoint there = StepsOf<GeneratedMap<HenonHeiles>>(generated(GeneratingKind::second, 1), 0.1)(x);
    const PhasePoint drift_first = StepsOf<KickDrift<HenonHeiles>>(Kicks{.after = 1}, 0.1)(x);
    const PhasePoint kick_first = StepsOf<KickDrift<HenonHeiles>>(Kicks{.before = 1}, 0.1)(x);
    EXPECT_LT((there - drift_first).norm(), 4e-16);  // roundings
    EXPECT_GT((there - kick_first).norm(), 1e-5);    // h^2 V''p
    const Vector back = x.head<2>() - 0.1 * x.tail<2>();
    EXPECT_GT((there.head<2>() - back).norm(), 0.1 * x.tail<2>().norm());
  }
}

TEST(GeneratingFunctions, PoincaresFirstTermIsTheMidpointRule) {
  for (const PhasePoint& x : points(20)) {
    const PhasePoint of_function = StepsOf<GeneratedMap<HenonHeiles>>(generated(GeneratingKind::poincare, 2), 0.1)(x);
    const PhasePoint rule =
        StepsOf<RungeKutta<HenonHeiles>>(RungeKuttaOptions{.scheme = RungeKuttaScheme::implicit_midpoint}, 0.1)(x);
    EXPECT_LT((of_function - rule).norm(), 4e-16);  // roundings
  }
}

TEST(GeneratingFunctions, OfTheFirstKindExistWhereTheMapIsFree) {
  // Positions at both ends are coordinates of the graph where dQ/dp is regular, as for all small h but 0; at the
  // identity the graph is q = Q for all p. The second kind and Poincare's have the identity.
  const PhasePoint x{0.3, -0.2, 0.35, 0.25};
  for (const KindAndOrder& map : all_generated) {
    const Scheme c = generated(map.kind, map.order);
    for (const double h : {1e-3, 0.1}) {
      const Matrix free = StepsOf<GeneratedMap<HenonHeiles>>(c, h).jacobian(x).topRightCorner<2, 2>();
      EXPECT_NEAR(free.determinant() / (h * h), 1, 0.02);  // 1 + O(h^2)
    }
    const StepsOf<GeneratedMap<HenonHeiles>> identity(c, 0);
    PhasePoint y = x;
    const bool exists = identity.try_from(y);
    EXPECT_EQ(exists, map.kind != GeneratingKind::first);
    if (exists)
      EXPECT_EQ(y, x);
    else
      EXPECT_EQ(identity.failure(x), Status::no_generating_function);
  }
}

TEST(GeneratingFunctions, IterationsContract) {
  // Factors of a prototype with the functions of order 4 and a step of 0.1, the mean of two sweeps in turn, as late as
  // round-off allows. It began elsewhere, so that the last direction is not left as purely.
  constexpr double h = 0.1;
  const HenonHeiles::Model<double> model(nullptr);
  const polhode::GeneratingFunctions<HenonHeiles, double> functions(model, 4, h);
  const Vec<double, 2> q{0, 0.1}, p{0.4479583313955291, 0.2};
  using Unknown = Vec<double, 4>;
  const auto second = [&](const Unknown& at) {
    return HenonHeiles::state(q + functions.second_dq(p, HenonHeiles::position(at)), p);
  };
  const auto first = [&](const Unknown& at) {
    return HenonHeiles::state(fma(h, p + functions.first(q, HenonHeiles::position(at)).by_start, q), p);
  };
  const auto poincare = [&](const Unknown& at) {
    const auto f = functions.poincare(HenonHeiles::position(at), HenonHeiles::momentum(at));
    return HenonHeiles::state(fma(0.5, f.dq, q), fma(-0.5, f.dp, p));
  };
  const auto expect_factor = [&](const auto& sweep, const Unknown& start, double factor, int after) {
    Unknown at = start;
    double changes[9];
    for (double& change : changes) {
      const Unknown next = sweep(at);
      change = std::sqrt(dot(next - at, next - at));
      at = next;
    }
    EXPECT_NEAR(std::sqrt(changes[after + 2] / changes[after]), factor, 0.2 * factor);
  };
  expect_factor(second, HenonHeiles::state(fma(h, p, q), p), 0.00613, 3);
  expect_factor(first, HenonHeiles::state(fma(h, p, q), p), 0.00133, 1);
  expect_factor(poincare, HenonHeiles::state(fma(h / 2, p, q), p), 0.0555, 6);
}

TEST(GeneratingFunctions, HaveLagrangianGraphs) {
  // The graph {(z, Z(z))} of a symplectic map annihilates w1 = -J + J, and each change of coordinates of eqs. (3), (5),
  // (9) pulls dw ^ dwbar, the form of a cotangent bundle, back to w1: matrix identities.
  using Matrix8 = Eigen::Matrix<double, 8, 8>;
  const Eigen::Matrix4d J = symplectic_matrix(), one = Eigen::Matrix4d::Identity();
  const Matrix two = Matrix::Identity();
  Matrix8 w1 = Matrix8::Zero(), w2 = Matrix8::Zero();
  w1.topLeftCorner<4, 4>() = -J;
  w1.bottomRightCorner<4, 4>() = J;
  w2.topRightCorner<4, 4>() = one;
  w2.bottomLeftCorner<4, 4>() = -one;
  // (q, p, Q, P) -> (w, wbar): (q, Q; -p, P), (Q, p; P, q) and ((z + Z)/2; J^T (Z - z)).
  Matrix8 first = Matrix8::Zero(), second = Matrix8::Zero(), midpoint = Matrix8::Zero();
  first.block<2, 2>(0, 0) = first.block<2, 2>(2, 4) = first.block<2, 2>(6, 6) = two;
  first.block<2, 2>(4, 2) = -two;
  second.block<2, 2>(0, 4) = second.block<2, 2>(2, 2) = second.block<2, 2>(4, 6) = second.block<2, 2>(6, 0) = two;
  midpoint.topLeftCorner<4, 4>() = midpoint.topRightCorner<4, 4>() = one / 2;
  midpoint.bottomLeftCorner<4, 4>() = -J;
  midpoint.bottomRightCorner<4, 4>() = J;
  EXPECT_EQ(Matrix8(first.transpose() * w2 * first), w1);
  EXPECT_EQ(Matrix8(second.transpose() * w2 * second), w1);
  EXPECT_EQ(Matrix8(midpoint.transpose() * w2 * midpoint), w1);
  for (const KindAndOrder& map : all_generated) {
    Eigen::Matrix<double, 8, 4> tangent;
    tangent << one, StepsOf<GeneratedMap<HenonHeiles>>(generated(map.kind, map.order), 0.1)
                        .jacobian(PhasePoint(0.3, -0.2, 0.35, 0.25));
    EXPECT_LT((tangent.transpose() * w1 * tangent).norm(), 5e-15);  // roundings of the step
  }
}

}  // namespace
}  // namespace polhode::test

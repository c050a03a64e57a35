// A dual pair other than T*G (Pierce 1994, sect. 7): so(3)* <- C^2 -> R. With z = q + i p in C^2 = R^4,
//
//     J_1 = z^* sigma z / 4, the spin of z (Hopf's map),   J_2 = |z|^2 / 4 = |J_1|
//
// A generating function on R^4 that is a function of J_1 gives a Poisson map of so(3)*: that of Poincare's kind U = h
// H(J_1) is the midpoint rule for the collective Hamiltonian H(J_1) (McLachlan, Modin & Verdier, Nonlinearity 27 (2014)
// 1525).
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>
#include <random>

#include "numerics/dense.hpp"

namespace polhode::test {
namespace {

using Point = Eigen::Vector4d;  ///< q1 q2 p1 p2
using Matrix4 = Eigen::Matrix4d;
using Momentum = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;

const Momentum inertia(1, 2, 3);

/// w' = canonical() H_w.
Matrix4 canonical() {
  Matrix4 j = Matrix4::Zero();
  j.topRightCorner<2, 2>().setIdentity();
  j.bottomLeftCorner<2, 2>() = -Eigen::Matrix2d::Identity();
  return j;
}
/// {Pi_i, Pi_j} = -eps_ijk Pi_k, as in the body.
Matrix3 bracket(const Momentum& pi) {
  Matrix3 b;
  b << 0, -pi[2], pi[1], pi[2], 0, -pi[0], -pi[1], pi[0], 0;
  return b;
}

/// S_k of J_1 = w.S_k w / 2, with the sign of sigma_2 that goes with the bracket.
Matrix4 spin(int k) {
  Eigen::Matrix2cd sigma;
  const std::complex<double> i(0, 1);
  if (k == 0) sigma << 0, 1, 1, 0;
  if (k == 1) sigma << 0, i, -i, 0;
  if (k == 2) sigma << 1, 0, 0, -1;
  Matrix4 s;
  s << sigma.real(), -sigma.imag(), sigma.imag(), sigma.real();
  return s / 2;
}
Momentum j1(const Point& w) { return Momentum(w.dot(spin(0) * w), w.dot(spin(1) * w), w.dot(spin(2) * w)) / 2; }
double j2(const Point& w) { return w.squaredNorm() / 4; }
Eigen::Matrix<double, 3, 4> derivative_of_j1(const Point& w) {
  Eigen::Matrix<double, 3, 4> d;
  for (int k = 0; k < 3; ++k) d.row(k) = (spin(k) * w).transpose();
  return d;
}

/// Of the free rigid body, seen through J_1.
double energy(const Point& w) { return j1(w).dot(j1(w).cwiseQuotient(inertia)) / 2; }
Point gradient(const Point& w) { return derivative_of_j1(w).transpose() * j1(w).cwiseQuotient(inertia); }
Matrix4 second_derivative(const Point& w) {
  const auto d = derivative_of_j1(w);
  Matrix4 h = d.transpose() * inertia.cwiseInverse().asDiagonal() * d;
  for (int k = 0; k < 3; ++k) h += j1(w)[k] / inertia[k] * spin(k);
  return h;
}

Point midpoint_step(const Point& w, double h) {
  Point image = w;
  for (int k = 0; k < 100; ++k) image = w + h * canonical() * gradient((w + image) / 2);
  return image;
}
Matrix4 derivative_of_midpoint_step(const Point& w, double h) {
  const Matrix4 half = h / 2 * canonical() * second_derivative((w + midpoint_step(w, h)) / 2);
  return (Matrix4::Identity() - half).inverse() * (Matrix4::Identity() + half);
}
/// p' = p - h H_q(q, p'), q' = q + h H_p(q, p'): symplectic, too.
Point euler_step(const Point& w, double h) {
  Point between = w;  // q, p'
  for (int k = 0; k < 100; ++k) between.tail<2>() = w.tail<2>() - h * gradient(between).head<2>();
  Point image = between;
  image.head<2>() += h * gradient(between).tail<2>();
  return image;
}

/// e^(i phase) z.
Point rotated(const Point& w, double phase) {
  Point image;
  image << std::cos(phase) * w.head<2>() - std::sin(phase) * w.tail<2>(),
      std::sin(phase) * w.head<2>() + std::cos(phase) * w.tail<2>();
  return image;
}
template <class Generator>
Point random_point(Generator& random) {
  std::normal_distribution<double> normal;
  return Point(normal(random), normal(random), normal(random), normal(random)).normalized() * 2;  // |Pi| = 1
}
constexpr double round_off = 5e-15;  ///< some operations on numbers up to 4; 1.2e-15 was measured at the most

TEST(DualPair, BothMapsArePoisson) {
  // J_2 is one to R with the bracket 0, whatever it is.
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 50; ++trial) {
    const Point w = random_point(random);
    const auto d = derivative_of_j1(w);
    EXPECT_LT((d * canonical() * d.transpose() - bracket(j1(w))).norm(), round_off);
    EXPECT_GT((d * canonical() * d.transpose() + bracket(j1(w))).norm(), 0.1);  // and not with the other sign
    EXPECT_NEAR(j1(w).norm(), j2(w), round_off);
  }
}

TEST(DualPair, FibresAreSymplecticComplements) {
  // The kernel of DJ_1, of dimension 1, is spanned by the Hamiltonian vector field of J_2, so that those v with
  // omega(u, v) = 0 for all u of it are the kernel of DJ_2; and both are submersions where w is not 0.
  std::mt19937_64 random(2);
  for (int trial = 0; trial < 50; ++trial) {
    const Point w = random_point(random), slope = w / 2;
    const Matrix3 square = derivative_of_j1(w) * derivative_of_j1(w).transpose();
    EXPECT_LT(square.inverse().norm(), 100);  // no singular value of the derivative is below 0.1
    const Point u = kernel(derivative_of_j1(w));
    EXPECT_LT((derivative_of_j1(w) * canonical() * slope).norm(), round_off);
    // omega(u, .) = (canonical u)^T is along dJ_2.
    const Point form = canonical() * u;
    EXPECT_NEAR(std::abs(form.dot(slope.normalized())), 1, round_off);
  }
}

TEST(CollectiveMidpoint, HasTheGeneratingFunctionOfTheHamiltonJacobiEquation) {
  // Of Poincare's kind, w' - w = canonical U_w at the midpoint; the flow's U solves U_t = H(J_1) at w' = midpoint +
  // canonical U_w / 2. With U = t H the residual is of order t^2, and with the next term, t^3/24 X^T H_ww X, of t^4.
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 20; ++trial) {
    const Point w = random_point(random);
    const auto cubic = [](const Point& at) -> double {
      const Point x = canonical() * gradient(at);
      return x.dot(second_derivative(at) * x) / 24;
    };
    const auto residual = [&](double t, bool corrected) {
      Point slope = t * gradient(w);
      double rate = energy(w);
      if (corrected) {
        rate += 3 * t * t * cubic(w);
        for (int k = 0; k < 4; ++k) {
          const Point e = 1e-4 * Point::Unit(k);
          slope[k] += t * t * t * (cubic(w + e) - cubic(w - e)) / 2e-4;
        }
      }
      return std::abs(rate - energy(w + canonical() * slope / 2));
    };
    // Corrections of the next order, t^2 smaller, at rates of up to 1.
    EXPECT_NEAR(std::log2(residual(0.1, false) / residual(0.05, false)), 2, 0.05);
    EXPECT_NEAR(std::log2(residual(0.2, true) / residual(0.1, true)), 4, 0.2);
  }
}

TEST(CollectiveMidpoint, DescendsToAPoissonMap) {
  constexpr double h = 0.3;
  std::mt19937_64 random(4);
  for (int trial = 0; trial < 50; ++trial) {
    const Point w = random_point(random), image = midpoint_step(w, h);
    EXPECT_GT((j1(image) - j1(w)).norm(), 1e-3);
    EXPECT_NEAR(j2(image), j2(w), round_off);
    for (const double phase : {0.4, 2.0, 5.0}) {
      EXPECT_LT((midpoint_step(rotated(w, phase), h) - rotated(image, phase)).norm(), round_off);
      EXPECT_LT((j1(midpoint_step(rotated(w, phase), h)) - j1(image)).norm(), round_off);
    }
    // Its derivative D: D DJ_1(w) = DJ_1(w') D(step).
    const auto before = derivative_of_j1(w);
    const Eigen::Matrix<double, 3, 4> carried = derivative_of_j1(image) * derivative_of_midpoint_step(w, h);
    const Matrix3 d = carried * before.transpose() * (before * before.transpose()).inverse();
    EXPECT_LT((d * before - carried).norm(), round_off);
    EXPECT_LT((d * bracket(j1(w)) * d.transpose() - bracket(j1(image))).norm(), round_off);
  }
}

TEST(CollectiveMidpoint, HasOrderTwoOnTheBody) {
  const auto f = [](const Momentum& pi) -> Momentum { return pi.cross(pi.cwiseQuotient(inertia)); };
  const Point start = Point(1.2, 0.5, -0.9, 1.0);
  Momentum exact = j1(start);
  for (int n = 0; n < 2000; ++n) {
    constexpr double h = 1e-3;
    const Momentum a = f(exact), b = f(exact + h / 2 * a), c = f(exact + h / 2 * b), d = f(exact + h * c);
    exact += h / 6 * (a + 2 * b + 2 * c + d);
  }
  const auto error = [&](int steps) {
    Point w = start;
    for (int n = 0; n < steps; ++n) w = midpoint_step(w, 2.0 / steps);
    return (j1(w) - exact).norm();
  };
  EXPECT_NEAR(std::log2(error(40) / error(80)), 2, 0.01);  // the next term is h^2 smaller
  EXPECT_NEAR(std::log2(error(80) / error(160)), 2, 0.003);
}

TEST(CollectiveEuler, IsSymplecticAndDoesNotDescend) {
  // U is no function of J_1: |z|^2 is not kept, and where a momentum goes depends on the phase.
  constexpr double h = 0.3;
  std::mt19937_64 random(5);
  double apart = 0, radial = 0;
  for (int trial = 0; trial < 20; ++trial) {
    const Point w = random_point(random);
    Matrix4 d;
    for (int k = 0; k < 4; ++k) {
      const Point e = 1e-4 * Point::Unit(k);
      d.col(k) =
          (8 * (euler_step(w + e, h) - euler_step(w - e, h)) - (euler_step(w + 2 * e, h) - euler_step(w - 2 * e, h))) /
          12e-4;
    }
    EXPECT_LT((d.transpose() * canonical() * d - canonical()).norm(), 1e-10);  // round-off over 1e-4
    apart = std::max(apart, (j1(euler_step(rotated(w, 0.4), h)) - j1(euler_step(w, h))).norm());
    radial = std::max(radial, std::abs(j2(euler_step(w, h)) - j2(w)));
  }
  EXPECT_GT(apart, 1e-3);
  EXPECT_GT(radial, 1e-3);
}

}  // namespace
}  // namespace polhode::test

// Euler equations on moment algebras (McLachlan & Scovel 1995, sect. 4, Theorem 5): the extended Hamiltonian, and what
// the algorithm (2), (3), its adjoint and their composition keep of the motion. The second order that Theorem 5
// promises holds on G_2 with a complement of the algebra that the group leaves invariant, where (2), (3) is its own
// adjoint. G_3 has no such complement.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "numerics/structures.hpp"
#include "papers/moment_cases.hpp"

namespace polhode::test {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// Calls f(euler, moments) for the metrics of each case; those with a tilt last.
template <class F>
void for_moment_metrics(const F& f) {
  for (const MomentCase& start : moment_cases) {
    const MomentAlgebra algebra(start.d, start.n);
    const ExtendedMetric plain(algebra);
    int number = 0;
    for (const ExtendedMetric& metric : {plain, skewed(plain), tilted(plain, 0.1)}) {
      SCOPED_TRACE(std::string(start.name) + ", metric " + std::to_string(number++));
      f(MomentEuler(algebra, metric), start.moments(algebra));
    }
  }
}

/// Element near 1, as a motion of it by some steps.
Vector moved_element(const MomentAlgebra& algebra, std::mt19937_64& random) {
  std::normal_distribution<double> normal(0, 0.3);
  const auto shears = [&] {
    return algebra.shears(Vector::NullaryExpr(algebra.space.size(), [&] { return normal(random); }));
  };
  return algebra.composed(shears(), shears());
}

TEST(EulerExtension, IsInvariantAndHasTheEnergyOfTheMoments) {
  std::mt19937_64 random(173);
  for_moment_metrics([&](const MomentEuler& euler, const Vector& mu) {
    const MomentAlgebra& algebra = euler.algebra;
    const Vector a = moved_element(algebra, random), b = moved_element(algebra, random);
    const Vector p = Vector::NullaryExpr(algebra.maps, [](Eigen::Index k) { return std::cos(2.0 + 3 * k); });
    const auto carried = [&](const Vector& momentum, const Vector& by) {
      return solve(algebra.right_translation(by).transpose(), momentum);
    };
    // Some roundings of the terms of the energies, which are 10 times as large: 2e-14 was measured.
    EXPECT_NEAR(euler.energy(algebra.composed(a, b), carried(p, b)) / euler.energy(a, p), 1, 1e-13);
    EXPECT_GT(std::abs(carried(p, b).squaredNorm() / p.squaredNorm() - 1), 1e-2);  // of another Hamiltonian

    const Vector on_group = carried(euler.momentum_of(mu), a);
    EXPECT_NEAR(euler.energy(a, on_group) / euler.energy_of(mu), 1, 1e-13);
    EXPECT_LT(largest_entry(product(algebra.constraint_jacobian(a), euler.velocity(a, on_group))), 1e-13);
  });
}

/// Rank of G H_PP G^T at A.
Eigen::Index rank_of_brackets(const MomentEuler& euler, const Vector& a) {
  return rank(congruent(euler.algebra.constraint_jacobian(a).transpose(), euler.inverse_mass(a)));
}

TEST(EulerExtension, IsCosymplecticWhereTheConstraintIsNondegenerate) {
  std::mt19937_64 random(179);
  for_moment_metrics([&](const MomentEuler& euler, const Vector&) {
    EXPECT_EQ(rank_of_brackets(euler, euler.algebra.identity()), euler.algebra.constraints);
    for (int trial = 0; trial < 5; ++trial)
      EXPECT_EQ(rank_of_brackets(euler, moved_element(euler.algebra, random)), euler.algebra.constraints);
  });
  const MomentAlgebra algebra(2, 3);
  const MomentEuler euler(algebra, ExtendedMetric(algebra));
  EXPECT_EQ(rank_of_brackets(euler, algebra.identity()), 26);  // of 30
}

/// {mu_a, mu_b} at mu.
Matrix bracket_of_moments(const MomentAlgebra& algebra, const Vector& mu) {
  Matrix b(algebra.dimension, algebra.dimension);
  for (int i = 0; i < algebra.dimension; ++i)
    for (int j = 0; j < algebra.dimension; ++j)
      b(i, j) = algebra.bracket(algebra.hamiltonian(i), algebra.hamiltonian(j)).tail(algebra.dimension).dot(mu);
  return b;
}

/// Casimirs of the moments: tr Y^2 and tr Y^4 with tr(Y X_a) = mu_a on the dual of sp(2d); on that of G_3, d = 1, the
/// discriminant of the cubic moments.
Vector casimirs(const MomentAlgebra& algebra, const Vector& mu) {
  if (algebra.n == 3) {
    const double a = mu[3], b = mu[4], c = mu[5], d = mu[6];
    return Vector::Constant(
        1, a * a * d * d - 3 * b * b * c * c - 6 * a * b * c * d + 4 * a * c * c * c + 4 * b * b * b * d);
  }
  const auto matrix = [&](const Vector& x) {
    return Matrix(Eigen::Map<const Matrix>(x.data(), algebra.terms, algebra.terms).transpose());
  };
  const Matrix fields = algebra.fields();
  Matrix traces(algebra.dimension, algebra.dimension);
  for (int i = 0; i < algebra.dimension; ++i)
    for (int j = 0; j < algebra.dimension; ++j)
      traces(i, j) = product(matrix(fields.col(i)), matrix(fields.col(j))).trace();
  const Matrix y = matrix(product(fields, solve(traces, mu))), square = product(y, y);
  return Eigen::Vector2d(square.trace(), product(square, square).trace());
}

TEST(MomentMaps, ArePoissonMaps) {
  for_moment_metrics([&](const MomentEuler& euler, const Vector& mu) {
    const FastMomentSteps steps(euler);
    const auto bracket = [&](const State& at) { return bracket_of_moments(euler.algebra, at); };
    for (const MomentMap map : moment_maps) {
      const TangentMap moved = [&](State& at, State& tangent) {
        return for_stages(map, 0.05,
                          [&](const Kicks& kicks, double h) { return steps.advance_moments(kicks, h, at, tangent); });
      };
      EXPECT_LT(poisson_defect(bracket, mu, moved), 1e-14);  // some roundings: 1.2e-15 was measured
    }
    // Defects of the classical Runge-Kutta method, with a step ten times as large.
    const TangentMap runge_kutta = [&](State& at, State& tangent) {
      const double e = 1e-4;
      const Vector next = moment_flow(euler, at + e * tangent, 0.5, 1),
                   last = moment_flow(euler, at - e * tangent, 0.5, 1);
      at = moment_flow(euler, at, 0.5, 1), tangent = (next - last) / (2 * e);
      return true;
    };
    EXPECT_GT(poisson_defect(bracket, mu, runge_kutta), 5e-3);
  });
}

TEST(MomentMaps, KeepCasimirsAlongTheMotion) {
  for_moment_metrics([&](const MomentEuler& euler, const Vector& mu) {
    const FastMomentSteps steps(euler);
    const Vector before = casimirs(euler.algebra, mu);
    for (const MomentMap map : moment_maps) {
      Vector at = mu;
      double off = 0, moved = 0;
      for (int k = 0; k < 50; ++k) {
        Vector x = steps.at_identity(at);
        ASSERT_TRUE(advance(steps, map, 0.05, x)) << k;
        at = steps.moments_of(x);
        off = std::max(off, largest_entry(casimirs(euler.algebra, at) - before));
        moved = std::max(moved, largest_entry(at - mu));
      }
      // 50 roundings, over h, of terms up to 100 for d = 2: 1e-14 and 1e-12 were measured after 100 steps.
      EXPECT_LT(off, euler.algebra.d == 1 ? 5e-14 : 5e-12);
      EXPECT_GT(moved, 0.5);
    }
  });
}

/// Means of the error of the energy over blocks of steps, and its range.
struct EnergyErrors {
  std::vector<double> means;
  double least = HUGE_VAL, largest = -HUGE_VAL;
};
/// step(moments): advances them.
template <class F>
EnergyErrors energy_errors(const MomentEuler& euler, Vector at, int blocks, int steps, const F& step) {
  const double exact = euler.energy_of(at);
  EnergyErrors errors;
  for (int block = 0; block < blocks; ++block) {
    double sum = 0;
    for (int k = 0; k < steps; ++k) {
      step(at);
      const double error = euler.energy_of(at) - exact;
      sum += error;
      errors.least = std::min(errors.least, error), errors.largest = std::max(errors.largest, error);
    }
    errors.means.push_back(sum / steps);
  }
  return errors;
}

TEST(MomentMaps, KeepTheEnergyWithoutDrift) {
  const MomentCase& start = moment_cases[1];
  const MomentAlgebra algebra(start.d, start.n);
  const MomentEuler euler(algebra, ExtendedMetric(algebra));
  const FastMomentSteps steps(euler);
  const auto composed = [&](Vector& at) {
    Vector x = steps.at_identity(at);
    ASSERT_TRUE(advance(steps, MomentMap::composition, 0.1, x));
    at = steps.moments_of(x);
  };
  const Vector moments = start.moments(algebra);
  const EnergyErrors known = energy_errors(euler, moments, 4, 100, composed);  // by another program
  const double means[] = {-1.8922923e-4, -2.0331619e-4, -2.1013742e-4, -2.2455469e-4};
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(known.means[k], means[k], 2e-6);
  EXPECT_NEAR(std::max(-known.least, known.largest), 7.27466e-4, 1e-8);

  // Means of 2000 steps: -2.04, -2.22, -1.95, -2.42, -2.39, -2.19, -2.42 and -1.99e-4 were measured, of errors from
  // -1.0e-3 to 0.8e-3.
  const EnergyErrors errors = energy_errors(euler, moments, 8, 2000, composed);
  for (const double mean : errors.means)
    EXPECT_LT(std::abs(mean - errors.means[0]), (errors.largest - errors.least) / 20);
  // The classical Runge-Kutta method drifts over the range of its errors.
  const EnergyErrors drifting =
      energy_errors(euler, moments, 4, 500, [&](Vector& at) { at = moment_flow(euler, at, 0.2, 1); });
  for (std::size_t k = 1; k < 4; ++k) EXPECT_LT(drifting.means[k], drifting.means[k - 1]);
  EXPECT_GT(drifting.means[0] - drifting.means[3], (drifting.largest - drifting.least) / 2);
}

TEST(MomentMaps, CommuteWithRightTranslationsAndKeepTheirMomentum) {
  for_moment_metrics([&](const MomentEuler& euler, const Vector& mu) {
    const auto N = euler.algebra.maps;
    const FastMomentSteps steps(euler);
    for (const MomentMap map : moment_maps) {
      Vector x = steps.at_identity(mu), moments = mu;
      const Vector before = euler.conserved(x.head(N), x.tail(N));
      for (int k = 0; k < 20; ++k) {
        ASSERT_TRUE(advance(steps, map, 0.05, x));
        Vector from_1 = steps.at_identity(moments);
        ASSERT_TRUE(advance(steps, map, 0.05, from_1));
        moments = steps.moments_of(from_1);
      }
      // 20 roundings of numbers up to 5, over h: 1e-14 and 8e-14 were measured.
      EXPECT_LT(largest_entry(steps.moments_of(x) - moments), 5e-14);
      EXPECT_LT(largest_entry(euler.conserved(x.head(N), x.tail(N)) - before), 4e-13);
    }
  });
}

}  // namespace
}  // namespace polhode::test

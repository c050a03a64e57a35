// Moment algebras and their groups (McLachlan & Scovel 1995, sect. 4, Example 1; moment_algebra.hpp): brackets, the
// action by composition, and the rank of the constraint phi.
#include "papers/moment_algebra.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace polhode::test {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

struct DegreesOfMaps {
  int d, n;
};
constexpr DegreesOfMaps moment_algebras[] = {{1, 2}, {1, 3}, {1, 4}, {1, 5}, {2, 2}, {2, 3}};

Vector random_vector(std::mt19937_64& random, int size, double deviation) {
  std::normal_distribution<double> normal(0, deviation);
  return Vector::NullaryExpr(size, [&] { return normal(random); });
}
/// A group element whose coefficients are some tenths.
Vector random_element(const MomentAlgebra& algebra, std::mt19937_64& random) {
  Vector a = algebra.identity();
  for (int k = 0; k < 2; ++k) a = algebra.composed(a, algebra.shears(random_vector(random, algebra.space.size(), 0.2)));
  return a;
}

/// Largest coefficient of ad_[a, b] - ad_a ad_b + ad_b ad_a over the monomials of degrees `lowest` to n.
double jacobi_defect(const MomentAlgebra& algebra, int lowest) {
  const int first = algebra.space.count(lowest - 1), count = algebra.space.size() - first;
  std::vector<Matrix> ad;
  for (int a = 0; a < count; ++a) {
    ad.emplace_back(count, count);
    for (int b = 0; b < count; ++b)
      ad[a].col(b) = algebra.bracket(algebra.space.monomial(first + a), algebra.space.monomial(first + b)).tail(count);
  }
  double defect = 0;
  for (int a = 0; a < count; ++a)
    for (int b = 0; b < a; ++b) {
      Matrix difference = product(ad[b], ad[a]) - product(ad[a], ad[b]);
      for (int c = 0; c < count; ++c) difference += ad[a](c, b) * ad[c];
      defect = std::max(defect, largest_entry(difference));
    }
  return defect;
}

TEST(MomentBracket, SatisfiesTheJacobiIdentityFromDegree2) {
  for (const auto& [d, n] : moment_algebras) {
    const MomentAlgebra algebra(d, n);
    EXPECT_EQ(jacobi_defect(algebra, 2), 0) << d << ' ' << n;  // of integers: exact
    // With linear Hamiltonians terms of degree n + 1 that are dropped would come back: nothing is dropped for n = 2.
    if (n == 2)
      EXPECT_EQ(jacobi_defect(algebra, 1), 0) << d;
    else
      EXPECT_GE(jacobi_defect(algebra, 1), 1) << d << ' ' << n;
  }
}

TEST(MomentBracket, IsTheCommutatorOfTruncatedFields) {
  for (const auto& [d, n] : moment_algebras) {
    const MomentAlgebra algebra(d, n);
    const Vector one = algebra.identity();
    for (int a = 0; a < algebra.dimension; ++a) {
      const Vector x = algebra.field(algebra.hamiltonian(a));
      const Matrix along = algebra.derivative_of_composed(x, one);
      for (int b = 0; b < algebra.dimension; ++b) {
        const Vector y = algebra.field(algebra.hamiltonian(b));
        const Vector commutator = product(along, y) - product(algebra.derivative_of_composed(y, one), x);
        const Vector field = algebra.field(algebra.bracket(algebra.hamiltonian(a), algebra.hamiltonian(b)));
        ASSERT_EQ(commutator, field) << d << ' ' << n << ": " << a << ' ' << b;
      }
    }
  }
}

TEST(MomentGroup, HasTheAlgebraAsItsTangentSpace) {
  for (const auto& [d, n] : moment_algebras) {
    const MomentAlgebra algebra(d, n);
    const Matrix fields = algebra.fields(), jacobian = algebra.constraint_jacobian(algebra.identity());
    EXPECT_EQ(largest_entry(product(jacobian, fields)), 0);
    EXPECT_EQ(rank(fields), algebra.dimension);
    EXPECT_EQ(rank(jacobian), algebra.maps - algebra.dimension);
    if (d > 1) continue;
    EXPECT_EQ(algebra.maps, (n - 1) * (n + 2));
    EXPECT_EQ(algebra.dimension, (n - 1) * (n + 4) / 2);
    EXPECT_EQ(algebra.constraints, n * (n - 1) / 2);
  }
}

constexpr double round_off_of_products = 1e-13;  // some hundreds of products of numbers up to 10: 1e-14 was measured

TEST(MomentGroup, ActsFromTheRightLinearlyAndKeepsItself) {
  std::mt19937_64 random(151);
  for (const auto& [d, n] : moment_algebras) {
    const MomentAlgebra algebra(d, n);
    const Vector a = random_vector(random, algebra.maps, 0.5), c = random_vector(random, algebra.maps, 0.5);
    const Vector b = random_element(algebra, random), e = random_element(algebra, random);
    EXPECT_LT(largest_entry(algebra.constraint(b)), round_off_of_products);
    EXPECT_LT(largest_entry(algebra.constraint(algebra.composed(b, e))), round_off_of_products);
    EXPECT_LT(largest_entry(algebra.composed(algebra.composed(a, b), e) - algebra.composed(a, algebra.composed(b, e))),
              round_off_of_products);
    EXPECT_LT(largest_entry(algebra.composed(a + c, b) - algebra.composed(a, b) - algebra.composed(c, b)),
              round_off_of_products);
    // The left action is linear for the linear maps of G_2 alone.
    const double left = largest_entry(algebra.composed(b, a + c) - algebra.composed(b, a) - algebra.composed(b, c));
    if (n == 2)
      EXPECT_LT(left, round_off_of_products);
    else
      EXPECT_GT(left, 1e-2);
  }
}

TEST(MomentConstraint, IsInvariantInG2AndComposedWithTheElementElsewhere) {
  std::mt19937_64 random(157);
  for (const auto& [d, n] : moment_algebras) {
    const MomentAlgebra algebra(d, n);
    const Vector a = random_vector(random, algebra.maps, 0.5), b = random_element(algebra, random);
    const Vector phi = algebra.constraint(a), after = algebra.constraint(algebra.composed(a, b));
    EXPECT_GT(largest_entry(phi), 0.1);
    EXPECT_LT(largest_entry(after - algebra.constraint_composed(phi, b)), round_off_of_products);
    if (n == 2)
      EXPECT_LT(largest_entry(after - phi), round_off_of_products);
    else
      EXPECT_GT(largest_entry(after - phi), 1e-2);
  }
}

TEST(MomentConstraint, IsNondegenerateInG2AndForOneDegreeOfFreedom) {
  std::mt19937_64 random(163);
  for (const auto& [d, n] : {DegreesOfMaps{1, 2}, {1, 3}, {1, 4}, {1, 5}, {2, 2}, {3, 2}}) {
    const MomentAlgebra algebra(d, n);
    EXPECT_EQ(rank(algebra.constraint_jacobian(algebra.identity())), algebra.constraints);
    for (int trial = 0; trial < 5; ++trial)
      EXPECT_EQ(rank(algebra.constraint_jacobian(random_element(algebra, random))), algebra.constraints);
  }
}

TEST(MomentConstraint, IsDegenerateForTwoDegreesOfFreedomAndDegree3) {
  const MomentAlgebra algebra(2, 3);
  EXPECT_EQ(algebra.maps, 56);
  EXPECT_EQ(algebra.dimension, 30);
  EXPECT_EQ(algebra.constraints, 30);
  const Vector one = algebra.identity();
  const Matrix jacobian = algebra.constraint_jacobian(one);
  EXPECT_EQ(rank(jacobian), 26);

  // {A_i, {A_j, A_k}} + ... = 0 for all A, in which the linear part of phi is linear. Hence four equations follow from
  // the others near 1. There their derivatives say that J^t F J of the variation F of phi is a closed two-form.
  const auto entry = [&](int i, int j, int v) {  // of x_v in the variation of phi_ij
    int row = 0;
    for (int k = 0; k < i; ++k) row += 3 - k;
    return jacobian.row((row + j - i - 1) * 5 + 1 + v);
  };
  const auto form = [&](int i, int j, int v) -> Vector {
    const int k = (i + 2) % 4, l = (j + 2) % 4, sign = (i < 2 ? 1 : -1) * (j < 2 ? 1 : -1);
    return (k < l ? sign : -sign) * entry(std::min(k, l), std::max(k, l), v);
  };
  for (int left_out = 0; left_out < 4; ++left_out) {
    int index[3], count = 0;
    for (int k = 0; k < 4; ++k)
      if (k != left_out) index[count++] = k;
    const auto [i, j, k] = index;
    EXPECT_GT(largest_entry(form(j, k, i)), 0);
    EXPECT_EQ(largest_entry(form(j, k, i) + form(k, i, j) + form(i, j, k)), 0);
  }

  // The rank is 26 on the group, which is a manifold all the same, and 30 off it.
  std::mt19937_64 random(167);
  for (int trial = 0; trial < 5; ++trial) {
    EXPECT_EQ(rank(algebra.constraint_jacobian(random_element(algebra, random))), 26);
    EXPECT_EQ(rank(algebra.constraint_jacobian(one + random_vector(random, algebra.maps, 0.3))), 30);
  }
}

}  // namespace
}  // namespace polhode::test

// The constraints phi = g(q) and phi_2 = {phi, H} = G(q) H_p in Dirac's theory (McLachlan & Scovel 1995, sect. 2). The
// matrix of their brackets and its inverse C,
//
//     {lambda_i, lambda_j} = (  0    a )     C = ( a^-t b a^-1   -a^-t )     a = G H_pp G^t
//                            ( -a^t  b )         (     a^-1         0  )
//
// exist together with the inverse of a, and the bracket {F, H} - {F, lambda_i} C^ij {lambda_j, H} (1) makes the motion
// with multipliers. H, phi and phi_2 are written out here, and differentiated by the complex step.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <random>
#include <vector>

#include "backend/reference/complex_step.hpp"
#include "numerics/dense.hpp"
#include "numerics/subject.hpp"
#include "polhode/system/pendulum_chain.hpp"

namespace polhode::test {
namespace {

using Matrix = Eigen::MatrixXd;
using Complex = std::complex<double>;
using Values = Eigen::VectorXcd;
using Function = std::function<Values(const Values& z)>;

/// Functions of z = (q, p).
struct Constrained {
  Function hamiltonian, phi, phi_2;
};

/// Without conjugates.
template <class A, class B>
Complex dot(const A& a, const B& b) {
  return a.cwiseProduct(b).sum();
}
Values numbers(std::initializer_list<Complex> list) {
  return Eigen::Map<const Values>(list.begin(), static_cast<Eigen::Index>(list.size()));
}

/// Parameters: m1, m2, l1, l2, g.
Constrained double_pendulum(const std::vector<double>& parameters) {
  const double m1 = parameters[0], m2 = parameters[1], l1 = parameters[2], l2 = parameters[3], g = parameters[4];
  const auto q1 = [](const Values& z) { return z.segment<3>(0); };
  const auto q2 = [](const Values& z) { return z.segment<3>(3); };
  const auto p1 = [](const Values& z) { return z.segment<3>(6); };
  const auto p2 = [](const Values& z) { return z.segment<3>(9); };
  return {[=](const Values& z) {
            const Eigen::Vector3cd relative = p1(z) - p2(z);
            return numbers({dot(relative, relative) / (2 * m1) + dot(p2(z), p2(z)) / (2 * m2) + m1 * g * z[2] +
                            m2 * g * (z[2] + z[5])});
          },
          [=](const Values& z) {
            return numbers({(dot(q1(z), q1(z)) - l1 * l1) / 2.0, (dot(q2(z), q2(z)) - l2 * l2) / 2.0});
          },
          [=](const Values& z) {
            const Eigen::Vector3cd relative = p1(z) - p2(z);
            return numbers({dot(relative, q1(z)) / m1, dot(p2(z), q2(z)) / m2 - dot(relative, q2(z)) / m1});
          }};
}

/// Parameters: l, g, k, b.
Constrained magnetic_pendulum(const std::vector<double>& parameters) {
  const double l = parameters[0], g = parameters[1], k = parameters[2], b = parameters[3];
  const auto kinetic = [=](const Values& z) { return Eigen::Vector3cd(z[3] + b * z[1], z[4] - b * z[0], z[5]); };
  return {[=](const Values& z) { return numbers({dot(kinetic(z), kinetic(z)) / (2.0 * (1.0 + k * z[2])) + g * z[2]}); },
          [=](const Values& z) { return numbers({(dot(z.head<3>(), z.head<3>()) - l * l) / 2.0}); },
          [=](const Values& z) { return numbers({dot(z.head<3>(), kinetic(z)) / (1.0 + k * z[2])}); }};
}

/// Two points in a plane and three rods of unit length, from the origin to (1, 0); dependent where all are in line.
Constrained linkage() {
  const auto rods = [](const Values& q) { return numbers({q[0], q[1], q[2] - q[0], q[3] - q[1], q[2] - 1.0, q[3]}); };
  return {[](const Values& z) { return numbers({dot(z.tail<4>(), z.tail<4>()) / 2.0}); },
          [=](const Values& z) {
            const Values r = rods(z);
            Values phi(3);
            for (int i = 0; i < 3; ++i) phi[i] = (dot(r.segment<2>(2 * i), r.segment<2>(2 * i)) - 1.0) / 2.0;
            return phi;
          },
          [=](const Values& z) {
            const Values r = rods(z), rate = numbers({z[4], z[5], z[6] - z[4], z[7] - z[5], z[6], z[7]});
            Values phi_2(3);
            for (int i = 0; i < 3; ++i) phi_2[i] = dot(r.segment<2>(2 * i), rate.segment<2>(2 * i));
            return phi_2;
          }};
}

/// On the unit sphere, without inertia along z: a = x^2 + y^2.
Constrained degenerate() {
  return {[](const Values& z) { return numbers({(z[3] * z[3] + z[4] * z[4]) / 2.0}); },
          [](const Values& z) { return numbers({(dot(z.head<3>(), z.head<3>()) - 1.0) / 2.0}); },
          [](const Values& z) { return numbers({z[0] * z[3] + z[1] * z[4]}); }};
}

/// Rows: derivatives of the functions.
Matrix derivative(const Function& f, const State& z) { return complex_step_jacobian<Eigen::Dynamic>(f, z); }

/// {f_i, g_j} of functions with such derivatives.
Matrix bracket(const Matrix& f, const Matrix& g) {
  const auto n = f.cols() / 2;
  return product(f.leftCols(n), g.rightCols(n).transpose()) - product(f.rightCols(n), g.leftCols(n).transpose());
}

/// Derivatives of phi, then phi_2.
Matrix derivative_of_constraints(const Constrained& system, const State& z) {
  const Matrix phi = derivative(system.phi, z), phi_2 = derivative(system.phi_2, z);
  Matrix both(2 * phi.rows(), phi.cols());
  both << phi, phi_2;
  return both;
}
Matrix bracket_matrix(const Constrained& system, const State& z) {
  const Matrix both = derivative_of_constraints(system, z);
  return bracket(both, both);
}
/// z' by the bracket (1).
State dirac_flow(const Constrained& system, const State& z) {
  const Matrix h = derivative(system.hamiltonian, z), lambda = derivative_of_constraints(system, z),
               all = Matrix::Identity(z.size(), z.size());
  return bracket(all, h) - product(bracket(all, lambda), solve(bracket(lambda, lambda), bracket(lambda, h).col(0)));
}

double largest(const Matrix& a) { return a.cwiseAbs().maxCoeff(); }

/// Systems of the catalog, written out above.
struct Example {
  const char* system;
  Constrained (*written_out)(const std::vector<double>& parameters);
};
void PrintTo(const Example& example, std::ostream* to) { *to << example.system; }

class ConstraintBrackets : public ::testing::TestWithParam<Example> {
 protected:
  const Subject& subject_ = subject_of(GetParam().system);
  const Constrained system_ = GetParam().written_out(subject_.parameters);

  /// On CM, or off both constraints.
  State point(bool is_on_constraints) {
    State z = subject_.start(random_, Momentum::hidden_constraint);
    if (!is_on_constraints)
      for (double& value : z) value *= 1 + 0.1 * normal_(random_);
    return z;
  }

 private:
  std::mt19937_64 random_{73};
  std::normal_distribution<double> normal_;
};
INSTANTIATE_TEST_SUITE_P(Of, ConstraintBrackets,
                         ::testing::Values(Example{"double-spherical-pendulum", double_pendulum},
                                           Example{"magnetic-pendulum", magnetic_pendulum}),
                         [](const auto& info) { return as_identifier(info.param.system); });

TEST_P(ConstraintBrackets, HaveAnInverseWithoutABlockOfPhi2) {
  for (const bool is_on_constraints : {true, false})
    for (int trial = 0; trial < 50; ++trial) {
      const State z = point(is_on_constraints);
      const Matrix brackets = bracket_matrix(system_, z);
      const auto d = brackets.rows() / 2;
      EXPECT_EQ(rank(brackets), 2 * d);
      EXPECT_EQ(largest(brackets.topLeftCorner(d, d)), 0);  // phi is of q alone
      const Matrix a = brackets.topRightCorner(d, d), b = brackets.bottomRightCorner(d, d), c = inverse(brackets);
      EXPECT_LT(largest(c.bottomRightCorner(d, d)), 1e-14 * largest(c));
      const Matrix to_a = inverse(a), other = congruent(to_a, b);
      // Some roundings: 3e-16 was measured.
      EXPECT_LT(largest(c.topLeftCorner(d, d) - other), 2e-15 * largest(c));
      EXPECT_LT(largest(c.bottomLeftCorner(d, d) - to_a), 2e-15 * largest(c));
      EXPECT_LT(largest(c.topRightCorner(d, d) + to_a.transpose()), 2e-15 * largest(c));
      if (d > 1) {
        EXPECT_GT(largest(other), 0.1 * largest(c));  // the block of phi is not 0
      }
    }
}

TEST_P(ConstraintBrackets, MakeTheMotionWithMultipliersOnTheConstraints) {
  double off_constraints = 0;
  for (int trial = 0; trial < 50; ++trial) {
    const State on = point(true), off = point(false);
    EXPECT_LT(subject_.distance(dirac_flow(system_, on), subject_.flow(on)), 5e-15);  // 7e-16 was measured
    off_constraints = std::max(off_constraints, subject_.distance(dirac_flow(system_, off), subject_.flow(off)));
  }
  EXPECT_GT(off_constraints, 0.1);  // q' of the bracket is not H_p there
}

TEST(ConstraintBracket, IsSingularWhereGHppGIs) {
  std::mt19937_64 random(79);
  std::normal_distribution<double> normal;
  const auto expect = [](const Constrained& system, const State& z, Eigen::Index rank_of_a) {
    const Matrix brackets = bracket_matrix(system, z);
    const auto d = brackets.rows() / 2;
    const Matrix a = brackets.topRightCorner(d, d);
    EXPECT_EQ(rank(a), rank_of_a);
    EXPECT_EQ(rank(brackets), 2 * rank_of_a);
    // Of up to 2.0, by elements of up to 4.5: 4.4e-16 was measured.
    EXPECT_NEAR(absolute_determinant(brackets), std::pow(absolute_determinant(a), 2), 4e-15);
  };
  for (int trial = 0; trial < 20; ++trial) {
    for (const double angle : {0.0, 0.3, 1.0}) {
      // A parallelogram, in line at 0, where one rod's constraint follows from those of the others.
      State z(8);
      z << std::cos(angle), std::sin(angle), 1 + std::cos(angle), std::sin(angle), 0, 0, 0, 0;
      for (double& p : z.tail<4>()) p = normal(random);
      expect(linkage(), z, angle == 0 ? 2 : 3);
    }
    for (const double angle : {0.0, 0.3, 1.0}) {
      // From the pole, where the Hamiltonian does not see the only direction of the constraint's force.
      State z(6);
      z << std::sin(angle), 0, std::cos(angle), normal(random), normal(random), normal(random);
      expect(degenerate(), z, angle == 0 ? 0 : 1);
    }
  }
}

TEST(DoublePendulum, HasTheMatrixThatIsPrinted) {
  // Sect. 6.3. The determinant is l1^2 l2^2 (1/(m1 m2) + sin^2 / m1^2) for rods at any angle, least where they are in
  // line.
  std::mt19937_64 random(83);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> decade(-1, 1);
  using System = DoubleSphericalPendulum;
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> parameters(5, 9.81);
    for (int i = 0; i < 4; ++i) parameters[i] = std::pow(10, decade(random));
    const double m1 = parameters[0], m2 = parameters[1], l1 = parameters[2], l2 = parameters[3];
    const auto direction = [&] { return Eigen::Vector3d{normal(random), normal(random), normal(random)}.normalized(); };
    const Eigen::Vector3d along = direction(), other = trial % 2 == 0 ? direction() : trial % 4 == 1 ? along : -along;
    const Eigen::Vector3d q1 = l1 * along, q2 = l2 * other;
    State z(12);
    z << q1, q2, direction(), direction();
    Eigen::Matrix2d printed;
    printed << l1 * l1 / m1, -q1.dot(q2) / m1, -q1.dot(q2) / m1, l2 * l2 * (1 / m1 + 1 / m2);
    const double scale = largest(printed);

    EXPECT_LT(largest(bracket_matrix(double_pendulum(parameters), z).topRightCorner<2, 2>() - printed), 1e-15 * scale);
    Vec<double, 6> q;
    std::copy_n(z.data(), 6, q.v);
    const auto a = System::Model<double>(parameters.data()).schur(q, q);
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) EXPECT_NEAR(a[i][j], printed(i, j), 1e-15 * scale);

    const double least = l1 * l1 * l2 * l2 / (m1 * m2), sine = along.cross(other).norm() / m1 * l1 * l2;
    // Of two products that may nearly be the same.
    EXPECT_NEAR(a[0][0] * a[1][1] - a[0][1] * a[1][0], least + sine * sine, 1e-15 * a[0][0] * a[1][1]);
  }
}

}  // namespace
}  // namespace polhode::test

// The modified Hamiltonian of methods on constraints, made from their generating function (Hairer 2003, sects. 3 and
// 4): its expansion, its tangency to the constraints, and its values there.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <tuple>

#include "papers/modified_hamiltonian.hpp"

namespace polhode::test {
namespace {

constexpr double of_series = 1e-13;  // of third derivatives, up to 100: 2e-15, and 2e-14 where ten times it stands

/// H, g and their slopes near a point, and what is made of them there.
struct NearRod {
  Triple<NearAPoint> q, p, v, normal;
  NearAPoint H, g, hidden;

  NearRod(const RodPendulum& rod, const PointOfRod& at)
      : q(variables_near(at.q, index_of_q)),
        p(variables_near(at.p, index_of_p)),
        v(rod.velocity(q, p)),
        normal(rod.normal(q)),
        H(rod.hamiltonian(q, p)),
        g(rod.constraint(q)),
        hidden(dot(normal, v)) {}

  /// G H_pp G^T.
  NearAPoint schur() const { return curvature_of(H, index_of_p, normal); }
  /// g_qq[v, v] weight + G H_pq v, which is S lambda_2^0 of Example 3.2 with the weight 1/2, with 1 as printed.
  NearAPoint bend(double weight) const {
    NearAPoint mixed;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) mixed += normal[i] * v[j] * H.derivative(index_of_p + i).derivative(index_of_q + j);
    return weight * curvature_of(g, index_of_q, v) + mixed;
  }
  /// The multiplier lambda(p, q) of (2.3).
  NearAPoint multiplier() const {
    const Triple<NearAPoint> force = gradient_of(H, index_of_q);
    NearAPoint pushed;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        pushed += normal[i] * force[j] * H.derivative(index_of_p + i).derivative(index_of_p + j);
    return (bend(1) - pushed) / schur();
  }
  /// The rate of change of G H_p by the Hamiltonian equations of K.
  double rate_of_hidden_constraint(const NearAPoint& K) const {
    return (product_of_slopes(hidden, K) - product_of_slopes(K, hidden)).value();
  }
  /// G K_p, the rate of change of g.
  double rate_of_constraint(const NearAPoint& K) const { return dot(normal, gradient_of(K, index_of_p)).value(); }

  /// H_3 of RATTLE on the constraints, that of Verlet's method for H + lambda.g with lambda held:
  /// (H_qq + lambda g_qq)[v, v]/12 + H_pq[f, v]/12 - H_pp[f, f]/24, f = H_q + G^T lambda.
  double third_of_rattle() const {
    const NearAPoint lambda = multiplier();
    const Triple<NearAPoint> force = gradient_of(H, index_of_q) + lambda * normal;
    NearAPoint mixed;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) mixed += force[i] * v[j] * H.derivative(index_of_p + i).derivative(index_of_q + j);
    return ((1.0 / 12) * (curvature_of(H, index_of_q, v) + lambda * curvature_of(g, index_of_q, v) + mixed) -
            (1.0 / 24) * curvature_of(H, index_of_p, force))
        .value();
  }
};

/// Off the hidden constraint, or off both.
const PointOfRod off_the_hidden{{.6, 0, -.8}, {.5, .3, .2}}, off_both{{.65, .1, -.75}, {.5, .3, .2}};
/// On the constraints.
const PointOfRod point_of_spherical{{.6, 0, -.8}, {.2, .7, .15}}, point_of_magnetic{{.6, 0, -.8}, {.152, .772, .114}};

struct MethodToModify {
  std::string name;
  PartitionedTable table;

  friend void PrintTo(const MethodToModify& method, std::ostream* to) { *to << method.name; }
};
class ModifiedHamiltonians : public ::testing::TestWithParam<std::tuple<MethodToModify, RodPendulum>> {
 protected:
  const MethodToModify& method() const { return std::get<0>(GetParam()); }
  const RodPendulum& rod() const { return std::get<1>(GetParam()); }
  ModifiedHamiltonian at(const PointOfRod& point) const { return modified_hamiltonian(rod(), method().table, point); }
};
INSTANTIATE_TEST_SUITE_P(Hairer, ModifiedHamiltonians,
                         ::testing::Combine(::testing::Values(MethodToModify{"rattle", table_of_rattle},
                                                              MethodToModify{"lobatto", table_of_lobatto()},
                                                              MethodToModify{"euler", table_of_euler}),
                                            ::testing::Values(spherical_rod, magnetic_rod)),
                         [](const auto& info) {
                           return std::get<0>(info.param).name + "_" + std::get<1>(info.param).name;
                         });

TEST_P(ModifiedHamiltonians, HaveFieldsTangentToTheConstraints) {
  // (4.4), (4.5): of each term by itself, without multipliers. The motion by H alone leaves them.
  std::mt19937_64 random(331);
  for (int trial = 0; trial < 3; ++trial) {
    const PointOfRod point = random_point_of(rod(), random);
    const NearRod near(rod(), point);
    const ModifiedHamiltonian modified = at(point);
    for (int k = 1; k <= 3; ++k) {
      EXPECT_NEAR(near.rate_of_constraint(modified.H[k]), 0, of_series) << k;
      EXPECT_NEAR(near.rate_of_hidden_constraint(modified.H[k]), 0, 10 * of_series) << k;
    }
    EXPECT_GT(std::abs(near.rate_of_hidden_constraint(near.H)), 0.01);
  }
}

TEST_P(ModifiedHamiltonians, MayLoseTermsWithTheConstraint) {
  // (4.6): with multipliers, which are 0 for the H_k; terms g.mu change the multiplier, and nothing else.
  std::mt19937_64 random(337);
  const PointOfRod point = random_point_of(rod(), random);
  const NearRod near(rod(), point);
  const ModifiedHamiltonian modified = at(point);
  const double by_normal = near.schur().value();  // the rate of the hidden constraint by -G^T
  const NearAPoint terms[] = {near.H - modified.H[1], 0.7 * near.g * near.p[0] * near.q[1], near.g * near.H};
  for (int k = 1; k <= 3; ++k)
    for (const NearAPoint& term : terms) {
      const NearAPoint changed = modified.H[k] + term;
      const double multiplier = near.rate_of_hidden_constraint(changed) / by_normal;
      EXPECT_GT(std::abs(multiplier), 1e-3);
      for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(changed.slope(index_of_p + i), modified.H[k].slope(index_of_p + i), of_series);
        EXPECT_NEAR(changed.slope(index_of_q + i) + multiplier * near.normal[i].value(),
                    modified.H[k].slope(index_of_q + i), 10 * of_series);
      }
    }
}

TEST_P(ModifiedHamiltonians, BeginWithTheOrderOfTheMethod) {
  std::mt19937_64 random(347);
  for (int trial = 0; trial < 3; ++trial) {
    const PointOfRod point = random_point_of(rod(), random);
    const NearRod near(rod(), point);
    const ModifiedHamiltonian modified = at(point);
    const double second = product_of_slopes(near.H, near.H).value();
    EXPECT_NEAR(modified.H[1].value(), near.H.value(), of_series);
    EXPECT_NEAR(modified.H[2].value(), method().name == "euler" ? -0.5 * second : 0, of_series);
    EXPECT_GT(std::abs(second), 1e-2);
    if (method().name == "lobatto") {
      EXPECT_NEAR(modified.H[3].value(), 0, 10 * of_series);
    } else if (method().name == "rattle") {
      EXPECT_NEAR(modified.H[3].value(), near.third_of_rattle(), 10 * of_series);
    }
  }
}

TEST_P(ModifiedHamiltonians, AreUniqueOnTheConstraintsAlone) {
  // A sphere given by (1 + s x) g = 0: one and the same method, since only G^T L counts, but another one off the
  // sphere. On it also the gradients are the same: they are the equations of motion (4.4). The second derivatives are
  // not.
  RodPendulum tilted = rod();
  tilted.tilt = 0.4;
  std::mt19937_64 random(349);
  double constant = 0;
  for (int trial = 0; trial < 3; ++trial) {
    const PointOfRod point = random_point_of(rod(), random);
    const ModifiedHamiltonian one = at(point), other = modified_hamiltonian(tilted, method().table, point);
    double off = 0;
    for (int k = 1; k <= 3; ++k) {
      const NearAPoint difference = one.H[k] - other.H[k];
      EXPECT_NEAR(difference.value(), 0, 10 * of_series) << k;
      for (int i = 1; i <= 6; ++i) {
        EXPECT_NEAR(difference.slope(i), 0, 10 * of_series) << k;
        for (int j = 1; j <= 6; ++j) off = std::max(off, k < 3 ? std::abs(difference.derivative(i).slope(j)) : 0.0);
      }
    }
    EXPECT_GT(off, 1e-2);
    constant = std::max(constant, std::abs(one.H[3].value()));
  }
  EXPECT_EQ(constant > 1e-2, method().name != "lobatto");  // no agreement of zeros but for order 4
}

TEST(ModifiedHamiltonianOfRattle, HasTheKnownValues) {  // computed elsewhere, to 15 digits
  const PointOfRod second_spherical{{.48, .64, .6}, spherical_rod.lifted({.48, .64, .6}, {-.3, .5, .7})},
      second_magnetic{{.48, .64, .6}, magnetic_rod.lifted({.48, .64, .6}, {-.3, .5, .7})};
  const auto third = [](const RodPendulum& rod, const PointOfRod& at) {
    return modified_hamiltonian(rod, table_of_rattle, at).H[3].value();
  };
  EXPECT_NEAR(third(spherical_rod, point_of_spherical), 0.03455234375, 1e-14);
  EXPECT_NEAR(third(spherical_rod, second_spherical), -0.041013373056, 1e-14);
  EXPECT_NEAR(third(magnetic_rod, point_of_magnetic), 0.0703314874931469, 1e-14);
  EXPECT_NEAR(third(magnetic_rod, second_magnetic), -0.0331214580229601, 1e-14);
}

TEST(ModifiedHamiltonianOfEuler, IsThatOfRattleAfterHalfAKick) {
  // With constant mass half a kick conjugates the two maps, H~(q, p) of the one is that of the other at the momentum
  // p - h/2 V_q, lifted: the third term gains |V_q|^2/8, along the sphere. The terms of (4.3) with H_2 count here.
  std::mt19937_64 random(353);
  for (int trial = 0; trial < 3; ++trial) {
    const PointOfRod point = random_point_of(spherical_rod, random);
    const double along = 1 - point.q[2] * point.q[2];
    EXPECT_NEAR(modified_hamiltonian(spherical_rod, table_of_euler, point).H[3].value(),
                modified_hamiltonian(spherical_rod, table_of_rattle, point).H[3].value() + along / 8, 10 * of_series);
  }
}

class SeriesOfSymplecticEuler : public ::testing::TestWithParam<RodPendulum> {
 protected:
  static ModifiedHamiltonian at(const PointOfRod& point) {
    return modified_hamiltonian(GetParam(), table_of_euler, point);
  }
};
INSTANTIATE_TEST_SUITE_P(Hairer, SeriesOfSymplecticEuler, ::testing::Values(spherical_rod, magnetic_rod),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(SeriesOfSymplecticEuler, HasTheTermsOfExample32) {
  // S_1 = H + g.lambda everywhere, S_2 = (G H_p).lambda_2^0 where g = 0.
  const NearRod far(GetParam(), off_both), near(GetParam(), off_the_hidden);
  EXPECT_NEAR(at(off_both).S[1].value(), (far.H + far.g * far.multiplier()).value(), of_series);
  EXPECT_GT(std::abs((far.g * far.multiplier()).value()), 1e-3);
  const ModifiedHamiltonian modified = at(off_the_hidden);
  const double hidden = near.hidden.value(), corrected = (near.bend(0.5) / near.schur()).value();
  EXPECT_GT(std::abs(hidden), 0.1);
  EXPECT_NEAR(modified.S[2].value(), hidden * corrected, of_series);
  EXPECT_NEAR(modified.step.L[1].value(), corrected, of_series);
  EXPECT_NEAR(modified.step.L[0].value() + modified.step.L[1].value(), near.multiplier().value(), of_series);
  // As printed, with g'' in place of g''/2, it is not.
  EXPECT_GT(std::abs(modified.step.L[1].value() - (near.bend(1) / near.schur()).value()), 0.1);
}

TEST_P(SeriesOfSymplecticEuler, HasASecondTermThatIsTangentWithTheCorrectedMultiplier) {
  // Without terms in g, H_2 = (G H_p).lambda_2^0 - (H_q + G^T lambda).H_p/2. Its G H_2p is 0 on the constraints; with
  // the multiplier as printed it is g_qq[v, v]/2, and that of -H_q.H_p/2 alone is not 0, either.
  std::mt19937_64 random(359);
  for (int trial = 0; trial < 3; ++trial) {
    const PointOfRod point = random_point_of(GetParam(), random);
    const NearRod near(GetParam(), point);
    const NearAPoint alone = -0.5 * product_of_slopes(near.H, near.H),
                     rest = alone - 0.5 * near.hidden * near.multiplier();
    const auto with = [&](double weight) { return near.hidden * (near.bend(weight) / near.schur()) + rest; };
    EXPECT_NEAR(near.rate_of_constraint(with(0.5)), 0, of_series);
    EXPECT_NEAR(near.rate_of_constraint(with(1)), 0.5 * curvature_of(near.g, index_of_q, near.v).value(), of_series);
    EXPECT_GT(near.rate_of_constraint(with(1)), 0.05);
    EXPECT_GT(std::abs(near.rate_of_constraint(alone)), 0.01);
    EXPECT_NEAR(with(0.5).value(), at(point).H[2].value(), of_series);
  }
}

TEST(SeriesOfSymplecticEulerOfTheMagneticPendulum, HasTheKnownNumbers) {  // computed elsewhere, with 40 digits
  const ModifiedHamiltonian off = modified_hamiltonian(magnetic_rod, table_of_euler, off_the_hidden),
                            on = modified_hamiltonian(magnetic_rod, table_of_euler, point_of_magnetic);
  EXPECT_NEAR(off.S[2].value(), 0.0363930602128590173, 1e-15);
  EXPECT_NEAR(off.step.L[1].value(), 0.197562326869806094, 1e-14);
  EXPECT_NEAR(on.step.L[1].value(), 0.37795, 1e-14);  // 0.5879 by the formula as printed
}

}  // namespace
}  // namespace polhode::test

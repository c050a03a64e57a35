// The methods as partitioned Runge-Kutta methods on constrained systems (Hairer 2003, (2.6)-(2.9)), which are solved
// here as they stand, in all stages and multipliers at once:
//
//   P_i = p - h sum_j a_ij (V_q(Q_j) + G(Q_j)^T L_j),   Q_i = q + h sum_j ahat_ij W P_j,   0 = g(Q_i)
//   p1  = p - h sum_i b_i (V_q(Q_i) + G(Q_i)^T L_i),    q1  = q + h sum_i b_i W P_i,       0 = G(q1) W p1
//
// where b_s = 0, p1 has the further term -h G(q1)^T L_s (Example 2.3). Table 1 is RATTLE. Symplectic Euler for
// constrained systems is the first-order constraint algorithm (McLachlan & Scovel 1995, (2), (3)). Also: its modified
// Hamiltonian (Hairer 2003, (4.3)).
#include <gtest/gtest.h>

#include <cmath>

#include "backend/reference/complex_step.hpp"
#include "numerics/subject.hpp"
#include "polhode/method/constraint_euler.hpp"
#include "polhode/method/rattle.hpp"
#include "polhode/system/pendulum_chain.hpp"

namespace polhode::test {
namespace {

constexpr double round_off = 4e-15;  // relative, ten times what was measured

/// Two stages.
struct Pair {
  double position[2][2], momentum[2][2], weights[2];  ///< ahat, a, b
};
constexpr Pair rattle{{{0, 0}, {0.5, 0.5}}, {{0.5, 0}, {0.5, 0}}, {0.5, 0.5}};
constexpr Pair symplectic_euler{{{0, 0}, {1, 0}}, {{1, 0}, {1, 0}}, {1, 0}};

/// The equations of one step.
template <class System>
class Stages {
  static constexpr int N = System::N, D = System::D, size = 2 * N + 2 * D;
  template <class S>
  using Equations = typename System::template Equations<S>;

 public:
  Stages(const Pair& pair, const double* parameters, double h, const State& x)
      : pair_(pair), parameters_(parameters), h_(h), x_(x) {}

  /// q1, p1.
  State end() const {
    // Newton's iteration from P_i = p and L_i = 0, past the point where it stagnates.
    Eigen::Vector<double, size> y = Eigen::Vector<double, size>::Zero();
    y.head(N) = y.segment(N, N) = x_.tail(N);
    for (int k = 0; k < 20; ++k) {
      const auto jacobian = complex_step_jacobian<size>([&](const auto& z) { return residual(z); }, y);
      y -= jacobian.partialPivLu().solve(residual(y));
    }
    EXPECT_LT(residual(y).cwiseAbs().maxCoeff(), 1e-13);
    const auto at = evaluate(y);
    State x(2 * N);
    for (int k = 0; k < N; ++k) x[k] = at.q1[k], x[N + k] = at.p1[k];
    return x;
  }

 private:
  template <class S>
  struct At {
    Vec<S, N> P[2], Q[2], force[2], q1, p1;  ///< force_j = V_q(Q_j) + G(Q_j)^T L_j
  };

  template <class S>
  At<S> evaluate(const Eigen::Vector<S, size>& y) const {
    const Equations<S> equations(parameters_);
    At<S> at;
    Vec<S, D> multipliers[2];
    for (int i = 0; i < 2; ++i) {
      for (int k = 0; k < N; ++k) at.P[i][k] = y[i * N + k];
      for (int k = 0; k < D; ++k) multipliers[i][k] = y[2 * N + i * D + k];
    }
    Vec<S, N> q, p;
    for (int k = 0; k < N; ++k) q[k] = S(x_[k]), p[k] = S(x_[N + k]);
    const auto moved = [&](const double(&row)[2]) {
      return q + S(h_ * row[0]) * equations.velocity(at.P[0]) + S(h_ * row[1]) * equations.velocity(at.P[1]);
    };
    for (int i = 0; i < 2; ++i) at.Q[i] = moved(pair_.position[i]);
    at.q1 = moved(pair_.weights);
    for (int i = 0; i < 2; ++i)
      at.force[i] = equations.potential_gradient(at.Q[i]) + equations.pull(at.Q[i], multipliers[i]);
    at.p1 = p - S(h_ * pair_.weights[0]) * at.force[0] - S(h_ * pair_.weights[1]) * at.force[1];
    if (pair_.weights[1] == 0) at.p1 = at.p1 - S(h_) * equations.pull(at.q1, multipliers[1]);
    return at;
  }

  template <class S>
  Eigen::Vector<S, size> residual(const Eigen::Vector<S, size>& y) const {
    const Equations<S> equations(parameters_);
    const At<S> at = evaluate(y);
    Eigen::Vector<S, size> r;
    for (int i = 0; i < 2; ++i)
      for (int k = 0; k < N; ++k)
        r[i * N + k] = at.P[i][k] - x_[N + k] + h_ * pair_.momentum[i][0] * at.force[0][k] +
                       h_ * pair_.momentum[i][1] * at.force[1][k];
    const Vec<S, D> g = equations.constraints(at.Q[1]);  // Q_1 is q
    const Vec<S, D> rate = equations.push(at.q1, equations.velocity(at.p1));
    for (int k = 0; k < D; ++k) r[2 * N + k] = g[k], r[2 * N + D + k] = rate[k];
    return r;
  }

  const Pair& pair_;
  const double* parameters_;
  double h_;
  State x_;
};

template <class System>
class PartitionedRungeKutta : public ::testing::Test {
 protected:
  /// The largest distance of the stages' step from that of the method, over random states.
  static double worst(const Pair& pair, const Coefficients& coefficients) {
    const Subject& subject = subject_of(System::name);
    std::mt19937_64 random(37);
    double most = 0;
    for (int trial = 0; trial < 100; ++trial) {
      const State start = subject.start(random, Momentum::hidden_constraint);
      for (const double h : {subject.step, -4 * subject.step}) {
        State x = start;
        EXPECT_TRUE(subject.advance(0, {{coefficients}}, h, 1, x));
        most = std::max(
            most, subject.distance(x, Stages<System>(pair, std::data(System::example_parameters), h, start).end()));
      }
    }
    return most;
  }
};
using Pendula = ::testing::Types<SphericalPendulum, DoubleSphericalPendulum>;
TYPED_TEST_SUITE(PartitionedRungeKutta, Pendula);

TYPED_TEST(PartitionedRungeKutta, OfTable1IsRattle) {
  EXPECT_LT(this->worst(rattle, RattleFamily::coefficients), round_off);
}
TYPED_TEST(PartitionedRungeKutta, SymplecticEulerIsTheFirstOrderAlgorithm) {
  EXPECT_LT(this->worst(symplectic_euler, ConstraintEulerFamily::coefficients), round_off);
}
TYPED_TEST(PartitionedRungeKutta, TellsTheMethodsApart) {
  EXPECT_GT(this->worst(symplectic_euler, RattleFamily::coefficients), 1e-3);
}

TEST(PartitionedRungeKuttaTables, AreSymplectic) {
  // (2.11), and what (2.10) asks for: the first position is q, the last one q1, the last force enters no stage.
  for (const Pair& pair : {rattle, symplectic_euler})
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(pair.position[0][i], 0);
      EXPECT_EQ(pair.position[1][i], pair.weights[i]);
      EXPECT_EQ(pair.momentum[i][1], 0);
      for (int j = 0; j < 2; ++j)
        EXPECT_EQ(pair.weights[i] * pair.position[i][j] + pair.weights[j] * pair.momentum[j][i],
                  pair.weights[i] * pair.weights[j]);
    }
}

TEST(FirstOrderAlgorithm, KeepsItsModifiedHamiltonianToSecondOrder) {
  // H~ = H - h/2 V_q . W p, along acceptance E until t = 2; the ranges were computed elsewhere, to the digits given.
  const Subject& subject = subject_of("double-spherical-pendulum");
  const DoubleSphericalPendulum::Model<double> model(std::data(DoubleSphericalPendulum::example_parameters));
  const struct {
    double h, energy, energy_digit, modified, modified_digit;
  } rows[] = {{.01, .861, 1e-3, .0117, 1e-4}, {.005, .431, 1e-3, .00292, 1e-5}, {.0025, .215, 1e-3, .000729, 1e-6}};
  for (const auto& row : rows) {
    State x(12);
    x << 1, 0, 0, 1.5, 0, 0, 0, 4, 0, 0, 3, 0;
    const auto modified = [&] {
      Vec<double, 6> q, p;
      for (int k = 0; k < 6; ++k) q[k] = x[k], p[k] = x[6 + k];
      return subject.energy(x) - row.h / 2 * dot(model.potential_gradient(q), model.velocity(p));
    };
    double least = subject.energy(x), most = least, least_modified = modified(), most_modified = least_modified;
    for (int n = 0; n < std::lround(2 / row.h); ++n) {
      ASSERT_TRUE(subject.advance(0, {{ConstraintEulerFamily::coefficients}}, row.h, 1, x));
      least = std::min(least, subject.energy(x)), most = std::max(most, subject.energy(x));
      least_modified = std::min(least_modified, modified()), most_modified = std::max(most_modified, modified());
    }
    EXPECT_NEAR(most - least, row.energy, row.energy_digit) << row.h;
    EXPECT_NEAR(most_modified - least_modified, row.modified, row.modified_digit) << row.h;
  }
}

}  // namespace
}  // namespace polhode::test

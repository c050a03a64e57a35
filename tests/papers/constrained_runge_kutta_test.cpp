// The methods as partitioned Runge-Kutta methods on constrained systems (Hairer 2003, (2.6)-(2.9)), which are solved
// here as they stand, in all stages and multipliers at once:
//
//   P_i = p - h sum_j a_hat_ij (V_q(Q_j) + G(Q_j)^T L_j),   Q_i = q + h sum_j a_ij W P_j,   0 = g(Q_i)
//   p1  = p - h sum_i b_i (V_q(Q_i) + G(Q_i)^T L_i),        q1  = q + h sum_i b_i W P_i,    0 = G(q1) W p1
//
// where b_s = 0, p1 has the further term -h G(q1)^T L_s (Example 2.3). Table 1 is RATTLE; the Lobatto pairs
// (Example 2.2) go on from it. Symplectic Euler for constrained systems is the first-order constraint algorithm
// (McLachlan & Scovel 1995, (2), (3)). Also: its modified Hamiltonian (Hairer 2003, (4.3)).
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "backend/reference/collocation_tables.hpp"
#include "backend/reference/complex_step.hpp"
#include "numerics/dense.hpp"
#include "numerics/subject.hpp"
#include "polhode/method/constraint_euler.hpp"
#include "polhode/method/lobatto.hpp"
#include "polhode/method/lobatto_tables.hpp"
#include "polhode/method/rattle.hpp"
#include "polhode/system/pendulum_chain.hpp"

namespace polhode::test {
namespace {

constexpr double round_off = 4e-15;  // relative, ten times what was measured

using Table = ButcherTable<double, 4>;
constexpr Table rattle{2, {{0, 0}, {0.5, 0.5}}, {{0.5, 0}, {0.5, 0}}, {0.5, 0.5}, {0, 1}};
constexpr Table symplectic_euler{2, {{0, 0}, {1, 0}}, {{1, 0}, {1, 0}}, {1, 0}, {0, 1}};

Scheme lobatto_of(int stages) { return CollocationOptions{.nodes = CollocationNodes::lobatto, .stages = stages}; }

/// Whether p1 has the further term where b_s = 0; otherwise nothing brings it to the hidden constraint.
enum class FurtherTerm { there, missing };

/// The equations of one step.
template <class System>
class Stages {
  static constexpr int N = System::N, D = System::D;
  template <class S>
  using Equations = typename System::template Equations<S>;

 public:
  Stages(const Table& table, const double* parameters, double h, const State& x,
         FurtherTerm further = FurtherTerm::there)
      : table_(table), s_(table.stages), parameters_(parameters), h_(h), x_(x), further_(further) {}

  /// q1, p1.
  State end() const {
    // Newton's iteration from P_i = p and L_i = 0, past the point where it stagnates.
    Eigen::VectorXd y = Eigen::VectorXd::Zero(s_ * (N + D));
    for (int i = 0; i < s_; ++i) y.segment(i * N, N) = x_.tail(N);
    for (int k = 0; k < 20; ++k) {
      const auto jacobian = complex_step_jacobian<Eigen::Dynamic>([&](const auto& z) { return residual(z); }, y);
      y -= solve(jacobian, residual(y));
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
    Vec<S, N> P[4], Q[4], force[4], q1, p1;  ///< force_j = V_q(Q_j) + G(Q_j)^T L_j
    Vec<S, D> multipliers[4];
  };

  template <class S>
  At<S> evaluate(const Eigen::VectorX<S>& y) const {
    const Equations<S> equations(parameters_);
    At<S> at;
    for (int i = 0; i < s_; ++i) {
      for (int k = 0; k < N; ++k) at.P[i][k] = y[i * N + k];
      for (int k = 0; k < D; ++k) at.multipliers[i][k] = y[s_ * N + i * D + k];
    }
    Vec<S, N> q, p;
    for (int k = 0; k < N; ++k) q[k] = S(x_[k]), p[k] = S(x_[N + k]);
    const auto moved = [&](const double(&row)[4]) {
      Vec<S, N> sum = q;
      for (int j = 0; j < s_; ++j) sum = sum + S(h_ * row[j]) * equations.velocity(at.P[j]);
      return sum;
    };
    at.q1 = moved(table_.b);
    at.p1 = p;
    for (int i = 0; i < s_; ++i) {
      at.Q[i] = moved(table_.a[i]);
      at.force[i] = equations.potential_gradient(at.Q[i]) + equations.pull(at.Q[i], at.multipliers[i]);
      at.p1 = at.p1 - S(h_ * table_.b[i]) * at.force[i];
    }
    if (table_.b[s_ - 1] == 0) at.p1 = at.p1 - S(h_) * equations.pull(at.q1, at.multipliers[s_ - 1]);
    return at;
  }

  template <class S>
  Eigen::VectorX<S> residual(const Eigen::VectorX<S>& y) const {
    const Equations<S> equations(parameters_);
    const At<S> at = evaluate(y);
    Eigen::VectorX<S> r(y.size());
    for (int i = 0; i < s_; ++i)
      for (int k = 0; k < N; ++k) {
        S& momentum = r[i * N + k];
        momentum = at.P[i][k] - x_[N + k];
        for (int j = 0; j < s_; ++j) momentum += h_ * table_.a_hat[i][j] * at.force[j][k];
      }
    for (int i = 1; i < s_; ++i) {  // Q_1 is q
      const Vec<S, D> g = equations.constraints(at.Q[i]);
      for (int k = 0; k < D; ++k) r[s_ * N + (i - 1) * D + k] = g[k];
    }
    const Vec<S, D> rate = equations.push(at.q1, equations.velocity(at.p1));
    for (int k = 0; k < D; ++k)
      r[s_ * (N + D) - D + k] = further_ == FurtherTerm::there ? rate[k] : at.multipliers[s_ - 1][k];
    return r;
  }

  const Table& table_;
  int s_;
  const double* parameters_;
  double h_;
  State x_;
  FurtherTerm further_;
};

template <class System>
class PartitionedRungeKutta : public ::testing::Test {
 protected:
  static State end_of(const Table& table, double h, const State& start, FurtherTerm further = FurtherTerm::there) {
    return Stages<System>(table, std::data(System::example_parameters), h, start, further).end();
  }
  static int solver_of(const char* method) {
    for (const Method& candidate : catalog_methods())
      if (candidate.system == System::name && candidate.name == method) return candidate.solvers.front();
    throw std::logic_error(method);
  }
  /// The largest distance of the stages' step from that of the method, over random states.
  static double worst(const Table& table, const char* method, const Scheme& scheme) {
    const Subject& subject = subject_of(System::name);
    std::mt19937_64 random(37);
    double most = 0;
    for (int trial = 0; trial < 100; ++trial) {
      const State start = subject.start(random, Momentum::hidden_constraint);
      for (const double h : {subject.step, -4 * subject.step}) {
        State x = start;
        EXPECT_TRUE(subject.advance(solver_of(method), {{scheme}}, h, 1, x));
        most = std::max(most, subject.distance(x, end_of(table, h, start)));
      }
    }
    return most;
  }
};
using Pendula = ::testing::Types<SphericalPendulum, DoubleSphericalPendulum>;
TYPED_TEST_SUITE(PartitionedRungeKutta, Pendula);

TYPED_TEST(PartitionedRungeKutta, OfTable1IsRattle) {
  EXPECT_LT(this->worst(rattle, "rattle", scheme_of<RattleMethod>()), round_off);
}
TYPED_TEST(PartitionedRungeKutta, OfALobattoPairIsLobatto) {
  for (const int stages : {2, 3, 4})
    EXPECT_LT(this->worst(lobatto_table<double>(stages), "lobatto", lobatto_of(stages)), round_off) << stages;
}
TYPED_TEST(PartitionedRungeKutta, SymplecticEulerIsTheFirstOrderAlgorithm) {
  EXPECT_LT(this->worst(symplectic_euler, "constraint-euler", scheme_of<ConstraintEulerMethod>()), round_off);
}
TYPED_TEST(PartitionedRungeKutta, TellsTheMethodsApart) {
  EXPECT_GT(this->worst(symplectic_euler, "rattle", scheme_of<RattleMethod>()), 1e-3);
  EXPECT_GT(this->worst(lobatto_table<double>(3), "lobatto", lobatto_of(4)), 1e-8);
}

TYPED_TEST(PartitionedRungeKutta, SymplecticEulerLeavesTheHiddenConstraintWithoutItsFurtherTerm) {
  // What Example 2.3 says of (p0, q0), which must be (p1, q1): g(q1) = 0, but G(q1) W p1 is of order h.
  const Subject& subject = subject_of(TypeParam::name);
  std::mt19937_64 random(43);
  const State start = subject.start(random, Momentum::hidden_constraint);
  const auto off = [&](double h, FurtherTerm further) {
    const Distances end = subject.distances(this->end_of(symplectic_euler, h, start, further), {});
    EXPECT_LT(end.position, 1e-15);
    return end.hidden_constraint;
  };
  double coarse = off(subject.step, FurtherTerm::missing);
  for (const double h : {subject.step / 2, subject.step / 4, subject.step / 8}) {
    const double fine = off(h, FurtherTerm::missing);
    EXPECT_NEAR(std::log2(coarse / fine), 1, 0.05) << h;  // the next term is smaller by h
    EXPECT_GT(fine, h / 10);
    EXPECT_LT(off(h, FurtherTerm::there), 1e-15);
    coarse = fine;
  }
}

/// A table and whether it is to be symmetric: symplectic Euler is not.
struct NamedTable {
  const char* name;
  Table table;
  bool is_symmetric = true;

  friend void PrintTo(const NamedTable& named, std::ostream* to) { *to << named.name; }
};
class PartitionedRungeKuttaTables : public ::testing::TestWithParam<NamedTable> {
 protected:
  const Table& table() const { return GetParam().table; }
  const int s = table().stages;
  /// (2.10): sum_k a_ik a_hat_kj for i = 2, ..., s and s - 1 columns from `first` on.
  Eigen::MatrixXd product(int first) const {
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(s - 1, s - 1);
    for (int i = 1; i < s; ++i)
      for (int j = 0; j < s - 1; ++j)
        for (int k = 0; k < s; ++k) matrix(i - 1, j) += table().a[i][k] * table().a_hat[k][first + j];
    return matrix;
  }
};
INSTANTIATE_TEST_SUITE_P(Hairer, PartitionedRungeKuttaTables,
                         ::testing::Values(NamedTable{"Table1", rattle}, NamedTable{"Table2", symplectic_euler, false},
                                           NamedTable{"Lobatto2", lobatto_table<double>(2)},
                                           NamedTable{"Lobatto3", lobatto_table<double>(3)},
                                           NamedTable{"Lobatto4", lobatto_table<double>(4)}),
                         [](const auto& info) { return info.param.name; });

constexpr double of_a_table = 1.2e-16;  // numbers below 1, each rounded by itself

TEST_P(PartitionedRungeKuttaTables, StayOnTheManifold) {
  // (2.10): the first position is q, the last one q1, the last force enters no stage.
  for (int j = 0; j < s; ++j) {
    EXPECT_EQ(table().a[0][j], 0);
    EXPECT_EQ(table().a[s - 1][j], table().b[j]);
    EXPECT_EQ(table().a_hat[j][s - 1], 0);
  }
  EXPECT_EQ(table().b[s - 1] != 0, GetParam().is_symmetric);
  // The matrix is invertible with the columns 1, ..., s - 1 of the multipliers; with 2, ..., s, as (2.10) is printed,
  // the last column is zero.
  EXPECT_GT(absolute_determinant(product(0)), 2e-4);  // 1/3600 for four stages
  EXPECT_EQ(absolute_determinant(product(1)), 0);
}

TEST_P(PartitionedRungeKuttaTables, AreSymplectic) {  // (2.11)
  for (int i = 0; i < s; ++i)
    for (int j = 0; j < s; ++j)
      EXPECT_NEAR(table().b[i] * table().a_hat[i][j] + table().b[j] * table().a[j][i], table().b[i] * table().b[j],
                  of_a_table);
}

TEST_P(PartitionedRungeKuttaTables, AreSymmetricButForEuler) {  // Remark 3.3
  double most = 0;
  for (int i = 0; i < s; ++i)
    for (int j = 0; j < s; ++j)
      for (const auto& a : {table().a, table().a_hat})
        most = std::max(most, std::abs(a[i][j] + a[s - 1 - i][s - 1 - j] - table().b[j]));
  if (GetParam().is_symmetric)
    EXPECT_LE(most, of_a_table);
  else
    EXPECT_EQ(most, 1);
}

TEST(LobattoPairs, AreThoseOfTheirDefinition) {
  // The reference's are by collocation and symplecticity, in long double. Quadrature of order 2 s - 2.
  for (const int s : {2, 3, 4}) {
    const Table table = lobatto_table<double>(s);
    const CollocationTable pair = collocation_table({"lobatto", {{"stages", double(s)}}});
    for (int i = 0; i < s; ++i) {
      EXPECT_EQ(table.b[i], pair.b[i]);
      for (int j = 0; j < s; ++j) {
        EXPECT_EQ(table.a[i][j], pair.a(i, j));
        EXPECT_EQ(table.a_hat[i][j], pair.a_hat(i, j));
      }
    }
    for (int k = 1; k <= 2 * s - 1; ++k) {
      double moment = 0;
      for (int i = 0; i < s; ++i) moment += table.b[i] * std::pow(table.c[i], k - 1);
      if (k <= 2 * s - 2)
        EXPECT_NEAR(moment, 1.0 / k, 2e-16) << k;
      else
        EXPECT_GT(std::abs(moment - 1.0 / k), 1e-4) << k;
    }
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
      ASSERT_TRUE(subject.advance(0, {{scheme_of<ConstraintEulerMethod>()}}, row.h, 1, x));
      least = std::min(least, subject.energy(x)), most = std::max(most, subject.energy(x));
      least_modified = std::min(least_modified, modified()), most_modified = std::max(most_modified, modified());
    }
    EXPECT_NEAR(most - least, row.energy, row.energy_digit) << row.h;
    EXPECT_NEAR(most_modified - least_modified, row.modified, row.modified_digit) << row.h;
  }
}

}  // namespace
}  // namespace polhode::test

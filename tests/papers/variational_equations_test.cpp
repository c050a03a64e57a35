// Equations of motion with multipliers, from a Lagrangian (Patrick, Cuell, Spiteri & Zhang, (1.1) to (1.3), sect. 4.1):
// each system's own (4.2), its derivatives, and the misprints there.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numbers>
#include <random>
#include <vector>

#include "numerics/dense.hpp"
#include "papers/variational_polynomial.hpp"
#include "papers/variational_stages.hpp"
#include "papers/variational_subject.hpp"

namespace polhode::test {
namespace {

using Column = Eigen::VectorXd;
using Grid = Eigen::MatrixXd;

// Differences that are exact but for the rounding of values of at most 100.
constexpr double exact_differences = 1e-12;

double largest_of(const Grid& a) { return a.size() == 0 ? 0 : a.cwiseAbs().maxCoeff(); }

std::vector<VariationalCase> all_cases() {
  std::vector<VariationalCase> cases = pendula_and_top();
  for (const VariationalCase& of : {bent_surface(), free_water(), underwater_vehicle(Centres::apart)})
    cases.push_back(of);
  return cases;
}

/// A point near the start, off the constraints.
struct Anywhere {
  Column q, v;
};
Anywhere anywhere(const VariationalCase& of, std::mt19937_64& random) {
  std::uniform_real_distribution<double> shift(-0.3, 0.3);
  Anywhere at{of.q, of.v};
  for (double& x : at.q) x += shift(random);
  for (double& x : at.v) x += shift(random);
  return at;
}

/// m_ij, a_i, V and g by their values, and their derivatives, in indices.
class Tensors {
 public:
  explicit Tensors(const ConstrainedLagrangian& problem) : problem_(problem), N(problem.N) {}

  Grid mass(const Column& q) const { return problem_.terms(q, Column::Zero(N)).mass; }
  Column linear(const Column& q) const { return problem_.terms(q, Column::Zero(N)).linear; }
  double potential(const Column& q) const { return -problem_.terms(q, Column::Zero(N)).lagrangian; }
  Column unit(int k) const { return Column::Unit(N, k); }
  template <class Function>
  auto partial(const Function& f, const Column& q, int k) const {
    return polynomial_derivative(f, q, unit(k));
  }

  Column potential_slope(const Column& q) const {
    Column slope(N);
    for (int i = 0; i < N; ++i) slope[i] = partial([&](const Column& x) { return potential(x); }, q, i);
    return slope;
  }
  /// Gamma_ikl v^k v^l by its definition, for vectors u and v.
  Column gamma(const Column& q, const Column& u, const Column& v) const {
    std::vector<Grid> dm;
    for (int k = 0; k < N; ++k) dm.push_back(partial([&](const Column& x) { return mass(x); }, q, k));
    Column sum = Column::Zero(N);
    for (int i = 0; i < N; ++i)
      for (int k = 0; k < N; ++k)
        for (int l = 0; l < N; ++l) sum[i] += (dm[k](i, l) + dm[l](i, k) - dm[i](k, l)) / 2 * u[k] * v[l];
    return sum;
  }
  /// b_ij = d a_i / dq^j - d a_j / dq^i; as printed, d a_i / dq^j - d a_j / dq^j.
  Grid field(const Column& q, bool as_printed = false) const {
    Grid da(N, N);
    for (int j = 0; j < N; ++j) da.col(j) = partial([&](const Column& x) { return linear(x); }, q, j);
    if (!as_printed) return da - da.transpose();
    return da.rowwise() - da.diagonal().transpose();
  }

 private:
  const ConstrainedLagrangian& problem_;

 public:
  const int N;
};

TEST(QuadraticLagrangians, HaveTheForcesOfTheirTensors) {
  std::mt19937_64 random(51);
  for (const VariationalCase& of : all_cases()) {
    const Tensors tensors(*of.problem);
    const Anywhere at = anywhere(of, random);
    const LagrangianTerms terms = of.problem->terms(at.q, at.v);
    const Column common = -tensors.potential_slope(at.q) - tensors.gamma(at.q, at.v, at.v);
    EXPECT_LT(largest_of(terms.force - common + product(tensors.field(at.q), at.v)), exact_differences) << of.name;
    if (largest_of(tensors.field(at.q)) > 0) {
      EXPECT_GT(largest_of(terms.force - common + product(tensors.field(at.q, true), at.v)), 0.05) << of.name;
    }
    for (int k = 0; k < of.problem->N; ++k) {
      const auto g = [&](const Column& x) { return of.problem->constraints(x); };
      EXPECT_LT(largest_of(terms.jacobian.col(k) - tensors.partial(g, at.q, k)), exact_differences) << of.name;
    }
  }
}

TEST(AccelerationsAndMultipliers, SolveTheLinearEquationsOfTheLagrangian) {  // (1.3), from values of L and g
  std::mt19937_64 random(52);
  for (const VariationalCase& of : all_cases()) {
    const ConstrainedLagrangian& problem = *of.problem;
    const Anywhere at = anywhere(of, random);
    const LayerRates rates = layer_rates(problem, point_jet(at.q, at.v));
    const auto lagrangian = [&](const Column& q, const Column& v) { return problem.terms(q, v).lagrangian; };
    const auto momentum = [&](const Column& q, const Column& v) {
      Column p(problem.N);
      for (int i = 0; i < problem.N; ++i)
        p[i] = polynomial_derivative([&](const Column& u) { return lagrangian(q, u); }, v,
                                     Column(Column::Unit(problem.N, i)));
      return p;
    };
    Column left = polynomial_derivative([&](const Column& u) { return momentum(at.q, u); }, at.v, rates.acceleration) +
                  polynomial_derivative([&](const Column& q) { return momentum(q, at.v); }, at.q, at.v) -
                  product(problem.jacobian(at.q).transpose(), rates.multipliers);
    for (int i = 0; i < problem.N; ++i)
      left[i] -= polynomial_derivative([&](const Column& q) { return lagrangian(q, at.v); }, at.q,
                                       Column(Column::Unit(problem.N, i)));
    EXPECT_LT(largest_of(left), exact_differences) << of.name;
    const Column hidden =
        product(problem.jacobian(at.q), rates.acceleration) + product(curvature_matrix(problem, at.q, at.v), at.v);
    EXPECT_LT(largest_of(hidden), exact_differences) << of.name;
  }
}

/// Runge-Kutta's method of order 8 for y' = f(y).
Column integrated(const std::function<Column(const Column&)>& f, Column y, double t, int steps) {
  const LayerTable& table = layer_table("dop853");
  for (int n = 0; n < steps; ++n) {
    std::vector<Column> slopes;
    const auto moved = [&](const std::vector<double>& weights) {
      Column to = y;
      for (std::size_t j = 0; j < slopes.size(); ++j) to += t / steps * weights[j] * slopes[j];
      return to;
    };
    for (const auto& row : table.a) slopes.push_back(f(moved(row)));
    y = moved(table.b);
  }
  return y;
}

TEST(AccelerationsAndMultipliers, AreThoseOfTheHamiltonianFlowForAnyRegularLagrangian) {
  // A relativistic particle on a sphere: L = -sqrt(1 - v.v) - z, H = sqrt(1 + p.p) + z.
  const auto lagrangian_rates = [](const Column& y) {
    const Column q = y.head(3), v = y.tail(3);
    const double gamma = 1 / std::sqrt(1 - v.dot(v));
    Grid matrix = Grid::Zero(4, 4);
    matrix.topLeftCorner(3, 3) = gamma * Grid::Identity(3, 3) + std::pow(gamma, 3) * v * v.transpose();
    matrix.topRightCorner(3, 1) = -q, matrix.bottomLeftCorner(1, 3) = -q.transpose();
    const Column right = Eigen::Vector4d(0, 0, -1, v.dot(v)), solution = solve(matrix, right);
    Column rate(6);
    rate << v, solution.head(3);
    return rate;
  };
  const auto hamiltonian_rates = [](const Column& y) {
    const Column q = y.head(3), p = y.tail(3);
    const double energy = std::sqrt(1 + p.dot(p));
    const Column v = p / energy, force = -Column::Unit(3, 2);
    // 0 = (q.v)' with v' = (p' - v (v.p')) / energy and p' = force + lambda q.
    const double lambda =
        (-energy * v.dot(v) - q.dot(force) + q.dot(v) * v.dot(force)) / (q.dot(q) - q.dot(v) * q.dot(v));
    Column rate(6);
    rate << v, force + lambda * q;
    return rate;
  };
  Column velocity(6), momentum(6);
  velocity << .6, 0, -.8, .2, .7, .15;
  momentum << velocity.head(3), velocity.tail(3) / std::sqrt(1 - velocity.tail(3).squaredNorm());
  velocity = integrated(lagrangian_rates, velocity, 1, 40), momentum = integrated(hamiltonian_rates, momentum, 1, 40);
  EXPECT_LT(largest_of(velocity.head(3) - momentum.head(3)), 1e-13);  // 40 steps of order 8
  EXPECT_LT(largest_of(velocity.tail(3) / std::sqrt(1 - velocity.tail(3).squaredNorm()) - momentum.tail(3)), 1e-13);
}

/// The derivative of the action until time 1 along curves q + e sin^2(pi t) u, projected to the constraints, where the
/// curve is the motion of `mover` and the action that of `of`. Simpson's rule with 200 intervals.
double action_slope(const VariationalCase& of, const VariationalCase& mover, const Column& u) {
  constexpr int intervals = 200;
  const ExplicitLayer layer(layer_table("dop853"));
  LayerJet at = point_jet(of.q, of.v);
  double slope = 0;
  for (int k = 0; k <= intervals; ++k) {
    const double t = k / double(intervals), sine = std::sin(std::numbers::pi * t),
                 rate = std::numbers::pi * std::sin(2 * std::numbers::pi * t);
    const auto lagrangian = [&](double e) {
      const ProjectedPoint q = project_point(*of.problem, at.q + e * sine * sine * u);
      return of.problem->terms(q.q, project_directions(*of.problem, q, at.v + e * rate * u)).lagrangian;
    };
    const double weight = k == 0 || k == intervals ? 1 : (k % 2 == 1 ? 4 : 2);
    slope += weight / (3 * intervals) * (lagrangian(1e-4) - lagrangian(-1e-4)) / 2e-4;
    at = layer.flow(*mover.problem, 1. / intervals, at);
  }
  return slope;
}

TEST(AccelerationsAndMultipliers, MakeCurvesOfCriticalAction) {  // (1.1)
  const Column u = Eigen::Vector3d(.5, -.3, .8);
  for (const VariationalCase& of : {spherical_pendulum(), magnetic_pendulum()})
    EXPECT_LT(std::abs(action_slope(of, of, u)), 2e-7) << of.name;  // differences with steps of 1e-4
  EXPECT_GT(std::abs(action_slope(spherical_pendulum(), spherical_pendulum(0.5), u)), 0.05);
}

TEST(DerivativesOfAccelerations, SolveTheirLinearEquations) {  // sect. 4.1, in indices
  std::mt19937_64 random(53);
  for (const VariationalCase& of : {magnetic_pendulum(), bent_surface()}) {
    const ConstrainedLagrangian& problem = *of.problem;
    const int N = problem.N, d = problem.d;
    const Tensors tensors(problem);
    const Anywhere at = anywhere(of, random);
    const LayerRates rates = layer_rates(problem, full_jet(at.q, at.v));
    const Column &A = rates.acceleration, &lambda = rates.multipliers;
    const Grid G = problem.jacobian(at.q), upper_v = product(tensors.field(at.q), Grid::Identity(N, N));
    Grid matrix = Grid::Zero(N + d, N + d);
    matrix << tensors.mass(at.q), -G.transpose(), -G, Grid::Zero(d, d);
    for (int m = 0; m < N; ++m) {
      const auto slope = [&](const Column& q) { return tensors.potential_slope(q); };
      const auto inertia = [&](const Column& q) { return tensors.gamma(q, at.v, at.v); };
      const auto field = [&](const Column& q) { return Column(product(tensors.field(q), at.v)); };
      const auto pushed = [&](const Column& q) { return Column(product(tensors.mass(q), A)); };
      const auto bending = [&](const Column& q) { return Column(product(curvature_matrix(problem, q, at.v), at.v)); };
      const Column bent_force = problem.hessian(at.q, lambda).col(m);
      const Column bent_A = curvature_matrix(problem, at.q, A).col(m);
      const auto solved = [&](const Column& upper, const Column& lower) {
        Column right(N + d);
        right << upper, lower;
        return Column(solve(matrix, right).head(N));
      };
      const Column upper = -tensors.partial(inertia, at.q, m) - tensors.partial(field, at.q, m) -
                           tensors.partial(slope, at.q, m) - tensors.partial(pushed, at.q, m);
      const Column lower = tensors.partial(bending, at.q, m);
      const Column by_q = rates.dacceleration.col(m), by_v = rates.dacceleration.col(N + m);
      EXPECT_LT(largest_of(solved(upper + bent_force, lower + bent_A) - by_q), 10 * exact_differences) << of.name;
      EXPECT_GT(largest_of(solved(upper - bent_force, lower + bent_A) - by_q), 1e-2) << of.name;  // as printed
      EXPECT_GT(largest_of(solved(upper + bent_force, lower) - by_q), 1e-2) << of.name;  // without its last term

      const Column twice = -2 * tensors.gamma(at.q, at.v, Column::Unit(N, m));
      const Column bent_v = 2 * curvature_matrix(problem, at.q, at.v).col(m);
      EXPECT_LT(largest_of(solved(twice - upper_v.col(m), bent_v) - by_v), exact_differences) << of.name;
      if (upper_v.col(m).norm() > 0) {
        EXPECT_GT(largest_of(solved(twice, bent_v) - by_v), 1e-2) << of.name;  // as printed, without b
      }
    }
  }
}

}  // namespace
}  // namespace polhode::test

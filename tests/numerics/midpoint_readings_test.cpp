// What "the implicit midpoint rule on the reduced equations" of McLachlan & Scovel 1995, Figure 2 can mean, for the
// free double spherical pendulum of the figure:
//
//   (i)    the equations with substituted multipliers, which are not canonical: method implicit-midpoint
//   (ii)   the canonical equations of K = H + lambda(q, p).g, with the same flow on the constraints
//   (iii)  those of H(q, P(q) p), P the projection to the hidden constraint
//
// Only (i) drifts as the figure shows. (ii) and (iii) are symplectic. (iii) keeps the constraints; (ii) is unstable off
// them: |g| grows a thousandfold by t = 2.3, and then there is no solution that Newton's iteration finds, or Powell's
// hybrid method, or Levenberg and Marquardt's, which leaves a residual of 0.8. (What goes on from an iterate that is no
// solution gets any |g| between 1e3 and 1e9 at t = 5.) They are computed here with derivatives by dual numbers.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "polhode/method/implicit_midpoint.hpp"
#include "polhode/method/substituted_multipliers.hpp"
#include "polhode/system/pendulum_chain.hpp"

namespace polhode::test {
namespace {

using System = DoubleSphericalPendulum;
constexpr int N = System::N, dim = System::dim;
using Phase = Eigen::Vector<double, dim>;
using Jacobian = Eigen::Matrix<double, dim, dim>;

constexpr double parameters[] = {1, 1.5, 1, 1.5, 0};  // m, l, without gravity
constexpr double step = 0.05;

enum class Reading { substituted, canonical, gauge };

/// lambda(q, p) of the equations with substituted multipliers.
template <class T>
Vec<T, 2> multipliers(const System::Model<T>& model, const Vec<T, N>& q, const Vec<T, N>& p) {
  return LU<T, 2>(model.schur(q, q)).solve(model.curvature(q, model.velocity(p)));
}

template <class T>
T hamiltonian(Reading reading, const Vec<T, N>& q, const Vec<T, N>& p) {
  const System::Model<T> model(parameters);
  if (reading == Reading::gauge) return model.hamiltonian(q, model.to_hidden_constraint(q, p));
  return model.hamiltonian(q, p) + dot(multipliers(model, q, p), model.constraints(q));
}

Phase rate(Reading reading, const Phase& x) {
  Vec<double, N> q, p;
  std::copy_n(x.data(), N, q.v);
  std::copy_n(x.data() + N, N, p.v);
  Phase y;
  if (reading == Reading::substituted) {
    const System::Model<double> model(parameters);
    const Vec<double, N> v = model.velocity(p), force = model.pull(q, multipliers(model, q, p));
    for (int k = 0; k < N; ++k) y[k] = v[k], y[N + k] = -force[k];
    return y;
  }
  using Along = Dual<double, 1>;
  for (int k = 0; k < dim; ++k) {
    Vec<Along, N> q1, p1;
    for (int i = 0; i < N; ++i) q1[i] = Along(q[i]), p1[i] = Along(p[i]);
    (k < N ? q1[k] : p1[k - N]).tangent[0] = 1;
    const double derivative = hamiltonian<Along>(reading, q1, p1).tangent[0];
    y[k < N ? N + k : k - N] = k < N ? -derivative : derivative;
  }
  return y;
}

/// One step, by Newton's iteration with a Jacobian by differences; false where it does not converge.
bool advance(Reading reading, double h, Phase& x) {
  const auto residual = [&](const Phase& y) { return Phase(y - x - h * rate(reading, (x + y) / 2)); };
  Phase y = x + h * rate(reading, x);
  for (int k = 0; k < 50; ++k) {
    const Phase at = residual(y);
    if (!at.allFinite()) return false;
    if (at.norm() < 1e-13 * (x.norm() + y.norm())) {
      x = y;
      return true;
    }
    Jacobian jacobian;
    const double e = 1e-6 * (1 + y.norm());
    for (int i = 0; i < dim; ++i)
      jacobian.col(i) = (residual(y + e * Phase::Unit(i)) - residual(y - e * Phase::Unit(i))) / (2 * e);
    y -= jacobian.partialPivLu().solve(at);
  }
  return false;
}

Phase start() {
  // q1, q2 and p = M q', of the relative velocities (0, .6, .8) and (.7, 0, -.5).
  const double m1 = parameters[0], m2 = parameters[1];
  const Eigen::Vector3d v1(0, .6, .8), v2(.7, 0, -.5);
  Phase x;
  x << 1, 0, 0, 0, 1.5, 0, (m1 + m2) * v1 + m2 * v2, m2 * (v1 + v2);
  return x;
}

double constraint(const Phase& x) {
  return std::max(std::abs(x.head<3>().squaredNorm() - 1), std::abs(x.segment<3>(3).squaredNorm() - 2.25)) / 2;
}

/// |g| at t, or at the last step that has a solution.
double constraint_at(Reading reading, double t) {
  Phase x = start();
  for (int n = 0; n < std::lround(t / step) && advance(reading, step, x); ++n) continue;
  return constraint(x);
}

TEST(MidpointReadings, OnlyTheFirstDriftsAsTheFigureShows) {
  for (const double t : {5, 10, 20}) EXPECT_NEAR(constraint_at(Reading::substituted, t), 4e-4, 1e-4);
  EXPECT_NEAR(constraint_at(Reading::canonical, 1), 0.00498, 1e-5);
  EXPECT_NEAR(constraint_at(Reading::canonical, 2), 0.354, 1e-3);
  EXPECT_NEAR(constraint_at(Reading::canonical, 5), 0.448, 1e-3);  // where it ends, at t = 2.3
  EXPECT_LT(constraint_at(Reading::gauge, 5), 1e-12);              // Newton's tolerance, step after step
}

TEST(MidpointReadings, TheFirstIsTheMethod) {
  using Map = SubstitutedMultipliers<System>;
  const System::Model<double> model(parameters);
  const Map::Constants<double> constants(model, ImplicitMidpointFamily::coefficients, step);
  const Map::Step<double> method(model, ImplicitMidpointFamily::coefficients, constants, 1);
  Phase x = start();
  System::State<double> y;
  std::copy_n(x.data(), dim, y.v);
  for (int n = 0; n < 20; ++n) {
    ASSERT_TRUE(advance(Reading::substituted, step, x));
    ASSERT_TRUE(method(y, y, true));
  }
  for (int i = 0; i < dim; ++i) EXPECT_NEAR(y[i], x[i], 1e-11);  // this one's Newton stops at 1e-13 in every step
}

TEST(MidpointReadings, ShareTheFlowOnTheConstraints) {
  const Phase x = start(), expected = rate(Reading::substituted, x);
  EXPECT_LT((rate(Reading::canonical, x) - expected).norm(), 1e-14 * expected.norm());
}

TEST(MidpointReadings, AllButTheFirstAreSymplectic) {
  Jacobian form = Jacobian::Zero();
  form.topRightCorner<N, N>().setIdentity();
  form.bottomLeftCorner<N, N>() = -Eigen::Matrix<double, N, N>::Identity();
  for (const Reading reading : {Reading::substituted, Reading::canonical, Reading::gauge}) {
    Jacobian tangent;
    for (int i = 0; i < dim; ++i) {
      constexpr double e = 1e-5;
      Phase there = start() + e * Phase::Unit(i), back = start() - e * Phase::Unit(i);
      ASSERT_TRUE(advance(reading, step, there) && advance(reading, step, back));
      tangent.col(i) = (there - back) / (2 * e);
    }
    const double defect = (tangent.transpose() * form * tangent - form).cwiseAbs().maxCoeff();
    if (reading == Reading::substituted)
      EXPECT_GT(defect, 1e-4);
    else
      EXPECT_LT(defect, 1e-8);  // differences
  }
}

}  // namespace
}  // namespace polhode::test

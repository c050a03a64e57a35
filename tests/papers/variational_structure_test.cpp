// Structures that variational integrators keep, over single steps: the canonical form of T*Q, the discrete form of TQ,
// and momenta; and how far those are from the continuous ones in (q, v).
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "numerics/dense.hpp"
#include "papers/variational_polynomial.hpp"
#include "papers/variational_subject.hpp"

namespace polhode::test {
namespace {

using Flat = Eigen::VectorXd;

/// The derivative by differences of the sixth order.
Eigen::MatrixXd precise_jacobian(const std::function<Flat(const Flat&)>& f, const Flat& x, double e) {
  Eigen::MatrixXd jacobian;
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    const Flat u = e * Flat::Unit(x.size(), k);
    const Flat near = f(x + u) - f(x - u), middle = f(x + 2 * u) - f(x - 2 * u), far = f(x + 3 * u) - f(x - 3 * u);
    if (k == 0) jacobian.resize(near.size(), x.size());
    jacobian.col(k) = (45 * near - 9 * middle + far) / (60 * e);
  }
  return jacobian;
}

Flat flattened(const Flat& q, const Flat& p) {
  Flat all(q.size() + p.size());
  all << q, p;
  return all;
}
Flat flattened(const CovectorPoint& x) { return flattened(x.q, x.p); }

/// Coordinates y about a point (q, u): of T*Q, with u a covector, or of TQ.
Flat point_at(const ConstrainedLagrangian& problem, const Flat& q0, const Flat& u0, const Flat& y) {
  const Eigen::MatrixXd Z = kernel(problem.jacobian(q0));
  const Flat q = project_point(problem, q0 + product(Z, y.head(Z.cols()))).q, u = u0 + product(Z, y.tail(Z.cols()));
  return flattened(q, tangential_part(problem, q, u));
}

/// dq ^ dp on the columns of a derivative of (q, p).
Eigen::MatrixXd canonical_form(const Eigen::MatrixXd& derivative) {
  const Eigen::Index N = derivative.rows() / 2;
  const Eigen::MatrixXd half = product(derivative.topRows(N).transpose(), derivative.bottomRows(N));
  return half - half.transpose();
}

/// The largest change of the canonical form of T*Q by a map of (q, p), at the covector of the start.
double form_change(const VariationalCase& of, const std::function<Flat(const Flat&)>& map) {
  const CovectorPoint start = covector_start(of);
  const auto point = [&](const Flat& y) { return point_at(*of.problem, start.q, start.p, y); };
  const Flat origin = Flat::Zero(2 * (of.problem->N - of.problem->d));
  const auto before = canonical_form(precise_jacobian(point, origin, 2e-3));
  const auto after = canonical_form(precise_jacobian([&](const Flat& y) { return map(point(y)); }, origin, 2e-3));
  return (after - before).cwiseAbs().maxCoeff();
}

TEST(VariationalIntegrators, KeepTheCanonicalForm) {
  std::vector<VariationalCase> cases = pendula_and_top();
  cases.push_back(bent_surface());
  constexpr double h = 0.2;
  for (const VariationalCase& of : cases)
    for (const char* layer : {"euler", "heun", "rk4"}) {
      const Eigen::Index N = of.problem->N;
      for (const double bias : {0., -0.3}) {
        if (N != 3 && bias != 0) continue;  // the others take long
        const TableIntegrator integrator(of, layer, bias, h);
        const auto step = [&](const Flat& x) {
          return flattened(integrator->step(CovectorPoint{x.head(N), x.tail(N)}));
        };
        // Differences: e^6 = 6e-17 times seventh derivatives, and rounding over e, 1e-12.
        EXPECT_LT(form_change(of, step), 2e-11) << of.name << layer << bias;
      }
      const ExplicitLayer method(layer_table(layer));
      const auto projected = [&](const Flat& x) {
        const VelocityPoint w = velocity_of(*of.problem, {x.head(N), x.tail(N)});
        return flattened(covector_of(*of.problem, projected_layer_step(*of.problem, method, h, w)));
      };
      EXPECT_GT(form_change(of, projected), 1e-6) << of.name << layer;
    }
}

/// theta-(w) dw = -DL_h dw-, where dw = dw+ + dw- with Dd-(w) dw+ = 0 and Dd+(w) dw- = 0.
Flat discrete_one_form(const VariationalIntegrator& integrator, const Flat& w, const Eigen::MatrixXd& directions) {
  const ConstrainedLagrangian& problem = integrator.problem();
  const Eigen::Index N = problem.N, n = N - problem.d;
  const LayerJet basis = tangent_jet(problem, w.head(N), w.tail(N));
  const CurveSegment curve = integrator.segment(basis);
  const Eigen::MatrixXd on_minus = product(kernel(problem.jacobian(curve.minus.at.q)).transpose(), curve.minus.dq);
  const Eigen::MatrixXd on_plus = product(kernel(problem.jacobian(curve.plus.at.q)).transpose(), curve.plus.dq);
  Eigen::MatrixXd vectors(2 * N, 2 * n), kernels(2 * n, 2 * n);
  vectors << basis.dq, basis.dv;
  kernels << kernel(on_plus), kernel(on_minus);  // of dw-, dw+
  Flat values(directions.cols());
  for (Eigen::Index k = 0; k < directions.cols(); ++k) {
    const Flat inner = solve(vectors, directions.col(k));
    Flat parts = solve(kernels, inner);
    parts.tail(n).setZero();
    values[k] = -product(curve.daction, product(kernels, parts))(0, 0);
  }
  return values;
}

TEST(VariationalIntegrators, KeepTheDiscreteFormOfTQ) {  // -d theta-
  constexpr double e = 1e-2;
  for (const VariationalCase& of : {spherical_pendulum(), magnetic_pendulum()}) {
    const TableIntegrator integrator(of, "heun", -0.3, 0.2);
    const Eigen::Index N = of.problem->N, n = N - of.problem->d;
    const auto here = [&](const Flat& y) { return point_at(*of.problem, of.q, of.v, y); };
    const auto there = [&](const Flat& y) {
      const Flat w = here(y);
      const VelocityPoint next = integrator->step(VelocityPoint{w.head(N), w.tail(N)});
      return flattened(next.q, next.v);
    };
    const auto form = [&](const std::function<Flat(const Flat&)>& point) {
      const auto one_form = [&](const Flat& y) {
        return discrete_one_form(*integrator, point(y), precise_jacobian(point, y, e));
      };
      const Eigen::MatrixXd slope = precise_jacobian(one_form, Flat::Zero(2 * n), e);
      return Eigen::MatrixXd(slope - slope.transpose());
    };
    const Eigen::MatrixXd before = form(here), after = form(there);
    // Twice differences of the sixth order, e^6 = 1e-12 times derivatives of points and one-forms up to 1e3.
    EXPECT_LT((after - before).cwiseAbs().maxCoeff(), 2e-9) << of.name;
    EXPECT_GT(absolute_determinant(before), 1e-2) << of.name;
    // The continuous form, of the momenta M v + a, is not kept in (q, v).
    const auto continuous = [&](const std::function<Flat(const Flat&)>& point) {
      const auto lifted = [&](const Flat& y) {
        const Flat w = point(y);
        return flattened(covector_of(*of.problem, {w.head(N), w.tail(N)}));
      };
      return canonical_form(precise_jacobian(lifted, Flat::Zero(2 * n), e));
    };
    EXPECT_GT((continuous(there) - continuous(here)).cwiseAbs().maxCoeff(), 1e-4) << of.name;
  }
}

/// The momentum of rotations about the vertical, p . (e3 x q).
double spin_of(const CovectorPoint& x) {
  double sum = 0;
  for (int k = 0; k < x.q.size(); k += 3) sum += x.q[k] * x.p[k + 1] - x.q[k + 1] * x.p[k];
  return sum;
}

TEST(DiscreteMomentum, IsKeptWhereTheContinuousOneOfVelocitiesIsNot) {
  for (const VariationalCase& of : {spherical_pendulum(), magnetic_pendulum(), double_pendulum_by_links()})
    for (const char* layer : {"euler", "heun", "rk4"}) {
      const TableIntegrator integrator(of, layer, -0.3, 0.2);
      VelocityPoint w{of.q, of.v};
      const Eigen::Index N = of.problem->N;
      double least = 1e300, most = -1e300, discrete = 0;
      const double first = spin_of(integrator->legendre(w).minus);
      for (int n = 0; n < 10; ++n) {
        const CovectorPoint x = integrator->legendre(w).minus;
        discrete = std::max(discrete, std::abs(spin_of(x) - first));
        const double continuous = spin_of(covector_of(*of.problem, w));
        least = std::min(least, continuous), most = std::max(most, continuous);
        if (n == 0) {
          Flat turning = Flat::Zero(2 * N);  // (e3 x q, e3 x v)
          for (int k = 0; k < N; k += 3) {
            turning[k] = -w.q[k + 1], turning[k + 1] = w.q[k];
            turning[N + k] = -w.v[k + 1], turning[N + k + 1] = w.v[k];
          }
          // theta-(xi w), which is -J_xi, is the momentum of (d-, p-).
          EXPECT_NEAR(discrete_one_form(*integrator, flattened(w.q, w.v), turning)[0], first, 2e-13);
        }
        w = integrator->step(w);
      }
      EXPECT_LT(discrete, 2e-14) << of.name << layer;
      EXPECT_GT(most - least, 1e-7) << of.name << layer;
    }
}

TEST(DiscreteMomentum, AndFormAreThoseOfVelocitiesToTheOrderOfTheLayer) {
  const struct {
    VariationalCase of;
    const char* layer;
    double tolerance;
  } rows[] = {{spherical_pendulum(), "heun", 0.1},       {spherical_pendulum(), "rk4", 0.1},
              {magnetic_pendulum(), "euler", 0.35},      {magnetic_pendulum(), "heun", 0.1},
              {double_pendulum_by_links(), "heun", 0.1}, {double_pendulum_by_links(), "rk4", 0.1}};
  for (const auto& [of, layer, tolerance] : rows) {
    const Eigen::Index N = of.problem->N, n = N - of.problem->d;
    const auto form_of = [&](const std::function<CovectorPoint(const VelocityPoint&)>& lift) {
      const auto point = [&](const Flat& y) {
        const Flat w = point_at(*of.problem, of.q, of.v, y);
        return flattened(lift({w.head(N), w.tail(N)}));
      };
      return canonical_form(precise_jacobian(point, Flat::Zero(2 * n), 1e-2));
    };
    const Eigen::MatrixXd exact = form_of([&](const VelocityPoint& w) { return covector_of(*of.problem, w); });
    double momentum[2], form[2];
    for (const int k : {0, 1}) {
      const TableIntegrator integrator(of, layer, 0, k == 0 ? 0.05 : 0.025);
      momentum[k] = std::abs(spin_of(integrator->legendre({of.q, of.v}).minus) - spin_of(covector_start(of)));
      const auto discrete = form_of([&](const VelocityPoint& w) { return integrator->legendre(w).minus; });
      form[k] = (discrete - exact).cwiseAbs().maxCoeff();
    }
    const int order = layer_table(layer).order;
    EXPECT_NEAR(std::log2(momentum[0] / momentum[1]), order, tolerance) << of.name << layer;
    EXPECT_NEAR(std::log2(form[0] / form[1]), order, tolerance) << of.name << layer;
    EXPECT_GT(form[1], 1e-9) << of.name << layer;
  }
}

}  // namespace
}  // namespace polhode::test

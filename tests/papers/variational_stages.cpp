#include "papers/variational_stages.hpp"

#include <initializer_list>
#include <memory>
#include <stdexcept>

#include "numerics/dense.hpp"

namespace polhode::test {
namespace {

Eigen::VectorXd stacked(std::initializer_list<Eigen::VectorXd> parts) {
  Eigen::Index size = 0;
  for (const Eigen::VectorXd& part : parts) size += part.size();
  Eigen::VectorXd all(size);
  size = 0;
  for (const Eigen::VectorXd& part : parts) all.segment(size, part.size()) = part, size += part.size();
  return all;
}

/// Takes vectors off a stacked one.
class Unstacked {
 public:
  explicit Unstacked(const Eigen::VectorXd& all) : all_(all) {}
  Eigen::VectorXd next(Eigen::Index size) { return all_.segment((at_ += size) - size, size); }

 private:
  const Eigen::VectorXd& all_;
  Eigen::Index at_ = 0;
};

/// a^T b.
Eigen::VectorXd pulled_back(const Eigen::MatrixXd& a, const Eigen::VectorXd& b) { return product(a.transpose(), b); }

/// Data that all stages have of a step: the segment at w1, along all directions, and the solution.
struct KnownStep {
  KnownStep(const VariationalIntegrator& of, const VelocityPoint& first)
      : integrator(of), problem(of.problem()), N(problem.N), d(problem.d), n(N - d), w1(first) {
    p1 = of.legendre(w1);
    w2 = of.solve_for(p1.plus);
    p2 = of.legendre(w2);
    curve1 = segment(w1);
  }
  CurveSegment segment(const VelocityPoint& w) const { return integrator.segment(full_jet(w.q, w.v)); }
  Eigen::MatrixXd tangent_basis(const Eigen::VectorXd& q) const { return kernel(problem.jacobian(q)); }
  /// The least nu_1, nu_2 with row = nu_1 [Dg, 0] + nu_2 [v^T D2g, Dg], which the row is up to rounding.
  Eigen::VectorXd constraint_multipliers(const VelocityPoint& w, const Eigen::RowVectorXd& row) const {
    return solve(constraint_rows(w).transpose(), row.transpose());
  }
  /// [Dg, 0; v^T D2g, Dg], 2 d x 2 N.
  Eigen::MatrixXd constraint_rows(const VelocityPoint& w) const {
    Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(2 * d, 2 * N);
    const Eigen::MatrixXd G = problem.jacobian(w.q);
    rows.topLeftCorner(d, N) = rows.bottomRightCorner(d, N) = G;
    rows.bottomLeftCorner(d, N) = curvature_matrix(problem, w.q, w.v);
    return rows;
  }
  /// w2 in coordinates (a, b) of TQ about the solution.
  VelocityPoint near_w2(const Eigen::VectorXd& y) const {
    const Eigen::MatrixXd Z = tangent_basis(w2.q);
    const Eigen::VectorXd q = project_point(problem, w2.q + product(Z, y.head(n))).q;
    const Eigen::VectorXd v = w2.v + product(Z, y.tail(n));
    return {q, tangential_part(problem, q, v)};
  }

  const VariationalIntegrator& integrator;
  const ConstrainedLagrangian& problem;
  int N, d, n;
  VelocityPoint w1, w2;
  LegendrePair p1, p2;
  CurveSegment curve1;
};

/// DL - lambda Dd - mu Dd' in 2 N columns.
Eigen::RowVectorXd unbalanced(const CurveSegment& curve, const Eigen::VectorXd& on_minus,
                              const Eigen::VectorXd& on_plus) {
  return curve.daction - product(on_minus.transpose(), curve.minus.dq) - product(on_plus.transpose(), curve.plus.dq);
}

/// (S0.1), (S0.2), (S0.3).
VariationalStage stage_0(std::shared_ptr<const KnownStep> step) {
  const int n = step->n;
  const auto covector = [step](const CovectorPoint& at, const Eigen::VectorXd& y) {
    return Eigen::VectorXd(product(step->tangent_basis(at.q), y));
  };
  const auto residual = [step, covector, n](const Eigen::VectorXd& x) {
    Unstacked from(x);
    const Eigen::VectorXd lambda_minus = covector(step->p1.minus, from.next(n));
    const Eigen::VectorXd mu = covector(step->p1.plus, from.next(n)), y_plus = from.next(n);
    const VelocityPoint w2 = step->near_w2(from.next(2 * n));
    const CurveSegment on_w1 = step->integrator.segment(tangent_jet(step->problem, step->w1.q, step->w1.v));
    const CurveSegment on_w2 = step->integrator.segment(tangent_jet(step->problem, w2.q, w2.v));
    const Eigen::VectorXd lambda_plus =
        tangential_part(step->problem, on_w2.plus.at.q, covector(step->p2.plus, y_plus));
    return stacked({unbalanced(on_w1, lambda_minus, mu).transpose(), unbalanced(on_w2, -mu, lambda_plus).transpose(),
                    pulled_back(step->tangent_basis(step->p1.plus.q), on_w1.plus.at.q - on_w2.minus.at.q)});
  };
  const auto coordinates = [step](const CovectorPoint& at, double sign) {
    return Eigen::VectorXd(sign * pulled_back(step->tangent_basis(at.q), at.p));
  };
  return {residual, stacked({coordinates(step->p1.minus, -1), coordinates(step->p1.plus, 1),
                             coordinates(step->p2.plus, 1), Eigen::VectorXd::Zero(2 * n)})};
}

/// (S1.1) to (S1.3), or (S2.1) to (S2.4) with covectors in R^N.
VariationalStage stage_1_or_2(std::shared_ptr<const KnownStep> step, bool covectors_in_space) {
  const int n = step->n, d = step->d, size = covectors_in_space ? step->N : n;
  const auto covector = [step, covectors_in_space](const CovectorPoint& at, const Eigen::VectorXd& y) {
    return covectors_in_space ? y : Eigen::VectorXd(product(step->tangent_basis(at.q), y));
  };
  const auto residual = [step, covector, n, d, size, covectors_in_space](const Eigen::VectorXd& x) {
    Unstacked from(x);
    const Eigen::VectorXd lambda_minus = covector(step->p1.minus, from.next(size));
    const Eigen::VectorXd mu = covector(step->p1.plus, from.next(size)), y_plus = from.next(size);
    const Eigen::VectorXd nu_minus = from.next(2 * d), nu_plus = from.next(2 * d);
    const VelocityPoint w2 = step->near_w2(from.next(2 * n));
    const CurveSegment curve2 = step->segment(w2);
    Eigen::VectorXd lambda_plus = covector(step->p2.plus, y_plus);
    if (!covectors_in_space) lambda_plus = tangential_part(step->problem, curve2.plus.at.q, lambda_plus);
    const Eigen::VectorXd equations =
        stacked({unbalanced(step->curve1, lambda_minus, mu).transpose() -
                     pulled_back(step->constraint_rows(step->w1), nu_minus),
                 unbalanced(curve2, -mu, lambda_plus).transpose() - pulled_back(step->constraint_rows(w2), nu_plus),
                 pulled_back(step->tangent_basis(step->p1.plus.q), step->curve1.plus.at.q - curve2.minus.at.q)});
    if (!covectors_in_space) return equations;
    const auto normal = [&](const Eigen::VectorXd& q, const Eigen::VectorXd& p) {
      return Eigen::VectorXd(product(step->problem.jacobian(q), p));
    };
    return stacked({equations, normal(step->p1.minus.q, lambda_minus), normal(step->p1.plus.q, mu),
                    normal(curve2.plus.at.q, lambda_plus)});
  };
  const auto coordinates = [step, covectors_in_space](const CovectorPoint& at, double sign) {
    return Eigen::VectorXd(covectors_in_space ? Eigen::VectorXd(sign * at.p)
                                              : sign * pulled_back(step->tangent_basis(at.q), at.p));
  };
  const Eigen::VectorXd nu_minus =
      step->constraint_multipliers(step->w1, unbalanced(step->curve1, -step->p1.minus.p, step->p1.plus.p));
  const Eigen::VectorXd nu_plus =
      step->constraint_multipliers(step->w2, unbalanced(step->segment(step->w2), -step->p2.minus.p, step->p2.plus.p));
  return {residual, stacked({coordinates(step->p1.minus, -1), coordinates(step->p1.plus, 1),
                             coordinates(step->p2.plus, 1), nu_minus, nu_plus, Eigen::VectorXd::Zero(2 * n)})};
}

/// DP^T lambda at the end of a curve.
Eigen::VectorXd hatted(const ConstrainedLagrangian& problem, const SegmentEnd& end, const Eigen::VectorXd& lambda) {
  return product(project_directions(problem, end.at, Eigen::MatrixXd::Identity(problem.N, problem.N)).transpose(),
                 lambda);
}

/// (S4.1) to (S4.8). Unknowns: lambda-, mu, lambda+, then lambda-^, mu_1^, mu_2^, lambda+^, nu_1-, nu_2-, nu_1+, nu_2+,
/// q_1-, q_bar, q_2+, theta+, q_2, v_2.
VariationalStage stage_4(std::shared_ptr<const KnownStep> step) {
  const int N = step->N, d = step->d;
  const auto residual = [step, N, d](const Eigen::VectorXd& x) {
    const ConstrainedLagrangian& problem = step->problem;
    Unstacked from(x);
    const Eigen::VectorXd lambda_minus = from.next(N), mu = from.next(N), lambda_plus = from.next(N);
    const Eigen::VectorXd hat_minus = from.next(N), hat_mu1 = from.next(N), hat_mu2 = from.next(N);
    const Eigen::VectorXd hat_plus = from.next(N), nu1_minus = from.next(d), nu2_minus = from.next(d);
    const Eigen::VectorXd nu1_plus = from.next(d), nu2_plus = from.next(d), q1_minus = from.next(N);
    const Eigen::VectorXd q_bar = from.next(N), q2_plus = from.next(N), theta = from.next(d), q2 = from.next(N);
    const Eigen::VectorXd v2 = from.next(N);
    const CurveSegment& c1 = step->curve1;
    const CurveSegment c2 = step->segment({q2, v2});
    const Eigen::MatrixXd G1 = problem.jacobian(step->w1.q), G2 = problem.jacobian(q2), G_bar = problem.jacobian(q_bar);
    const Eigen::MatrixXd bent1 = curvature_matrix(problem, step->w1.q, step->w1.v);
    const Eigen::MatrixXd bent2 = curvature_matrix(problem, q2, v2);
    const Eigen::VectorXd row1 =
        c1.daction.transpose() - pulled_back(c1.minus.dhat, hat_minus) - pulled_back(c1.plus.dhat, hat_mu1);
    const Eigen::VectorXd row2 =
        c2.daction.transpose() - pulled_back(c2.plus.dhat, hat_plus) + pulled_back(c2.minus.dhat, hat_mu2);
    return stacked({q1_minus - c1.minus.at.q, q_bar - c1.plus.at.q,
                    pulled_back(G1, nu1_minus) + pulled_back(bent1, nu2_minus) - row1.head(N),
                    product(problem.jacobian(q1_minus), lambda_minus),
                    hat_minus - hatted(problem, c1.minus, lambda_minus), pulled_back(G1, nu2_minus) - row1.tail(N),
                    product(G_bar, mu), hat_mu1 - hatted(problem, c1.plus, mu),
                    pulled_back(G2, nu1_plus) + pulled_back(bent2, nu2_plus) - row2.head(N),
                    product(problem.jacobian(q2_plus), lambda_plus), hat_plus - hatted(problem, c2.plus, lambda_plus),
                    row2.tail(N) - pulled_back(G2, nu2_plus), product(G2, v2), hat_mu2 - hatted(problem, c2.minus, mu),
                    c2.minus.hat - q_bar - pulled_back(G_bar, theta), problem.constraints(q2), q2_plus - c2.plus.at.q});
  };
  const CurveSegment c2 = step->segment(step->w2);
  const Eigen::VectorXd lambda_minus = -step->p1.minus.p, mu = step->p1.plus.p, lambda_plus = step->p2.plus.p;
  const Eigen::VectorXd nu_minus = step->constraint_multipliers(step->w1, unbalanced(step->curve1, lambda_minus, mu));
  const Eigen::VectorXd nu_plus = step->constraint_multipliers(step->w2, unbalanced(c2, -mu, lambda_plus));
  return {residual, stacked({lambda_minus, mu, lambda_plus, hatted(step->problem, step->curve1.minus, lambda_minus),
                             hatted(step->problem, step->curve1.plus, mu), hatted(step->problem, c2.minus, mu),
                             hatted(step->problem, c2.plus, lambda_plus), nu_minus, nu_plus, step->p1.minus.q,
                             step->p1.plus.q, step->p2.plus.q, c2.minus.at.theta, step->w2.q, step->w2.v})};
}

}  // namespace

VariationalStage stage_equations(int stage, const VariationalIntegrator& integrator, const VelocityPoint& w1) {
  const auto step = std::make_shared<const KnownStep>(integrator, w1);
  if (stage == 0) return stage_0(step);
  if (stage == 1 || stage == 2) return stage_1_or_2(step, stage == 2);
  if (stage == 4) return stage_4(step);
  throw std::logic_error("stage");
}

Eigen::MatrixXd central_jacobian(const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& f,
                                 const Eigen::VectorXd& x, double step) {
  Eigen::MatrixXd jacobian;
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    const Eigen::VectorXd e = step * Eigen::VectorXd::Unit(x.size(), k);
    const Eigen::VectorXd column = (f(x + e) - f(x - e)) / (2 * step);
    if (k == 0) jacobian.resize(column.size(), x.size());
    jacobian.col(k) = column;
  }
  return jacobian;
}

}  // namespace polhode::test

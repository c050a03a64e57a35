// The standard layer of Patrick, Cuell, Spiteri & Zhang: a one-step method for q' = v, v' = A(q, v), S' = L(q, v), with
// its derivative; and the projection of its ends to the constraints. Here a method is any OneStepMethod, and its
// derivatives are those of the same method applied to the equations of first variation.
#pragma once

#include <Eigen/Dense>

#include "papers/variational_problem.hpp"
#include "papers/variational_tables.hpp"

namespace polhode::test {

/// A point with its derivatives along m directions of (q, v), in columns.
struct LayerJet {
  Eigen::VectorXd q, v;
  double action = 0;
  Eigen::MatrixXd dq, dv;  ///< N x m
  Eigen::RowVectorXd daction;
};

/// The right-hand sides at a point, and the multipliers, with derivatives along the jet's directions.
struct LayerRates {
  Eigen::VectorXd acceleration, multipliers;
  double lagrangian;
  Eigen::MatrixXd dacceleration;
  Eigen::RowVectorXd dlagrangian;
};
LayerRates layer_rates(const ConstrainedLagrangian& problem, const LayerJet& at);

class OneStepMethod {
 public:
  virtual ~OneStepMethod() = default;
  /// The jet after a time t of either sign.
  virtual LayerJet flow(const ConstrainedLagrangian& problem, double t, const LayerJet& from) const = 0;
};

class ExplicitLayer : public OneStepMethod {
 public:
  explicit ExplicitLayer(const LayerTable& table) : table_(table) {}
  LayerJet flow(const ConstrainedLagrangian& problem, double t, const LayerJet& from) const override;

 private:
  const LayerTable& table_;
};

/// The adjoint of a method: its inverse with -t, by Newton's iteration.
class AdjointLayer : public OneStepMethod {
 public:
  explicit AdjointLayer(const OneStepMethod& method) : method_(method) {}
  LayerJet flow(const ConstrainedLagrangian& problem, double t, const LayerJet& from) const override;

 private:
  const OneStepMethod& method_;
};

/// Jets at (q, v) without directions, and along all 2 N unit vectors.
LayerJet point_jet(const Eigen::VectorXd& q, const Eigen::VectorXd& v);
LayerJet full_jet(const Eigen::VectorXd& q, const Eigen::VectorXd& v);
/// Along a basis of T_w TQ, w = (q, v), of which Dg dq = 0 and v^T D2g dq + Dg dv = 0: (Z, C) and (0, Z), where Z is an
/// orthonormal basis of ker Dg(q) and C = -Dg^T (Dg Dg^T)^-1 v^T D2g Z.
LayerJet tangent_jet(const ConstrainedLagrangian& problem, const Eigen::VectorXd& q, const Eigen::VectorXd& v);

/// The d x N matrix v^T D2g(q).
Eigen::MatrixXd curvature_matrix(const ConstrainedLagrangian& problem, const Eigen::VectorXd& q,
                                 const Eigen::VectorXd& v);

/// The point q = P(q^) of the constraints with q^ = q + Dg(q)^T theta (3.2), by Newton's iteration.
struct ProjectedPoint {
  Eigen::VectorXd q, theta;
};
ProjectedPoint project_point(const ConstrainedLagrangian& problem, const Eigen::VectorXd& from);
/// The matrix of (4.7), [1 + D2(theta.g), Dg^T; Dg, 0] at q.
Eigen::MatrixXd projection_matrix(const ConstrainedLagrangian& problem, const ProjectedPoint& at);
/// DP along columns of dq^.
Eigen::MatrixXd project_directions(const ConstrainedLagrangian& problem, const ProjectedPoint& at,
                                   const Eigen::MatrixXd& directions);

/// v without its part along the rows of Dg(q).
Eigen::VectorXd tangential_part(const ConstrainedLagrangian& problem, const Eigen::VectorXd& q,
                                const Eigen::VectorXd& v);

}  // namespace polhode::test

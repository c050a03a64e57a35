// The variational integrator of a one-step method (Patrick, Cuell, Spiteri & Zhang, sect. 2 and 3): curves end at
//
//     d-(w) = P R^q_{h alpha-}(w),   d+(w) = P R^q_{h alpha+}(w),   L_h = R^S_{h alpha+} - R^S_{h alpha-}
//
// with w = (q, v) in TQ and alpha+ - alpha- = 1. With the tangential covectors p-(w), p+(w) of
//
//     p+ . Dd+(w) dw - p- . Dd-(w) dw = DL_h(w) dw   for all dw in T_w TQ
//
// and F-+(w) = (d-+(w), p-+(w)), a step is (q, p) -> F+(w) where F-(w) = (q, p): in these positions and momenta it is
// symplectic with the canonical form. It solves the discrete Euler-Lagrange equations (Stage 0), whose multipliers are
// lambda- = -p-(w1), mu = p+(w1) = p-(w2), lambda+ = p+(w2).
#pragma once

#include <Eigen/Dense>

#include "papers/variational_layer.hpp"

namespace polhode::test {

/// A point of T*Q, p tangential; of TQ, G v = 0.
struct CovectorPoint {
  Eigen::VectorXd q, p;
};
struct VelocityPoint {
  Eigen::VectorXd q, v;
};

/// Which methods make the two ends, and the bias alpha-.
struct SegmentRule {
  const OneStepMethod& minus;
  const OneStepMethod& plus;
  double bias;
};

/// A curve segment with its derivatives along the columns of `directions`; ends before (hat) and after the projection.
struct SegmentEnd {
  Eigen::VectorXd hat;
  Eigen::MatrixXd dhat;
  ProjectedPoint at;
  Eigen::MatrixXd dq;
};
struct CurveSegment {
  LayerJet directions;  ///< at w
  SegmentEnd minus, plus;
  double action;
  Eigen::RowVectorXd daction;
};

struct LegendrePair {
  CovectorPoint minus, plus;
};

class VariationalIntegrator {
 public:
  VariationalIntegrator(const ConstrainedLagrangian& problem, const SegmentRule& rule, double h)
      : problem_(problem), rule_(rule), h_(h) {}

  /// The segment at the jet's point, with derivatives along its directions.
  CurveSegment segment(const LayerJet& w) const;
  LegendrePair legendre(const VelocityPoint& w) const;
  /// The solution w of F-(w) = (q, p), by Broyden's iteration from the layer's own curve.
  VelocityPoint solve_for(const CovectorPoint& start) const { return solution(start).w; }
  CovectorPoint step(const CovectorPoint& start) const { return solution(start).ends.plus; }
  CovectorPoint steps(CovectorPoint x, int count) const;
  /// The step on TQ, from w1 to w2.
  VelocityPoint step(const VelocityPoint& w) const { return solve_for(legendre(w).plus); }

  const ConstrainedLagrangian& problem() const { return problem_; }
  double h() const { return h_; }
  const SegmentRule& rule() const { return rule_; }
  /// How often F- was evaluated so far.
  int evaluations() const { return evaluations_; }

 private:
  struct Solution {
    VelocityPoint w;
    LegendrePair ends;
  };
  Solution solution(const CovectorPoint& start) const;

  const ConstrainedLagrangian& problem_;
  SegmentRule rule_;
  double h_;
  mutable int evaluations_ = 0;
};

/// The tangential covector of v, p = M v + a without its part along the rows of Dg; and back.
CovectorPoint covector_of(const ConstrainedLagrangian& problem, const VelocityPoint& w);
VelocityPoint velocity_of(const ConstrainedLagrangian& problem, const CovectorPoint& x);
/// 1/2 v.M v + V.
double energy_of(const ConstrainedLagrangian& problem, const CovectorPoint& x);

/// The largest element of differences of positions and momenta.
double distance_of(const CovectorPoint& a, const CovectorPoint& b);

}  // namespace polhode::test

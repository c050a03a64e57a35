// A variational integrator with its layer, and what its motions are compared with.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <string>

#include "papers/variational_problems.hpp"
#include "papers/variational_step.hpp"

namespace polhode::test {

/// Pair of ends with one explicit method.
class TableIntegrator {
 public:
  TableIntegrator(const VariationalCase& of, const std::string& table, double bias, double h)
      : layer_(layer_table(table)), integrator_(*of.problem, {layer_, layer_, bias}, h) {}
  TableIntegrator(const TableIntegrator&) = delete;
  TableIntegrator& operator=(const TableIntegrator&) = delete;

  const VariationalIntegrator* operator->() const { return &integrator_; }
  const VariationalIntegrator& operator*() const { return integrator_; }
  const OneStepMethod& layer() const { return layer_; }

 private:
  ExplicitLayer layer_;
  VariationalIntegrator integrator_;
};

inline CovectorPoint covector_start(const VariationalCase& of) { return covector_of(*of.problem, {of.q, of.v}); }

/// The exact motion, with its action from the start, by steps of at most 0.025 with the method of order 8.
inline LayerJet exact_motion(const VariationalCase& of, double t) {
  const ExplicitLayer layer(layer_table("dop853"));
  const int steps = static_cast<int>(std::ceil(std::abs(t) / 0.025));
  LayerJet at = point_jet(of.q, of.v);
  for (int n = 0; n < steps; ++n) at = layer.flow(*of.problem, t / steps, at);
  return at;
}

/// The standard layer alone, with both constraints projected after each step.
inline VelocityPoint projected_layer_step(const ConstrainedLagrangian& problem, const OneStepMethod& layer, double h,
                                          const VelocityPoint& w) {
  const LayerJet end = layer.flow(problem, h, point_jet(w.q, w.v));
  const Eigen::VectorXd q = project_point(problem, end.q).q;
  return {q, tangential_part(problem, q, end.v)};
}

/// The error of n steps until time 1.
inline double error_at_1(const VariationalCase& of, const std::string& table, double bias, int n) {
  const TableIntegrator integrator(of, table, bias, 1. / n);
  const LayerJet exact = exact_motion(of, 1);
  return distance_of(integrator->steps(covector_start(of), n), covector_of(*of.problem, {exact.q, exact.v}));
}

}  // namespace polhode::test

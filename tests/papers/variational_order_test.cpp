// Orders of variational integrators: that of the layer whatever the bias, and the next even one with the bias -1/2,
// 1/2. Between two steps the order is that of the errors' ratio; both are where it has settled to the range given.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <string>
#include <vector>

#include "papers/variational_polynomial.hpp"
#include "papers/variational_subject.hpp"

namespace polhode::test {
namespace {

/// Errors at time 1 of a system whose exact motion is known.
class OrderOf {
 public:
  explicit OrderOf(const VariationalCase& of) : of_(of) {
    const LayerJet end = exact_motion(of, 1);
    exact_ = covector_of(*of.problem, {end.q, end.v});
  }
  double between(const std::string& layer, double bias, int coarse, int fine) const {
    return std::log(error(layer, bias, coarse) / error(layer, bias, fine)) / std::log(fine / double(coarse));
  }
  void expect(const std::string& layer, double bias, int coarse, int fine, double order, double tolerance) const {
    EXPECT_NEAR(between(layer, bias, coarse, fine), order, tolerance) << of_.name << " " << layer << " " << bias;
  }

 private:
  double error(const std::string& layer, double bias, int steps) const {
    const TableIntegrator integrator(of_, layer, bias, 1. / steps);
    return distance_of(integrator->steps(covector_start(of_), steps), exact_);
  }

  const VariationalCase& of_;
  CovectorPoint exact_;
};

TEST(OrderOfVariationalIntegrators, IsThatOfTheLayerForAnyBias) {
  for (const VariationalCase& of : {spherical_pendulum(), magnetic_pendulum()}) {
    const OrderOf order(of);
    for (const char* layer : {"euler", "heun", "midpoint", "kutta3", "rk4"})
      for (const double bias : {0., -1., -0.3}) order.expect(layer, bias, 10, 20, layer_table(layer).order, 0.15);
  }
  const VariationalCase bent = bent_surface();
  const OrderOf order(bent);
  for (const char* layer : {"euler", "heun", "kutta3"})
    order.expect(layer, -0.3, 10, 20, layer_table(layer).order, 0.15);
}

TEST(OrderOfVariationalIntegrators, IsThatOfTheLayerForTwoPendulaAndTheTop) {
  for (const VariationalCase& of : {double_pendulum_by_links(), top_by_matrices()}) {
    const OrderOf order(of);
    for (const char* layer : {"heun", "rk4"})
      for (const double bias : {0., -0.5}) order.expect(layer, bias, 20, 30, layer_table(layer).order, 0.2);
  }
}

TEST(OrderOfVariationalIntegrators, IsEvenWhereTheCurvesAreCentred) {
  for (const VariationalCase& of : {spherical_pendulum(), magnetic_pendulum()}) {
    const OrderOf order(of);
    const struct {
      const char* layer;
      int order;
    } rows[] = {{"euler", 2}, {"heun", 2}, {"midpoint", 2}, {"kutta3", 4}, {"rk4", 4}};
    for (const auto& row : rows) order.expect(row.layer, -0.5, 10, 20, row.order, 0.05);
    order.expect("dopri5", -0.5, 4, 6, 6, 0.1);
  }
}

TEST(OrderOfVariationalIntegrators, IsAsHighAsThatOfAnyLayer) {
  for (const VariationalCase& of : {spherical_pendulum(), magnetic_pendulum(), top_by_matrices()}) {
    const OrderOf order(of);
    order.expect("verner6", -0.5, 4, 6, 6, 0.1);
    order.expect("dop853", -0.5, 3, 4, 8, 0.15);
    order.expect("dop853", -1, 4, 6, 8, 0.3);
  }
}

/// The motion in a field is not yet in the range of these orders at such steps.
TEST(OrderOfVariationalIntegrators, IsThatOfLongTablesWithoutBias) {
  for (const VariationalCase& of : {spherical_pendulum(), top_by_matrices()}) {
    const OrderOf order(of);
    order.expect("verner6", 0, 4, 6, 6, 0.3);
    order.expect("dop853", 0, 4, 6, 8, 0.3);
  }
}

/// The layer's curve and its action over [t0, t1] against exact ones from the same point.
struct LayerErrors {
  double action, constraint, position;
};
LayerErrors layer_errors(const VariationalCase& of, const std::string& layer, double bias, double h) {
  const TableIntegrator integrator(of, layer, bias, h);
  const CurveSegment curve = integrator->segment(point_jet(of.q, of.v));
  const LayerJet minus = exact_motion(of, h * bias), plus = exact_motion(of, h * (1 + bias));
  return {std::abs(curve.action - plus.action + minus.action),
          of.problem->constraints(curve.plus.hat).cwiseAbs().maxCoeff(), (curve.plus.at.q - plus.q).norm()};
}

TEST(DiscreteLagrangian, IsTheExactActionToTheOrderOfTheLayer) {  // (1.4)
  for (const VariationalCase& of : {spherical_pendulum(), magnetic_pendulum(), bent_surface()})
    for (const char* layer : {"euler", "heun", "kutta3", "rk4"})
      for (const double bias : {0., -0.3}) {
        const double h = 0.04, coarse = layer_errors(of, layer, bias, h).action;
        const double fine = layer_errors(of, layer, bias, h / 2).action;
        EXPECT_NEAR(std::log2(coarse / fine), layer_table(layer).order + 1, 0.2) << of.name << layer << bias;
      }
}

TEST(StandardLayer, MayLeaveTheConstraintsAndIsOfItsOrderAfterTheProjection) {
  for (const VariationalCase& of : {spherical_pendulum(), bent_surface()})
    for (const char* layer : {"euler", "heun", "kutta3", "rk4"}) {
      const double h = 0.1, order = layer_table(layer).order + 1;  // of one step
      const LayerErrors coarse = layer_errors(of, layer, 0, h), fine = layer_errors(of, layer, 0, h / 2);
      EXPECT_GT(fine.constraint, 1e-10) << of.name << layer;
      EXPECT_NEAR(std::log2(coarse.constraint / fine.constraint), order, 0.35) << of.name << layer;
      EXPECT_NEAR(std::log2(coarse.position / fine.position), order, 0.35) << of.name << layer;
    }
}

}  // namespace
}  // namespace polhode::test

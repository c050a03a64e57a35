// Adjoints of variational integrators, and which of them are self-adjoint. Patrick, Cuell, Spiteri & Zhang say that a
// method for d+ and its adjoint for d- make a self-adjoint integrator; but that takes d-_{-h} = d+_h, the same method
// at both ends.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "papers/variational_polynomial.hpp"
#include "papers/variational_subject.hpp"

namespace polhode::test {
namespace {

// Two steps, each solved to 3e-16 of numbers up to 2 with rounded derivatives over h.
constexpr double two_steps = 2e-14;

/// How far a step of h, then one of -h, ends from the start.
double return_defect(const VariationalCase& of, const SegmentRule& rule, double h) {
  const VariationalIntegrator ahead(*of.problem, rule, h), back(*of.problem, rule, -h);
  return distance_of(back.step(ahead.step(covector_start(of))), covector_start(of));
}

TEST(SelfAdjointIntegrators, HaveTheSameMethodAtBothEndsAndTheBiasOfAHalf) {
  // Otherwise returns are off by 9e-10 to 2e-7, 1e-6 to 4e-5 and 2e-3 to 1e-2 for the three layers; with the adjoint at
  // one end, as printed, by 9e-10 at least.
  const struct {
    const char* layer;
    double least, most;
  } rows[] = {{"rk4", 5e-10, 4e-7}, {"heun", 5e-7, 1e-4}, {"euler", 1e-3, 4e-2}};
  for (const VariationalCase& of : {spherical_pendulum(), magnetic_pendulum(), bent_surface()})
    for (const auto& [name, least, most] : rows) {
      SCOPED_TRACE(of.name + " " + name);
      const ExplicitLayer layer(layer_table(name));
      const AdjointLayer adjoint(layer);
      EXPECT_LT(return_defect(of, {layer, layer, -0.5}, 0.1), two_steps);
      EXPECT_LT(return_defect(of, {adjoint, adjoint, -0.5}, 0.1), two_steps);
      for (const SegmentRule& rule : {SegmentRule{adjoint, layer, -0.5}, {layer, layer, 0}, {layer, layer, -0.3}}) {
        const double defect = return_defect(of, rule, 0.1);
        EXPECT_TRUE(least < defect && defect < most) << defect;
      }
    }
}

double order_by_halving(const VariationalCase& of, const SegmentRule& rule) {
  const LayerJet end = exact_motion(of, 1);
  const CovectorPoint exact = covector_of(*of.problem, {end.q, end.v});
  const auto error = [&](int n) {
    const VariationalIntegrator integrator(*of.problem, rule, 1. / n);
    return distance_of(integrator.steps(covector_start(of), n), exact);
  };
  return std::log2(error(10) / error(20));
}

TEST(SelfAdjointIntegrators, AreOfEvenOrderAndAMethodWithItsAdjointIsNot) {
  const VariationalCase of = spherical_pendulum();
  const struct {
    const char* layer;
    int same, with_adjoint;
  } rows[] = {{"euler", 2, 1}, {"kutta3", 4, 3}};
  for (const auto& [name, same, with_adjoint] : rows) {
    const ExplicitLayer layer(layer_table(name));
    const AdjointLayer adjoint(layer);
    EXPECT_NEAR(order_by_halving(of, {layer, layer, -0.5}), same, 0.05) << name;
    EXPECT_NEAR(order_by_halving(of, {adjoint, adjoint, -0.5}), same, 0.05) << name;
    EXPECT_NEAR(order_by_halving(of, {adjoint, layer, -0.5}), with_adjoint, 0.1) << name;
  }
}

TEST(AdjointLayers, AreInversesWithTheStepReversed) {
  for (const VariationalCase& of : {spherical_pendulum(), double_pendulum_by_links(), bent_surface()})
    for (const char* name : {"euler", "rk4"}) {
      const ExplicitLayer layer(layer_table(name));
      const AdjointLayer adjoint(layer);
      const LayerJet end = adjoint.flow(*of.problem, 0.1, layer.flow(*of.problem, -0.1, full_jet(of.q, of.v)));
      const LayerJet expected = full_jet(of.q, of.v);
      const double off = std::max({(end.q - of.q).cwiseAbs().maxCoeff(), (end.v - of.v).cwiseAbs().maxCoeff(),
                                   std::abs(end.action), (end.dq - expected.dq).cwiseAbs().maxCoeff(),
                                   (end.dv - expected.dv).cwiseAbs().maxCoeff(), end.daction.cwiseAbs().maxCoeff()});
      EXPECT_LT(off, two_steps) << of.name << name;
      EXPECT_GT((layer.flow(*of.problem, 0.1, point_jet(of.q, of.v)).v -
                 adjoint.flow(*of.problem, 0.1, point_jet(of.q, of.v)).v)
                    .norm(),
                1e-9)
          << of.name << name;
    }
}

TEST(AdjointOfAVariationalIntegrator, IsItWithTheBiasMirrored) {
  for (const VariationalCase& of : {spherical_pendulum(), magnetic_pendulum(), double_pendulum_by_links()})
    for (const char* name : {"euler", "heun"})
      for (const double bias : {0., -0.3}) {
        const TableIntegrator ahead(of, name, bias, 0.1), back(of, name, -1 - bias, -0.1);
        const CovectorPoint start = covector_start(of);
        EXPECT_LT(distance_of(back->step(ahead->step(start)), start), two_steps) << of.name << name << bias;
      }
}

/// One step of h composed of steps of the given fractions, in turn by the integrator and by its adjoint.
class ComposedIntegrator {
 public:
  ComposedIntegrator(const VariationalCase& of, const std::string& layer, double bias,
                     const std::vector<double>& fractions, double h) {
    for (std::size_t k = 0; k < fractions.size(); ++k)
      parts_.push_back(std::make_unique<TableIntegrator>(of, layer, k % 2 == 0 ? bias : -1 - bias, fractions[k] * h));
  }
  CovectorPoint step(CovectorPoint x) const {
    for (const auto& part : parts_) x = (*part)->step(x);
    return x;
  }

 private:
  std::vector<std::unique_ptr<TableIntegrator>> parts_;
};

TEST(CompositionsWithTheAdjoint, AreSelfAdjointAndOfHigherOrder) {
  const double outer = 1 / (2 - std::cbrt(2)), inner = 1 - 2 * outer;  // Suzuki, Yoshida
  const struct {
    std::vector<double> fractions;
    int order;
    double tolerance;
  } rows[] = {{{0.5, 0.5}, 2, 0.05}, {{outer / 2, outer / 2, inner / 2, inner / 2, outer / 2, outer / 2}, 4, 0.2}};
  for (const VariationalCase& of : {spherical_pendulum(), magnetic_pendulum()}) {
    const LayerJet end = exact_motion(of, 1);
    const CovectorPoint exact = covector_of(*of.problem, {end.q, end.v});
    for (const auto& [fractions, order, tolerance] : rows) {
      const auto error = [&](int n) {
        const ComposedIntegrator integrator(of, "euler", 0, fractions, 1. / n);
        CovectorPoint x = covector_start(of);
        for (int k = 0; k < n; ++k) x = integrator.step(x);
        return distance_of(x, exact);
      };
      EXPECT_NEAR(std::log2(error(10) / error(20)), order, tolerance) << of.name;
      const ComposedIntegrator ahead(of, "euler", 0, fractions, 0.1), back(of, "euler", 0, fractions, -0.1);
      const CovectorPoint start = covector_start(of);
      EXPECT_LT(distance_of(back.step(ahead.step(start)), start), 3 * two_steps) << of.name;
    }
  }
}

}  // namespace
}  // namespace polhode::test

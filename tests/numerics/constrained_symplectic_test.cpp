// Symplecticity of the methods on constrained systems, by the derivative of a step along the tangent space of the
// momenta's own manifold, with the canonical form restricted to it:
//
//   CM              G dq = 0, d(G W p) = 0
//   TN              G dq = 0, d(G p) = 0
//   SHAKE's         G dq = 0; the form is degenerate along constraint forces, and kept all the same
//
// and McLachlan & Scovel 1995, Theorem 1: psi carries the form and the energy of CM to TN.
#include <cmath>

#include "numerics/constrained_subjects.hpp"

namespace polhode::test {
namespace {

/// An orthonormal basis of the kernel, in columns.
Eigen::MatrixXd kernel(const Eigen::MatrixXd& a) {
  const Eigen::MatrixXd q = Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(a.transpose()).householderQ();
  return q.rightCols(a.cols() - a.rows());
}

/// dq_i . dp_j - dq_j . dp_i of the columns.
Eigen::MatrixXd canonical_form(const Eigen::MatrixXd& vectors) {
  const auto n = vectors.rows() / 2;
  const Eigen::MatrixXd product = vectors.topRows(n).transpose() * vectors.bottomRows(n);
  return product - product.transpose();
}

/// The largest change of the form by the map, over its largest element, on the tangent space of momenta at x.
double form_defect(const Subject& subject, Momentum momentum, const State& x, const TangentMap& map) {
  // Positions in units of |q|, momenta of |p|: a change of units multiplies the form and nothing else.
  const double q_size = x.head(subject.N).norm(), p_size = x.tail(subject.N).norm();
  Eigen::VectorXd units(2 * subject.N);
  units << State::Constant(subject.N, q_size), State::Constant(subject.N, p_size);
  Eigen::MatrixXd conditions = subject.conditions_jacobian(x, momentum) * units.asDiagonal();
  conditions.rowwise().normalize();
  const Eigen::MatrixXd before = kernel(conditions);
  Eigen::MatrixXd after(before.rows(), before.cols());
  for (int k = 0; k < before.cols(); ++k) {
    State image = x, tangent = units.asDiagonal() * before.col(k);
    EXPECT_TRUE(map(image, tangent));
    after.col(k) = units.asDiagonal().inverse() * tangent;
  }
  const Eigen::MatrixXd form = canonical_form(before);
  return (canonical_form(after) - form).cwiseAbs().maxCoeff() / form.cwiseAbs().maxCoeff();
}

class ConstrainedSymplectic : public ::testing::TestWithParam<ConstrainedMethod> {};
INSTANTIATE_TEST_SUITE_P(Every, ConstrainedSymplectic, ::testing::ValuesIn(constrained_methods()), method_name);

/// defect(h) of the form for a method of that order: there, and of the size of the local error or of its next terms.
template <class Defect>
void expect_form_is_changed(const Defect& defect, double h, int order) {
  for (int k = 0; k < 8 && defect(h) < 1e-6; ++k) h *= 2;
  const double coarse = defect(2 * h), fine = defect(h);
  EXPECT_GT(fine, 1e-7);  // 10^6 times what symplectic methods are allowed
  const double power = std::log2(coarse / fine);
  EXPECT_GT(power, order + 0.5);
  EXPECT_LT(power, order + 2.5);
}

TEST_P(ConstrainedSymplectic, KeepsTheFormWhereDeclared) {
  const ConstrainedMethod& method = GetParam();
  std::mt19937_64 random(19);
  if (!method.properties.poisson) {
    const State x = method.subject->start(random, method.coefficients.momentum);
    const auto defect = [&](double h) {
      return form_defect(*method.subject, method.coefficients.momentum, x,
                         method.subject->tangent_step(method.solvers.front(), method.coefficients, h));
    };
    expect_form_is_changed(defect, method.subject->step, method.order());
    return;
  }
  for (int trial = 0; trial < 3; ++trial) {
    const State x = method.subject->start(random, method.coefficients.momentum);
    for (const int solver : method.solvers)
      for (const double h : {method.subject->step, -2 * method.subject->step}) {
        EXPECT_LT(form_defect(*method.subject, method.coefficients.momentum, x,
                              method.subject->tangent_step(solver, method.coefficients, h)),
                  1e-13)
            << method.subject->solvers[solver] << ", h = " << h;
      }
  }
}

class ConstrainedForm : public ::testing::TestWithParam<const Subject*> {};
INSTANTIATE_TEST_SUITE_P(Every, ConstrainedForm, ::testing::ValuesIn(subjects()), subject_name);

TEST_P(ConstrainedForm, IsNotKeptByAProjectedMidpoint) {
  // The negative control: an explicit method of order 2, back on CM after the step. Its derivative is by differences.
  const Subject& subject = *GetParam();
  std::mt19937_64 random(23);
  const State x = subject.start(random, Momentum::hidden_constraint);
  const auto defect = [&](double h) {
    const auto map = [&](const State& y) {
      return subject.projected(y + h * subject.flow(y + h / 2 * subject.flow(y)));
    };
    return form_defect(subject, Momentum::hidden_constraint, x, [&](State& y, State& tangent) {
      constexpr double e = 1e-5;
      const State there = subject.projected(y + e * tangent), back = subject.projected(y - e * tangent);
      tangent = (map(there) - map(back)) / (2 * e);
      y = map(y);
      return true;
    });
  };
  // Differences leave some 1e-10. A body with a fixed point and free ones were seen to have the power 4.
  expect_form_is_changed(defect, subject.step, 2);
}

TEST_P(ConstrainedForm, AndEnergyAreCarriedByPsi) {
  const Subject& subject = *GetParam();
  if (!subject.has_tangent_space)
    GTEST_SKIP()
        << "the mass depends on the position here: there is no projection to TN that a method could be seen through";
  std::mt19937_64 random(29);
  for (int trial = 0; trial < 10; ++trial) {
    const State x = subject.start(random, Momentum::hidden_constraint);
    State image = x, unused = State::Zero(x.size());
    ASSERT_TRUE(subject.tangent_psi()(image, unused));
    EXPECT_LT(distance(subject.lifted(image), x), 1e-14);
    const double scale = std::abs(subject.energy(x)) + x.tail(subject.N).dot(subject.flow(x).head(subject.N));
    EXPECT_LT(form_defect(subject, Momentum::hidden_constraint, x, subject.tangent_psi()), 1e-13);
    EXPECT_NEAR(subject.energy(image), subject.energy(x), 1e-14 * scale);
  }
}

}  // namespace
}  // namespace polhode::test

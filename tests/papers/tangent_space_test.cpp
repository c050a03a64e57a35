// The constraint algorithm on TN (McLachlan & Scovel 1995, (4), (5) and (9)), solved here as it is printed, from (q, p)
// on TN and with the constraints' forces written out for pendula:
//
//     Q = q + h W p~,   p~ = p - h V_q + G(q)^T mu,   g(Q) = 0,   P = psi(Q, p~)
//     psi(q, p~) = p - h psi(q, V_q)     (4)
//
// It is the algorithm on CM seen through psi, and what the program's first-order algorithm is with momenta on TN. Where
// the kinetic energy makes the metric, W = 1/m, psi is the identity of CM (sect. 5).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "numerics/dense.hpp"
#include "numerics/subject.hpp"
#include "polhode/method/bound_method.hpp"
#include "polhode/method/constrained_motion.hpp"
#include "polhode/method/constraint_euler.hpp"
#include "polhode/method/rattle.hpp"
#include "polhode/method/rattle_tn.hpp"
#include "polhode/system/molecule_water.hpp"
#include "polhode/system/pendulum_chain.hpp"
#include "system/initial_point.hpp"

namespace polhode::test {
namespace {

/// Chain of n pendula with the parameters m[n], l[n], g.
class Pendula {
 public:
  explicit Pendula(const std::vector<double>& parameters)
      : n_(static_cast<int>(parameters.size()) / 2), parameters_(parameters), inverse_mass_(n_, n_) {
    // Velocities of bobs are sums of those of rods.
    const Eigen::MatrixXd sums = Eigen::MatrixXd::Ones(n_, n_).triangularView<Eigen::Lower>();
    const Eigen::VectorXd masses = Eigen::Map<const Eigen::VectorXd>(parameters.data(), n_);
    inverse_mass_ = inverse(congruent(sums, Eigen::MatrixXd(masses.asDiagonal())));
  }

  /// psi of a chain: the part of each momentum across its rod.
  State psi(const State& q, State p) const {
    for (int i = 0; i < n_; ++i) {
      const Eigen::Vector3d rod = q.segment<3>(3 * i);
      p.segment<3>(3 * i) -= rod.dot(p.segment<3>(3 * i)) / rod.squaredNorm() * rod;
    }
    return p;
  }
  State potential_gradient() const {
    State gradient = State::Zero(3 * n_);
    double below = 0;
    for (int i = n_ - 1; i >= 0; --i) gradient[3 * i + 2] = parameters_[2 * n_] * (below += parameters_[i]);
    return gradient;
  }

  struct Step {
    State between, end;  ///< p~; (Q, P)
  };
  /// (9), or with the kick after the motion its adjoint (10).
  Step step(double h, bool is_adjoint, const State& x) const {
    const int size = 3 * n_;
    const State q = x.head(size), kick = h * potential_gradient(), start = x.tail(size) - (is_adjoint ? 0 : 1) * kick;
    State mu = State::Zero(n_), between, end(2 * size);
    // Newton's iteration, beyond where it stagnates.
    for (int k = 0; k < 30; ++k) {
      between = start;
      for (int i = 0; i < n_; ++i) between.segment<3>(3 * i) += mu[i] * q.segment<3>(3 * i);
      end.head(size) = q + h * velocity(between);
      State residual(n_);
      Eigen::MatrixXd derivative(n_, n_);
      for (int i = 0; i < n_; ++i) {
        const Eigen::Vector3d rod = end.segment<3>(3 * i);
        residual[i] = (rod.squaredNorm() - std::pow(parameters_[n_ + i], 2)) / 2;
        for (int j = 0; j < n_; ++j) derivative(i, j) = h * inverse_mass_(i, j) * rod.dot(q.segment<3>(3 * j));
      }
      mu -= solve(derivative, residual);
    }
    end.tail(size) = psi(end.head(size), between - (is_adjoint ? 1 : 0) * kick);
    return {between, end};
  }

 private:
  State velocity(const State& p) const {
    State v = State::Zero(3 * n_);
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j) v.segment<3>(3 * i) += inverse_mass_(i, j) * p.segment<3>(3 * j);
    return v;
  }

  int n_;
  std::vector<double> parameters_;
  Eigen::MatrixXd inverse_mass_;
};

class OnTN : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Of, OnTN,
                         ::testing::Values("spherical-pendulum", "double-spherical-pendulum", "pendulum-chain-3"),
                         [](const auto& info) { return as_identifier(info.param); });

TEST_P(OnTN, TheFirstOrderAlgorithmIsThatOnCMSeenThroughPsi) {
  const Subject& subject = subject_of(GetParam());
  const Pendula pendula(subject.parameters);
  const auto size = subject.dim() / 2;
  std::mt19937_64 random(149);
  double apart = 0, equation = 0, through_psi = 0, in_the_program = 0;
  int methods = 0;
  for (const Method& method : catalog_methods()) {
    if (method.system != subject.system.name) continue;
    if (method.name != "constraint-euler" && method.name != "constraint-euler-adjoint") continue;
    ++methods;
    const bool is_adjoint = method.name == "constraint-euler-adjoint";
    const Scheme on_tangents{ConstrainedMotionOptions{.momentum = Momentum::tangent},
                             method.stages.front().scheme.kicks};
    for (const int solver : method.solvers)
      for (int trial = 0; trial < 30; ++trial)
        for (const double h : {subject.step, -subject.step}) {
          const State on_cm = subject.start(random, Momentum::hidden_constraint);
          State on_tn = on_cm, after_cm = on_cm;
          on_tn.tail(size) = pendula.psi(on_cm.head(size), on_cm.tail(size));
          apart = std::max(apart, subject.distance(on_tn, on_cm));
          const auto [between, printed] = pendula.step(h, is_adjoint, on_tn);
          if (!is_adjoint) {
            const State q = on_cm.head(size);
            const State both =
                pendula.psi(q, between) - on_tn.tail(size) + h * pendula.psi(q, pendula.potential_gradient());
            equation = std::max(equation, both.norm() / between.norm());
          }
          EXPECT_TRUE(subject.advance(solver, method.stages, h, 1, after_cm));
          EXPECT_TRUE(subject.advance(solver, {{on_tangents}}, h, 1, on_tn));
          after_cm.tail(size) = pendula.psi(after_cm.head(size), after_cm.tail(size));
          through_psi = std::max(through_psi, subject.distance(after_cm, printed));
          in_the_program = std::max(in_the_program, subject.distance(on_tn, printed));
        }
  }
  EXPECT_EQ(methods, 2);
  EXPECT_LT(equation, 1e-15);
  EXPECT_LT(through_psi, 5e-15);
  EXPECT_LT(in_the_program, 5e-15);
  if (size == 3)
    EXPECT_LT(apart, 1e-15);  // CM is TN
  else
    EXPECT_GT(apart, 0.1);
}

/// Largest relative differences at a system's states, and after 100 steps from them.
struct Differences {
  double psi, positions, momenta;
};
template <class System>
Differences of_psi_and_rattle(const std::vector<double>& parameters) {
  const typename System::template Model<double> model(parameters.data());
  const auto after = [&]<class Named>(Named, auto x) {
    using Method = BoundMethod<Named, ConstrainedMotion<System, NewtonSolver>>;
    const double h = System::example_step;
    const typename Method::template Step<double> step(model, h,
                                                      Method::template nominal_sweeps<double>(parameters.data(), h));
    for (int n = 0; n < 100; ++n) EXPECT_TRUE(step(x, x, true));
    return x;
  };
  const auto over = [](const auto& difference, const auto& size) {
    return std::sqrt(dot(difference, difference) / dot(size, size));
  };
  Differences most{};
  std::mt19937_64 random(151);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 20; ++trial) {
    typename System::template State<double> x;
    System::example_state(parameters.data(), x.v);
    for (int k = 0; k < System::dim; ++k) x[k] *= 1 + (k < System::N ? 1e-3 : 0.3) * normal(random);
    EXPECT_EQ(InitialPoint<System>(parameters.data()).prepare(Momentum::hidden_constraint, x.v).problem, nullptr);
    const auto q = System::position(x), p = System::momentum(x), tangent = model.to_tangent(q, p);
    most.psi = std::max(most.psi, over(tangent - p, p));
    const auto on_cm = after(RattleMethod{}, x), on_tn = after(RattleTnMethod{}, System::state(q, tangent));
    most.positions =
        std::max(most.positions, over(System::position(on_tn) - System::position(on_cm), System::position(on_cm)));
    most.momenta =
        std::max(most.momenta, over(System::momentum(on_tn) - System::momentum(on_cm), System::momentum(on_cm)));
  }
  return most;
}

TEST(Psi, IsTheIdentityOfCMWhereTheKineticEnergyIsTheMetric) {
  constexpr double round_off = 1e-14;  // some units in the last place, a hundred steps
  for (const Differences& most : {of_psi_and_rattle<SphericalPendulum>({1.7, 0.8, 9.81}),
                                  of_psi_and_rattle<MoleculeWater>({2, 2, 2, 0.1, 0.1, 0.163})}) {
    EXPECT_LT(most.psi, 1e-15);
    EXPECT_LT(most.positions, round_off);
    EXPECT_LT(most.momenta, round_off);
  }
  // The same molecule with its own masses, and two pendula, of any masses.
  for (const Differences& most : {of_psi_and_rattle<MoleculeWater>({16, 1, 1, 0.1, 0.1, 0.163}),
                                  of_psi_and_rattle<DoubleSphericalPendulum>({1, 1, 1, 1, 9.81})}) {
    EXPECT_GT(most.psi, 0.1);
    EXPECT_LT(most.positions, 10 * round_off);
    EXPECT_GT(most.momenta, 0.1);
  }
}

}  // namespace
}  // namespace polhode::test

// The step maps for any Hamiltonian (method/constraint_algorithm.hpp): where the mass is constant they are those of
// method/constrained_motion.hpp; a Hamiltonian that is not quadratic in the momentum. What the methods declare, and the
// compositions of the first-order algorithm with its adjoint, are tested with all others in properties_test.cpp.
#include <gtest/gtest.h>

#include <cmath>

#include "numerics/subject.hpp"
#include "polhode/method/constrained_motion.hpp"
#include "polhode/method/constraint_algorithm.hpp"
#include "polhode/method/constraint_euler.hpp"
#include "polhode/method/constraint_euler_adjoint.hpp"
#include "polhode/method/rattle.hpp"
#include "polhode/system/pendulum_chain.hpp"
#include "system/initial_point.hpp"

namespace polhode::test {
namespace {

const Scheme all_schemes[] = {scheme_of<RattleMethod>(), scheme_of<ConstraintEulerMethod>(),
                              scheme_of<ConstraintEulerAdjointMethod>()};

/// A mechanical system that does not show what its Hamiltonian is made of.
template <class Physics>
struct Unseparated : Physics {
  template <class T>
  struct Equations : Physics::template Equations<T> {
    static constexpr int N = Physics::N;
    using Physics::template Equations<T>::Equations;
    POLHODE_HD T hamiltonian(const Vec<T, N>& q, const Vec<T, N>& p) const {
      return T(Real<T>(0.5)) * dot(p, this->velocity(p)) + this->potential(q);
    }
  };
};

/// `steps` steps of a map from x.
template <class Map>
typename Map::System::template State<double> advanced(const double* p, const Scheme& scheme, double h, int steps,
                                                      typename Map::System::template State<double> x) {
  const typename Map::System::template Model<double> model(p);
  const typename Map::template Constants<double> constants(model, options_of<Map>(scheme), scheme.kicks, h);
  const typename Map::template Step<double> step(
      model, options_of<Map>(scheme), scheme.kicks, constants,
      Map::template nominal_sweeps<double>(p, options_of<Map>(scheme), scheme.kicks, h));
  for (int n = 0; n < steps; ++n) EXPECT_TRUE(step(x, x, true));
  return x;
}

/// The larger of the relative differences of positions and of momenta.
double distance(const State& a, const State& b) {
  const auto n = a.size() / 2;
  return std::max((a - b).head(n).norm() / b.head(n).norm(), (a - b).tail(n).norm() / b.tail(n).norm());
}

template <class Physics>
class ConstantMass : public ::testing::Test {
 protected:
  using Separated = ConstrainedSystem<Physics>;
  using Whole = HamiltonianSystem<Unseparated<Physics>>;

  /// The larger relative difference of positions and momenta after some steps of the two maps from a random state.
  static double difference(const Scheme& scheme, double h, int steps, std::mt19937_64& random) {
    const double* p = std::data(Physics::example_parameters);
    typename Separated::template State<double> x;
    Physics::example_state(p, x.v);
    std::normal_distribution<double> normal;
    for (int i = 0; i < Separated::dim; ++i) x[i] += (i < Physics::N ? 1e-3 : 0.5) * normal(random);
    EXPECT_EQ(InitialPoint<Separated>(p).prepare(Momentum::hidden_constraint, x.v).problem, nullptr);
    const auto a = advanced<ConstrainedMotion<Separated, NewtonSecantSolver>>(p, scheme, h, steps, x),
               b = advanced<ConstraintAlgorithm<Whole>>(p, scheme, h, steps, x);
    const Eigen::Map<const State> first(a.v, Separated::dim), second(b.v, Separated::dim);
    return distance(first, second);
  }
};
using Pendula = ::testing::Types<PendulumChainPhysics<1>, PendulumChainPhysics<2>, PendulumChainPhysics<3>>;
TYPED_TEST_SUITE(ConstantMass, Pendula);

TYPED_TEST(ConstantMass, GivesTheSameMaps) {
  std::mt19937_64 random(41);
  double one = 0, many = 0;
  for (const Scheme& scheme : all_schemes)
    for (int trial = 0; trial < 50; ++trial) {
      for (const double h : {TypeParam::example_step, -TypeParam::example_step}) {
        one = std::max(one, this->difference(scheme, h, 1, random));
      }
      many = std::max(many, this->difference(scheme, TypeParam::example_step, 10, random));
    }
  EXPECT_LT(one, 1e-13);
  EXPECT_GT(one, 0);  // they are two computations
  EXPECT_LT(many, 1e-13);
}

TYPED_TEST(ConstantMass, TellsAnotherMapApart) {
  const Scheme almost = Kicks{.before = 0.5 + 1e-9, .after = 0.5 - 1e-9};
  const double* p = std::data(TypeParam::example_parameters);
  typename TestFixture::Separated::template State<double> x;
  TypeParam::example_state(p, x.v);
  ASSERT_EQ(InitialPoint<typename TestFixture::Separated>(p).prepare(Momentum::hidden_constraint, x.v).problem,
            nullptr);
  const double h = TypeParam::example_step;
  const auto a = advanced<ConstrainedMotion<typename TestFixture::Separated, NewtonSecantSolver>>(
                 p, scheme_of<RattleMethod>(), h, 1, x),
             b = advanced<ConstraintAlgorithm<typename TestFixture::Whole>>(p, almost, h, 1, x);
  const Eigen::Map<const State> first(a.v, TestFixture::Separated::dim), second(b.v, TestFixture::Separated::dim);
  EXPECT_GT(distance(first, second), 1e-13);
}

TEST(ConstraintAlgorithm, KeepsEnergyWithoutDrift) {
  // RATTLE over 2000 time units: the means of the energy over eight windows lie on a line whose slope is round-off
  // beside the oscillation, which is of order h^2.
  const Subject& subject = subject_of("magnetic-pendulum");
  std::mt19937_64 random(59);
  State x = subject.start(random, Momentum::hidden_constraint);
  const double h = 0.02, start = subject.energy(x);
  constexpr int windows = 8, steps = 12500;
  double mean[windows] = {}, most = 0;
  for (double& window : mean)
    for (int n = 0; n < steps; ++n) {
      ASSERT_TRUE(subject.advance(0, {{scheme_of<RattleMethod>()}}, h, 1, x));
      const double change = subject.energy(x) - start;
      most = std::max(most, std::abs(change));
      window += change / steps;
    }
  double slope = 0, weight = 0;
  for (int k = 0; k < windows; ++k) {
    const double at = k - (windows - 1) / 2.0;
    slope += at * mean[k], weight += at * at;
  }
  EXPECT_GT(most, 1e-7);
  EXPECT_LT(most, 1e-3);
  EXPECT_LT(std::abs(slope / weight) * windows, 0.02 * most);
}

/// A relativistic particle, H = sqrt(1 + |p|^2) + z on the sphere: the momentum's condition is not linear.
struct RelativisticPhysics {
  static constexpr int N = 3, D = 1;
  static constexpr auto columns = body_columns<1>();
  static constexpr double example_parameters[] = {1};
  static void example_state(const double*, double* x) {
    const double state[] = {0.6, 0, -0.8, 0.8, 1.5, 0.6};
    std::copy_n(state, 6, x);
  }
  template <class T>
  struct Equations {
    explicit Equations(const double*) {}
    T hamiltonian(const Vec<T, 3>& q, const Vec<T, 3>& p) const { return sqrt(dot(p, p, T(Real<T>(1)))) + q[2]; }
    Vec<T, 1> constraints(const Vec<T, 3>& q) const { return {T(Real<T>(0.5)) * (dot(q, q) - T(Real<T>(1)))}; }
  };
};
using Relativistic = HamiltonianSystem<RelativisticPhysics>;

TEST(ConstraintAlgorithm, SolvesForAMomentumThatVelocitiesAreNotLinearIn) {
  const Relativistic::Model<double> model(RelativisticPhysics::example_parameters);
  Relativistic::State<double> start;
  RelativisticPhysics::example_state(nullptr, start.v);
  start[3] += 0.3;  // off the hidden constraint
  ASSERT_EQ(InitialPoint<Relativistic>(nullptr).prepare(Momentum::hidden_constraint, start.v).problem, nullptr);
  double previous = 0;
  for (const int steps : {100, 200, 400}) {
    const auto x = advanced<ConstraintAlgorithm<Relativistic>>(RelativisticPhysics::example_parameters,
                                                               scheme_of<RattleMethod>(), 2.0 / steps, steps, start);
    const auto q = Relativistic::position(x), p = Relativistic::momentum(x);
    EXPECT_LT(std::abs(model.constraints(q)[0]), 1e-15);
    EXPECT_LT(std::abs(dot(q, model.velocity(q, p))), 2e-15);
    const double error = std::abs(model.energy(x) - model.energy(start));
    EXPECT_GT(error, 1e-9);
    if (previous > 0) {
      EXPECT_NEAR(std::log2(previous / error), 2, 0.05);
    }
    previous = error;
  }
}

TEST(ConstraintAlgorithm, TakesVelocities) {
  // q' = p / sqrt(1 + |p|^2) of a velocity below 1 has p = v / sqrt(1 - v^2); there is none for one above.
  const Relativistic::Model<double> model(nullptr);
  Relativistic::State<double> x;
  RelativisticPhysics::example_state(nullptr, x.v);
  const double v[3] = {0.48, 0.6, 0.36};
  std::copy_n(v, 3, x.v + 3);
  ASSERT_EQ(InitialPoint<Relativistic>(nullptr).prepare_velocities(Momentum::hidden_constraint, x.v).problem, nullptr);
  const auto velocity = model.velocity(Relativistic::position(x), Relativistic::momentum(x));
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(velocity[i], v[i], 1e-14);
  std::copy_n(v, 3, x.v + 3);
  for (int i = 3; i < 6; ++i) x[i] *= 2;
  EXPECT_NE(InitialPoint<Relativistic>(nullptr).prepare_velocities(Momentum::hidden_constraint, x.v).problem, nullptr);
}

}  // namespace
}  // namespace polhode::test

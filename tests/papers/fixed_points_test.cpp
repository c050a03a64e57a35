// A symplectic map that commutes with a symmetry changes its momentum by a constant, which is 0 where the map has a
// fixed point (Feng & Ge; McLachlan & Scovel 1995, Theorem 2 and sect. 3). Where the kinetic energy is quadratic,
// equilibria at rest are such points.
//
// Without one the momentum need not be kept, even though the map is symplectic and goes over to the reduced space: a
// rod that falls freely gets h m g in each step, and H is invariant up to a constant. But the algorithm needs no fixed
// point where H is invariant: J = p.A q of a linear action q -> exp(s A) q is kept, because
//
//     p~.A Q - p.A q = h (p~.A H_p(q, p~) - H_q(q, p~).A q) = 0
//
// and the constraints' forces do no work along A q. Light on a sphere is never at rest.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "numerics/structures.hpp"
#include "polhode/method/constrained_motion.hpp"
#include "polhode/method/constraint_algorithm.hpp"
#include "polhode/scalar/dual.hpp"
#include "polhode/system/bodies.hpp"
#include "polhode/system/constrained_system.hpp"
#include "polhode/system/hamiltonian_system.hpp"
#include "system/initial_point.hpp"

namespace polhode::test {
namespace {

/// Calls f(distance) for every method that is made of kicks, with every solver: how far a step moves x. Momenta are
/// compared on CM, where those of SHAKE are not.
template <class F>
void for_steps(const Subject& subject, const State& x, const F& f) {
  for (const Method& method : catalog_methods()) {
    if (method.system != subject.system.name || !method.is_made_of_kicks()) continue;
    for (const int solver : method.solvers) {
      State y = x;
      EXPECT_TRUE(subject.advance(solver, method.stages, subject.step, 1, y));
      SCOPED_TRACE(method.system + ", " + method.name + ", " + subject.solver_name(solver));
      f((subject.lifted(y) - x).norm() / x.norm());
    }
  }
}
void expect_fixed(const Subject& subject, const State& x) {
  int methods = 0;
  for_steps(subject, x, [&](double moved) {
    EXPECT_LT(moved, 1e-15);  // some roundings: 2.4e-16 was measured
    ++methods;
  });
  EXPECT_GE(methods, 2);
}
void expect_to_leave(const Subject& subject, const State& x) {
  for_steps(subject, x, [](double moved) { EXPECT_GT(moved, 1e-6); });
}

TEST(RestStates, OfPendulaAreFixedInEquilibrium) {
  const Subject& pendulum = subject_of("double-spherical-pendulum");
  const Eigen::Vector3d up = Eigen::Vector3d::UnitZ(), across = Eigen::Vector3d::UnitX();
  const auto at_rest = [&](const Eigen::Vector3d& first, const Eigen::Vector3d& second) {
    State x = State::Zero(12);
    x.segment<3>(0) = pendulum.parameters[2] * first, x.segment<3>(3) = pendulum.parameters[3] * second;
    return x;
  };
  for (const double first : {1.0, -1.0})
    for (const double second : {1.0, -1.0}) expect_fixed(pendulum, at_rest(first * up, second * up));
  expect_to_leave(pendulum, at_rest(across, -up));
  expect_to_leave(pendulum, at_rest(up, across));

  // At the poles a(q) is 0.
  const Subject& magnetic = subject_of("magnetic-pendulum");
  State x = State::Zero(6);
  x[2] = magnetic.parameters[0];
  expect_fixed(magnetic, x), expect_fixed(magnetic, -x);
  x[2] = 0, x[0] = magnetic.parameters[0];
  x[4] = magnetic.parameters[3] * x[0];  // p = a(q): q' = 0
  expect_to_leave(magnetic, x);
}

TEST(RestStates, OfAFreeMoleculeAreFixedEverywhere) {
  const Subject& water = subject_of("molecule-water");
  std::mt19937_64 random(131);
  for (int trial = 0; trial < 20; ++trial) {
    State x = water.start(random, Momentum::hidden_constraint);
    expect_to_leave(water, x);
    x.tail(9).setZero();
    expect_fixed(water, x);
  }
}

/// One step.
template <class Map, class T>
typename Map::System::template State<T> stepped(const Scheme& scheme, double h,
                                                typename Map::System::template State<T> x) {
  const typename Map::System::template Model<T> model(nullptr);
  const typename Map::template Constants<T> constants(model, options_of<Map>(scheme), scheme.kicks, T(h));
  const typename Map::template Step<T> step(
      model, options_of<Map>(scheme), scheme.kicks, constants,
      Map::template nominal_sweeps<double>(nullptr, options_of<Map>(scheme), scheme.kicks, h));
  EXPECT_TRUE(step(x, x, true));
  return x;
}

const Scheme all_kicks[] = {Kicks{.before = 1}, Kicks{.before = 0.5, .after = 0.5}, Kicks{.after = 1}};

/// Two masses at the ends of a rod, in uniform gravity.
struct FallingRodPhysics {
  static constexpr int N = 6, D = 1;
  static constexpr double masses[] = {1, 1.5}, g = 9.81;
  static constexpr auto columns = body_columns<2>();
  static void example_state(const double*, double* x) {
    constexpr double state[] = {0, 0, 0, 0.6, 0, 0.8, 0.5, 1, 0, 0, -1, 2};
    std::copy_n(state, 12, x);
  }
  template <class T>
  struct Equations {
    explicit Equations(const double*) {}
    static Vec<T, N> velocity(Vec<T, N> p) {
      for (int k = 3; k < 6; ++k) p[k] = T(1 / masses[1]) * p[k];
      return p;
    }
    static T potential(const Vec<T, N>& q) { return T(masses[0] * g) * q[2] + T(masses[1] * g) * q[5]; }
    static Vec<T, D> constraints(const Vec<T, N>& q) {
      const Vec<T, 3> r{q[3] - q[0], q[4] - q[1], q[5] - q[2]};
      return {T(0.5) * (dot(r, r) - T(1.0))};
    }
  };
};
using FallingRod = ConstrainedSystem<FallingRodPhysics>;

TEST(FallingRod, GainsTheSameMomentumFromAllStates) {
  using Map = ConstrainedMotion<FallingRod, NewtonSolver>;
  using Along = Dual<double, 1>;
  constexpr double h = 0.02,
                   gain = -h * (FallingRodPhysics::masses[0] + FallingRodPhysics::masses[1]) * FallingRodPhysics::g;
  std::mt19937_64 random(137);
  std::normal_distribution<double> normal;
  for (const Scheme& scheme : all_kicks)
    for (int trial = 0; trial < 20; ++trial) {
      FallingRod::State<double> x;
      for (double& value : x.v) value = normal(random);
      const auto rod = std::hypot(x[0], x[1], x[2]);
      for (int k = 0; k < 3; ++k) x[k] = x[3 + k] + x[k] / rod;
      ASSERT_EQ(InitialPoint<FallingRod>(nullptr).prepare(Momentum::hidden_constraint, x.v).problem, nullptr);
      const auto y = stepped<Map, double>(scheme, h, x);

      // It commutes with vertical translations, ...
      auto above = x;
      above[2] += 0.7, above[5] += 0.7;
      above = stepped<Map, double>(scheme, h, above);
      for (int k = 0; k < 12; ++k) EXPECT_NEAR(above[k], y[k] + (k == 2 || k == 5 ? 0.7 : 0), 1e-16 / h);
      // is symplectic, ...
      Eigen::MatrixXd conditions(2, 12);
      for (int k = 0; k < 12; ++k) {
        const FallingRod::Model<Along> model(nullptr);
        FallingRod::State<Along> along;
        for (int i = 0; i < 12; ++i) along[i] = Along(x[i]);
        along[k].tangent[0] = 1;
        const auto q = FallingRod::position(along), p = FallingRod::momentum(along);
        conditions(0, k) = model.constraints(q)[0].tangent[0];
        conditions(1, k) = model.push(q, model.velocity(p))[0].tangent[0];
      }
      const TangentMap map = [&](State& at, State& tangent) {
        FallingRod::State<Along> along;
        for (int i = 0; i < 12; ++i) along[i] = Along(at[i]), along[i].tangent[0] = tangent[i];
        along = stepped<Map, Along>(scheme, h, along);
        for (int i = 0; i < 12; ++i) at[i] = along[i].value, tangent[i] = along[i].tangent[0];
        return true;
      };
      EXPECT_LT(form_defect(conditions, Eigen::Map<const State>(x.v, 12), map), 5e-15);
      // and keeps the horizontal momenta alone.
      const auto momentum = [](const FallingRod::State<double>& z, int k) { return z[6 + k] + z[9 + k]; };
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(momentum(y, k) - momentum(x, k), k == 2 ? gain : 0, 5e-15);
    }
}

/// A ray of light on the unit sphere, H = c(q) |p|, slower below; its speed is never 0.
struct LightPhysics {
  static constexpr int N = 3, D = 1;
  static constexpr auto columns = body_columns<1>();
  static void example_state(const double*, double* x) {
    constexpr double state[] = {0.6, 0, -0.8, 0.4, 1, 0.3};
    std::copy_n(state, 6, x);
  }
  template <class T>
  struct Equations {
    explicit Equations(const double*) {}
    T hamiltonian(const Vec<T, 3>& q, const Vec<T, 3>& p) const {
      return (T(Real<T>(1)) + T(Real<T>(0.3)) * q[2]) * sqrt(dot(p, p));
    }
    Vec<T, 1> constraints(const Vec<T, 3>& q) const { return {T(Real<T>(0.5)) * (dot(q, q) - T(Real<T>(1)))}; }
  };
};
using Light = HamiltonianSystem<LightPhysics>;

TEST(Light, KeepsItsMomentumThoughItIsNeverAtRest) {
  constexpr double h = 0.02;
  constexpr int steps = 1000;
  std::mt19937_64 random(139);
  std::normal_distribution<double> normal;
  const auto momentum = [](const Light::State<double>& x, int axis) {
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    return x[a] * x[3 + b] - x[b] * x[3 + a];
  };
  for (const Scheme& scheme : all_kicks)
    for (int trial = 0; trial < 5; ++trial) {
      Light::State<double> x;
      for (double& value : x.v) value = normal(random);
      const double radius = std::hypot(x[0], x[1], x[2]);
      for (int k = 0; k < 3; ++k) x[k] /= radius;
      const double radial = dot(Light::position(x), Light::momentum(x));
      for (int k = 0; k < 3; ++k) x[3 + k] -= radial * x[k];  // near the hidden constraint
      ASSERT_EQ(InitialPoint<Light>(nullptr).prepare(Momentum::hidden_constraint, x.v).problem, nullptr);
      const auto start = x;
      double slowest = HUGE_VAL, about_vertical = 0, across = 0;
      for (int n = 0; n < steps; ++n) {
        const auto y = stepped<ConstraintAlgorithm<Light>, double>(scheme, h, x);
        const auto moved = Light::position(y) - Light::position(x);
        slowest = std::min(slowest, std::sqrt(dot(moved, moved)) / h);
        x = y;
        about_vertical = std::max(about_vertical, std::abs(momentum(x, 2) - momentum(start, 2)));
        across = std::max(across, std::abs(momentum(x, 0) - momentum(start, 0)));
      }
      EXPECT_GT(slowest, 0.7);           // the least of c
      EXPECT_LT(about_vertical, 5e-14);  // a random walk of 1000 roundings: 9e-15 was measured
      EXPECT_GT(across, 1e-2);           // no symmetry
    }
}

}  // namespace
}  // namespace polhode::test

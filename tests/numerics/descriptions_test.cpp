// Descriptions of one physical system: their states are converted without loss, have the same energy and momentum, and
// their flows are the same.
#include "system/descriptions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "polhode/system/double_pendulum_shape.hpp"
#include "polhode/system/j2_satellite_shape.hpp"

namespace polhode {
namespace {

/// One of a user's own, which is nowhere described in space.
struct RotorShape {
  static constexpr CyclicSystemName full{"rotor", ""}, reduced{"rotor-reduced", ""};
  static constexpr int N = 1;
  static constexpr Quantity shape[] = {{"x", "1", ""}};
  static constexpr Quantity angle{"theta", "rad", ""};
  static constexpr Quantity momenta[] = {{"px", "1", ""}, {"mu", "1", ""}};
  static constexpr Quantity reduced_momenta[] = {{"s", "1", ""}};
  static constexpr double one[] = {1};
  static constexpr Parameter parameters[] = {{"k", "1", 1, one, Bound::finite, ""}};
  static constexpr double example_parameters[] = {0.7};
  static constexpr double example_momentum = 0.4, example_step = 0.1;
  static CyclicMotion<double, 1> example_motion(const double*) { return {{0.3}, {0.2}, 0.1, 0.5}; }

  template <class T>
  struct Equations {
    T k;
    explicit Equations(const double* p) : k(p[0]) {}
    CyclicMetric<T, 1> metric(const Vec<T, 1>& x) const {
      const T one(1.0), square = x[0] * x[0];
      return {{{{one + square}}}, {k * x[0]}, one + k * square, square * square};
    }
  };
};

template <class Physics>
struct Random;
template <>
struct Random<DoublePendulumShape> {
  static constexpr double shape[][2] = {{0.1, 0.8}, {0.1, 0.65}, {-3, 3}};
};
template <>
struct Random<J2SatelliteShape> {
  static constexpr double shape[][2] = {{0.5, 2}, {-1, 1}};
};
template <>
struct Random<RotorShape> {
  static constexpr double shape[][2] = {{-1, 1}};
};

template <class System>
using StateOf = typename System::template State<double>;
template <class System>
using ModelOf = typename System::template Model<double>;

template <class Physics>
class DescriptionsOf : public testing::Test {
 protected:
  static constexpr int M = Physics::N;
  using Full = CyclicSystem<Physics>;
  using Reduced = RouthReduced<Physics>;
  using Ways = Descriptions<Physics>;

  /// The parameters of the examples and, at the end, the momentum of a state.
  static std::vector<double> parameters_for(const StateOf<Full>& x) {
    std::vector<double> p(std::begin(Physics::example_parameters), std::end(Physics::example_parameters));
    p.push_back(x[Full::dim - 1]);
    return p;
  }

  /// Calls test(x, p) for random states with motion in all directions.
  template <class Test>
  static void for_states(const Test& test) {
    std::mt19937_64 engine(11);
    std::normal_distribution<double> normal;
    for (int k = 0; k < 200; ++k) {
      typename ModelOf<Full>::Position q, v;
      for (int i = 0; i < M; ++i) {
        const auto [low, high] = Random<Physics>::shape[i];
        q[i] = std::uniform_real_distribution<double>(low, high)(engine);
        v[i] = normal(engine);
      }
      q[M] = std::uniform_real_distribution<double>(-3.1, 3.1)(engine);
      v[M] = normal(engine);
      const ModelOf<Full> model(Physics::example_parameters);
      const StateOf<Full> x = Full::state(q, model.momentum_of(q, v));
      SCOPED_TRACE("state " + std::to_string(k));
      test(x, parameters_for(x).data());
    }
  }

  template <class To, class From>
  static To converted(Transition::Convert convert, const double* p, const From& x) {
    To y;
    EXPECT_EQ(convert(p, x.v, y.v), nullptr);
    return y;
  }

  template <int n>
  static double size(const Vec<double, n>& x) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += std::abs(x[i]);
    return sum;
  }
  template <int n>
  static void expect_near(const Vec<double, n>& found, const Vec<double, n>& expected, double tolerance) {
    for (int i = 0; i < n; ++i) EXPECT_NEAR(found[i], expected[i], tolerance) << "column " << i;
  }

  /// The derivative of a conversion along a flow is the flow there. By differences of fourth order over a way of 1e-3,
  /// whose error is the fifth derivative of the conversion times 1e-12 / 30; round-off is a thousandth of that bound.
  template <class From, class To>
  static void expect_same_flow(Transition::Convert convert, const double* p, const StateOf<From>& x) {
    const auto along = ModelOf<From>(p).flow(x);
    const double h = 1e-3 / size(along);
    const auto at = [&](double t) { return converted<StateOf<To>>(convert, p, x + t * along); };
    const StateOf<To> found = (1 / (12 * h)) * (8.0 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h)));
    const StateOf<To> expected = ModelOf<To>(p).flow(at(0));
    expect_near(found, expected, 1e-9 * size(expected));
  }
};

// Converted numbers are sums of a few products, and between them is the solution of 3 equations whose condition is of
// the order 10: measured are 2e-15.
constexpr double accuracy = 1e-14;

template <class Physics>
class Reduction : public DescriptionsOf<Physics> {};
using AllPhysics = testing::Types<DoublePendulumShape, J2SatelliteShape, RotorShape>;
TYPED_TEST_SUITE(Reduction, AllPhysics);

TYPED_TEST(Reduction, ThereAndBack) {
  using Test = Reduction<TypeParam>;
  Test::for_states([](const auto& x, const double* p) {
    const auto y = Test::template converted<StateOf<typename Test::Reduced>>(Test::Ways::reduce, p, x);
    Test::expect_near(Test::template converted<StateOf<typename Test::Full>>(Test::Ways::lift, p, y), x,
                      accuracy * Test::size(x));
  });
}

TYPED_TEST(Reduction, KeepsVelocitiesEnergyAndAngle) {
  using Test = Reduction<TypeParam>;
  Test::for_states([](const auto& x, const double* p) {
    constexpr int M = TypeParam::N;
    const ModelOf<typename Test::Full> full(p);
    const ModelOf<typename Test::Reduced> reduced(p);
    const auto y = Test::template converted<StateOf<typename Test::Reduced>>(Test::Ways::reduce, p, x);
    const auto flow = full.flow(x);
    const auto reduced_flow = reduced.flow(y);
    for (int i = 0; i < M; ++i) EXPECT_NEAR(reduced_flow[i], flow[i], accuracy * Test::size(flow));
    EXPECT_NEAR(reduced_flow[2 * M], flow[M], accuracy * Test::size(flow));
    EXPECT_EQ(y[2 * M], x[M]);
    EXPECT_NEAR(reduced.energy(y), full.energy(x), accuracy * full.magnitude(Test::Full::dim, x));
  });
}

TYPED_TEST(Reduction, KeepsTheFlow) {
  using Test = Reduction<TypeParam>;
  Test::for_states([](const auto& x, const double* p) {
    Test::template expect_same_flow<typename Test::Full, typename Test::Reduced>(Test::Ways::reduce, p, x);
    const auto y = Test::template converted<StateOf<typename Test::Reduced>>(Test::Ways::reduce, p, x);
    Test::template expect_same_flow<typename Test::Reduced, typename Test::Full>(Test::Ways::lift, p, y);
  });
}

TYPED_TEST(Reduction, KnowsTheMostThatTheMomentumCouldBe) {
  // With v = 0 in the shape that velocity of the angle for which the kinetic energy is the same.
  using Test = Reduction<TypeParam>;
  Test::for_states([](const auto& x, const double* p) {
    using Full = typename Test::Full;
    constexpr int M = TypeParam::N;
    const ConservedMomentum momentum = Test::Ways::momentum(p, x.v);
    EXPECT_EQ(momentum.value, x[2 * M + 1]);
    EXPECT_GT(momentum.most, std::abs(momentum.value));
    const ModelOf<Full> model(p);
    const auto q = Full::position(x);
    typename ModelOf<Full>::Position turning{};
    turning[M] = momentum.most / model.metric(model.shape(q)).inertia;
    const auto most = Full::state(q, model.momentum_of(q, turning));
    EXPECT_NEAR(most[2 * M + 1], momentum.most, accuracy * momentum.most);
    EXPECT_NEAR(model.energy(most), model.energy(x), accuracy * model.magnitude(Full::dim, x));
  });
}

template <class Physics>
class Space : public DescriptionsOf<Physics> {
 protected:
  using InSpace = typename Physics::InSpace;
  using Test = DescriptionsOf<Physics>;
  static auto in_space(const double* p, const StateOf<typename Test::Full>& x) {
    return Test::template converted<StateOf<InSpace>>(Test::Ways::place, p, x);
  }
};
using PhysicsInSpace = testing::Types<DoublePendulumShape, J2SatelliteShape>;
TYPED_TEST_SUITE(Space, PhysicsInSpace);

TYPED_TEST(Space, ThereAndBack) {
  using Test = Space<TypeParam>;
  Test::for_states([](const auto& x, const double* p) {
    const auto z = Test::in_space(p, x);
    const auto y = Test::template converted<StateOf<typename Test::Full>>(Test::Ways::locate, p, z);
    Test::expect_near(y, x, accuracy * Test::size(x));
    Test::expect_near(Test::in_space(p, y), z, accuracy * Test::size(z));
  });
}

TYPED_TEST(Space, KeepsEnergyMomentumAndConstraints) {
  using Test = Space<TypeParam>;
  using InSpace = typename TypeParam::InSpace;
  Test::for_states([](const auto& x, const double* p) {
    const ModelOf<typename Test::Full> full(p);
    const ModelOf<InSpace> space(p);
    const auto z = Test::in_space(p, x);
    EXPECT_NEAR(space.energy(z), full.energy(x), accuracy * full.magnitude(Test::Full::dim, x));
    EXPECT_NEAR(space.invariant(1, z), x[Test::Full::dim - 1], accuracy * Test::size(z));
    if constexpr (InSpace::D > 0) {
      const auto q = InSpace::position(z), momentum = InSpace::momentum(z);
      EXPECT_LE(Test::size(space.constraints(q)), accuracy);
      EXPECT_LE(Test::size(space.push(q, space.velocity(momentum))), accuracy * Test::size(z));
    }
  });
}

TYPED_TEST(Space, KeepsTheFlow) {
  using Test = Space<TypeParam>;
  Test::for_states([](const auto& x, const double* p) {
    Test::template expect_same_flow<typename Test::Full, typename TypeParam::InSpace>(Test::Ways::place, p, x);
    Test::template expect_same_flow<typename TypeParam::InSpace, typename Test::Full>(Test::Ways::locate, p,
                                                                                      Test::in_space(p, x));
  });
}

TEST(DoublePendulumInSpace, LosesWhatConstraintForcesTake) {
  const double* const p = DoublePendulumShape::example_parameters;
  const Vec<double, 12> z{0.3, 0.4, -std::sqrt(0.75), 0.2, -0.3, -std::sqrt(0.51), 0.5, 0.1, -0.2, 0.3, 0.7, 0.4};
  Vec<double, 12> along = z;
  for (int i = 0; i < 3; ++i) {
    along[6 + i] += 0.9 * z[i];
    along[9 + i] -= 1.7 * z[3 + i];
  }
  Vec<double, 8> x, y;
  ASSERT_EQ(Descriptions<DoublePendulumShape>::locate(p, z.v, x.v), nullptr);
  ASSERT_EQ(Descriptions<DoublePendulumShape>::locate(p, along.v, y.v), nullptr);
  for (int i = 0; i < 8; ++i) EXPECT_NEAR(y[i], x[i], accuracy) << "column " << i;
}

TEST(DoublePendulumInSpace, EndsWithItsChart) {
  const double* const p = DoublePendulumShape::example_parameters;
  const auto problem = [&](Vec<double, 12> z) {
    Vec<double, 8> x;
    const char* const text = Descriptions<DoublePendulumShape>::locate(p, z.v, x.v);
    return std::string(text ? text : "");
  };
  EXPECT_EQ(problem({0.6, 0, -0.8, 0.48, 0, -0.64}), "");
  EXPECT_EQ(problem({0.6, 0, 0.8, 0.48, 0, -0.64}), "a rod does not hang downwards");
  EXPECT_EQ(problem({0.6, 0, -0.8, 0.8, 0, 0}), "a rod does not hang downwards");
  EXPECT_EQ(problem({0, 0, -1, 0.48, 0, -0.64}), "a rod is vertical, and has no azimuth");
  EXPECT_EQ(problem({0.6, 0, -0.8, 0, 0, -0.8}), "a rod is vertical, and has no azimuth");
}

TEST(J2SatelliteInSpace, HasNoLongitudeOnTheAxis) {
  const double z[] = {0, 0, 1.2, 0.1, 0.2, 0.3};
  double x[6];
  EXPECT_STREQ(Descriptions<J2SatelliteShape>::locate(J2SatelliteShape::example_parameters, z, x),
               "it is on the axis, where there is no longitude");
}

TEST(DescriptionsOfAUsersOwn, NeedNoSpace) {
  EXPECT_EQ(Descriptions<RotorShape>::transitions.size(), 1u);
  EXPECT_STREQ(Descriptions<RotorShape>::transitions[0].other, "rotor-reduced");
  EXPECT_EQ(Descriptions<J2SatelliteShape>::transitions.size(), 2u);
}

}  // namespace
}  // namespace polhode

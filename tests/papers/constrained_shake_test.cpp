// n steps of SHAKE and one projection are n steps of RATTLE (Pierce 1994, eqs. (15), (16)), on a planar double pendulum
// with reference values computed elsewhere in 34 digits: q = (x1, y1, x2, y2), unit masses and lengths, V = y1 + y2.
// Its Physics is as short as one can be: every derivative is taken with dual numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "backend/reference/constrained_step.hpp"
#include "polhode/method/bound_method.hpp"
#include "polhode/method/constrained_motion.hpp"
#include "polhode/method/rattle.hpp"
#include "polhode/method/shake.hpp"
#include "polhode/system/constrained_system.hpp"

namespace polhode::test {
namespace {

struct PlanarDoublePendulumPhysics {
  static constexpr int N = 4, D = 2;
  static constexpr auto columns = std::to_array<Quantity>({{"q1.x", "1", "first bob"},
                                                           {"q1.y", "1", "first bob"},
                                                           {"q2.x", "1", "second bob"},
                                                           {"q2.y", "1", "second bob"},
                                                           {"p1.x", "1", "its momentum"},
                                                           {"p1.y", "1", "its momentum"},
                                                           {"p2.x", "1", "its momentum"},
                                                           {"p2.y", "1", "its momentum"}});
  static void example_state(const double*, double* x) {
    std::copy_n(std::array{0.6, -0.8, 1.4, -1.4, 0.3, 0.2, -0.4, 0.5}.begin(), 8, x);
  }

  template <class T>
  struct Equations {
    explicit Equations(const double*) {}
    static Vec<T, N> velocity(const Vec<T, N>& p) { return p; }
    static T potential(const Vec<T, N>& q) { return q[1] + q[3]; }
    static Vec<T, D> constraints(const Vec<T, N>& q) {
      const T x = q[2] - q[0], y = q[3] - q[1], half(Real<T>(0.5)), one(Real<T>(1));
      return {half * (q[0] * q[0] + q[1] * q[1] - one), half * (x * x + y * y - one)};
    }
  };
};
using System = ConstrainedSystem<PlanarDoublePendulumPhysics>;
using Point = System::State<double>;

const System::Model<double> model(nullptr);
constexpr double h = 0.05;

/// The example, projected to CM.
Point start() {
  Point x;
  System::example_state(nullptr, x.v);
  return System::state(System::position(x), model.to_hidden_constraint(System::position(x), System::momentum(x)));
}
Point projected(const Point& x) {
  return System::state(System::position(x), model.to_hidden_constraint(System::position(x), System::momentum(x)));
}

template <class Method>
Point after(int steps) {
  const typename Method::template Step<double> step(model, h, Method::template nominal_sweeps<double>(nullptr, h));
  Point x = start();
  for (int n = 0; n < steps; ++n) EXPECT_TRUE(step(x, x, true));
  return x;
}

double largest_difference(const Point& a, const Point& b, int first) {
  double most = 0;
  for (int i = first; i < first + 4; ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

constexpr double exact_rattle[] = {.62574408592221682231,  -.78002842187536303314,  1.3943784310323290272,
                                   -1.4197168175158881005, -.038417120007583096559, -.030818474005233508371,
                                   -.15728742877622039185, -.17365020669897895392};
/// Momenta of SHAKE as they are.
constexpr double exact_shake[] = {-.029173508484829884325, -.048448085409089196567, -.14254794150976937632,
                                  -.18591700042479050979};

template <class Solver>
class Shake : public ::testing::Test {
 protected:
  using BoundRattle = BoundMethod<RattleMethod, ConstrainedMotion<System, Solver>>;
  using BoundShake = BoundMethod<ShakeMethod, ConstrainedMotion<System, Solver>>;
};
using Solvers = ::testing::Types<NewtonSecantSolver, NewtonSolver, PsiFormSolver>;
TYPED_TEST_SUITE(Shake, Solvers);

TYPED_TEST(Shake, BothHaveTheReferenceValuesAfter10Steps) {
  const Point rattle = after<typename TestFixture::BoundRattle>(10),
              shake = after<typename TestFixture::BoundShake>(10);
  for (int i = 0; i < 8; ++i) EXPECT_NEAR(rattle[i], exact_rattle[i], 2e-15);  // round-off of ten steps
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(shake[i], exact_rattle[i], 2e-15);
    EXPECT_NEAR(shake[4 + i], exact_shake[i], 2e-14);  // of multipliers, over h
  }
}

/// The independent reference's.
TEST(ReferenceOfShake, HasTheReferenceValuesAfter10Steps) {
  using Complex = std::complex<double>;
  const PlanarDoublePendulumPhysics::Equations<Complex> equations(nullptr);
  const auto at = [](const Eigen::VectorXcd& q) { return Vec<Complex, 4>{q[0], q[1], q[2], q[3]}; };
  const ConstrainedProblem<double> problem{.inverse_mass = Eigen::MatrixXd::Identity(4, 4),
                                           .potential = [&](const auto& q) { return equations.potential(at(q)); },
                                           .constraints =
                                               [&](const auto& q) {
                                                 const auto g = equations.constraints(at(q));
                                                 return Eigen::VectorXcd{{g[0], g[1]}};
                                               }};
  const Point first = start();
  for (const bool is_shake : {false, true}) {
    const ConstrainedStep<double> step(problem, is_shake);
    PhasePoint<double> x{Eigen::Map<const Eigen::Vector4d>(first.v), Eigen::Map<const Eigen::Vector4d>(first.v + 4)};
    for (int n = 0; n < 10; ++n) ASSERT_EQ(step(h, {0.5, 0.5}, x), Status::ok);
    for (int i = 0; i < 4; ++i) {
      EXPECT_NEAR(x.q[i], exact_rattle[i], 2e-15);
      EXPECT_NEAR(x.p[i], is_shake ? exact_shake[i] : exact_rattle[4 + i], 2e-14);
    }
  }
}

TYPED_TEST(Shake, AndOneProjectionAreRattle) {
  // Round-off grows with the steps: 4e-16, 3e-15 and 5e-15 were measured, and 7e-16, 3.4e-14 and 5.9e-13 elsewhere.
  // What the momenta lack without the projection is given to four digits.
  const struct {
    int steps;
    double round_off, apart;
  } rows[] = {{10, 2e-15, 0.01763}, {100, 2e-14, 0.02173}, {1000, 2e-13, 0.02824}};
  for (const auto& row : rows) {
    const Point rattle = after<typename TestFixture::BoundRattle>(row.steps),
                shake = after<typename TestFixture::BoundShake>(row.steps);
    EXPECT_LT(largest_difference(shake, rattle, 0), row.round_off) << row.steps << " steps";
    EXPECT_LT(largest_difference(projected(shake), rattle, 4), row.round_off) << row.steps << " steps";
    EXPECT_NEAR(largest_difference(shake, rattle, 4), row.apart, 0.5e-5) << row.steps << " steps";
  }
}

}  // namespace
}  // namespace polhode::test

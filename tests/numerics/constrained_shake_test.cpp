// n steps of SHAKE and one projection are n steps of RATTLE (Pierce 1994, eqs. (15), (16)), on a planar double pendulum
// with reference values computed elsewhere in 34 digits: q = (x1, y1, x2, y2), unit masses and lengths, V = y1 + y2.
// Its Physics is as short as one can be: every derivative is taken with dual numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "polhode/method/bound_method.hpp"
#include "polhode/method/constrained_motion.hpp"
#include "polhode/method/rattle.hpp"
#include "polhode/method/shake.hpp"
#include "polhode/system/constrained_system.hpp"

namespace polhode::test {
namespace {

struct PlanarDoublePendulumPhysics {
  static constexpr int N = 4, D = 2;
  static constexpr std::array<Quantity, 8> columns{};
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

template <class Solver>
class Shake : public ::testing::Test {
 protected:
  using RattleMethod = BoundMethod<RattleFamily, ConstrainedMotion<System, Solver>>;
  using ShakeMethod = BoundMethod<ShakeFamily, ConstrainedMotion<System, Solver>>;
};
using Solvers = ::testing::Types<NewtonSecantSolver, NewtonSolver, PsiFormSolver>;
TYPED_TEST_SUITE(Shake, Solvers);

TYPED_TEST(Shake, RattleHasTheReferenceValuesAfter10Steps) {
  const Point exact{.62574408592221682231,   -.78002842187536303314,  1.3943784310323290272,  -1.4197168175158881005,
                    -.038417120007583096559, -.030818474005233508371, -.15728742877622039185, -.17365020669897895392};
  const Point x = after<typename TestFixture::RattleMethod>(10);
  EXPECT_LT(largest_difference(x, exact, 0), 2e-15);
  EXPECT_LT(largest_difference(x, exact, 4), 2e-15);
}

TYPED_TEST(Shake, AndOneProjectionAreRattle) {
  // Round-off grows with the steps: 4e-16, 3e-15 and 5e-15 were measured, and 7e-16, 3.4e-14 and 5.9e-13 elsewhere.
  const struct {
    int steps;
    double round_off;
  } rows[] = {{10, 2e-15}, {100, 2e-14}, {1000, 2e-13}};
  for (const auto& row : rows) {
    const Point rattle = after<typename TestFixture::RattleMethod>(row.steps),
                shake = after<typename TestFixture::ShakeMethod>(row.steps);
    EXPECT_LT(largest_difference(shake, rattle, 0), row.round_off) << row.steps << " steps";
    EXPECT_LT(largest_difference(projected(shake), rattle, 4), row.round_off) << row.steps << " steps";
    EXPECT_GT(largest_difference(shake, rattle, 4), 1e-2) << row.steps << " steps";  // not without the projection
  }
}

}  // namespace
}  // namespace polhode::test

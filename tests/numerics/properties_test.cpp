// What a method declares of itself (method/properties.hpp) on the heavy top: the declared properties hold, and the
// undeclared ones are measurably absent. A new method enters with its type in the list below.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "numerics/support.hpp"
#include "polhode/scalar/dual.hpp"

namespace polhode::test {
namespace {

/// Right-hand side of the equations (system/heavy_top.hpp).
template <class T>
Vec<T, 6> flow(const HeavyTop::Model<T>& model, const Vec<T, 6>& x) {
  const Vec<T, 3> pi{x[0], x[1], x[2]}, gamma{x[3], x[4], x[5]};
  const auto omega = hadamard(model.inverse_inertia, pi);
  const auto torque = cross(pi, omega, cross(gamma, model.c * model.chi)), turn = cross(gamma, omega);
  return {torque[0], torque[1], torque[2], turn[0], turn[1], turn[2]};
}

/// The negative control: of order 2 and nothing else.
struct ExplicitMidpoint {
  using System = HeavyTop;
  static constexpr Properties properties{.order = 2};

  template <class T>
  class Step {
   public:
    Step(const HeavyTop::Model<T>& model, const T& h, int) : model_(model), h_(h) {}
    bool operator()(Vec<T, 6>& x, bool) const {
      x = fma(h_, flow(model_, fma(T(0.5) * h_, flow(model_, x), x)), x);
      return true;
    }

   private:
    HeavyTop::Model<T> model_;
    T h_;
  };
  template <class R>
  static int nominal_sweeps(const double*, double) {
    return 0;
  }
};

using Methods = ::testing::Types<Rattle<HeavyTop, CayleySolver>, Rattle<HeavyTop, HadamardSolver>, ExplicitMidpoint>;

template <class Method>
class DeclaredProperties : public ::testing::Test {};
TYPED_TEST_SUITE(DeclaredProperties, Methods);

/// Bodies of acceptance B, with chi = e3 and with an oblique chi.
constexpr const TopParameters* bodies[] = {&heavy_body, &oblique_body};
constexpr Point points[] = {body_start, {0.3, -1.1, 0.7, 0.6, 0, 0.8}, {1.4, 0.5, -0.6, 0.3, -0.9, 0.3}};

double chi1(const TopParameters& body) { return body[3]; }

/// The exact flow over t = 2, by 2^14 steps of the classical Runge-Kutta method: 1e-13 off at rates of up to 3.
Vec<long double, 6> exact_at_2(const TopParameters& body, const Point& start) {
  using T = long double;
  const HeavyTop::Model<T> model(body.data());
  auto x = to_state<T>(start);
  constexpr int steps = 1 << 14;
  const T h = T(2) / steps;
  for (int n = 0; n < steps; ++n) {
    const auto a = flow(model, x), b = flow(model, fma(h / 2, a, x)), c = flow(model, fma(h / 2, b, x)),
               d = flow(model, fma(h, c, x));
    x = fma(h / 6, a + T(2) * b + T(2) * c + d, x);
  }
  return x;
}

TYPED_TEST(DeclaredProperties, Order) {
  for (const TopParameters* body : bodies) {
    const auto exact = exact_at_2(*body, body_start);
    double previous = 0;
    for (const int steps : {40, 80, 160}) {
      auto x = to_state<double>(body_start);
      ASSERT_TRUE((advance<TypeParam>(*body, 2.0 / steps, steps, x)));
      double error = 0;
      for (int i = 0; i < 6; ++i) error = std::max(error, std::abs(static_cast<double>(x[i] - exact[i])));
      if (previous > 0) {
        // The next term of the error moves the slope by the step times the rate, 0.05 * 3, or less.
        EXPECT_NEAR(std::log2(previous / error), TypeParam::properties.order, 0.15)
            << "chi1 = " << chi1(*body) << ", " << steps << " steps, error " << error;
      }
      previous = error;
    }
  }
}

TYPED_TEST(DeclaredProperties, Symmetric) {
  std::mt19937_64 random(7);
  double worst = 0;
  for (const TopParameters* body : bodies)
    for (int trial = 0; trial < 100; ++trial) {
      const auto x = to_state<double>(random_point(random));
      auto back = x;
      ASSERT_TRUE((advance<TypeParam>(*body, 0.05, 1, back)));
      ASSERT_TRUE((advance<TypeParam>(*body, -0.05, 1, back)));
      for (int i = 0; i < 6; ++i) worst = std::max(worst, std::abs(back[i] - x[i]));
    }
  if (TypeParam::properties.symmetric) {
    EXPECT_LT(worst, 1e-14);  // two steps of round-off at |Pi| up to 5
  } else {
    EXPECT_GT(worst, 1e-6);  // a term of the error, h^(order+1): far above round-off
  }
}

/// Bracket matrix of se(3)* at (Pi, Gamma): {Pi, Pi} = -hat(Pi), {Pi, Gamma} = -hat(Gamma), {Gamma, Gamma} = 0, up to
/// sign.
std::array<std::array<double, 6>, 6> bracket(const Vec<double, 6>& x) {
  std::array<std::array<double, 6>, 6> b{};
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    b[i][j] = x[k], b[j][i] = -x[k];
    b[i][3 + j] = x[3 + k], b[j][3 + i] = -x[3 + k];
    b[3 + i][j] = x[3 + k], b[3 + j][i] = -x[3 + k];
  }
  return b;
}

/// Largest element of D B(x) D^T - B(y) over |Pi|, where y is x after a step and D its Jacobian.
template <class Method>
double poisson_defect(const TopParameters& body, double h, const Point& x) {
  using D = Dual<double, 6>;
  Vec<D, 6> state;
  for (int i = 0; i < 6; ++i) state[i] = D::variable(x[i], i);
  EXPECT_TRUE((advance<Method>(body, h, 1, state)));
  Vec<double, 6> image;
  for (int i = 0; i < 6; ++i) image[i] = state[i].value;
  const auto before = bracket(to_state<double>(x)), after = bracket(image);
  double defect = 0;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      double carried = 0;
      for (int a = 0; a < 6; ++a)
        for (int b = 0; b < 6; ++b) carried += state[i].tangent[a] * before[a][b] * state[j].tangent[b];
      defect = std::max(defect, std::abs(carried - after[i][j]));
    }
  return defect / std::hypot(x[0], x[1], x[2]);
}

TYPED_TEST(DeclaredProperties, Poisson) {
  for (const TopParameters* body : bodies)
    for (const Point& x : points) {
      const double coarse = poisson_defect<TypeParam>(*body, 0.1, x), fine = poisson_defect<TypeParam>(*body, 0.05, x);
      if (TypeParam::properties.poisson) {
        EXPECT_LT(coarse, 1e-12) << "chi1 = " << chi1(*body);  // sums of 36 products, of a solve to 7e-15
        EXPECT_LT(fine, 1e-12) << "chi1 = " << chi1(*body);
      } else {
        // The structure is missed by a term of the error, h^(order+1) or more.
        EXPECT_GT(fine, 1e-6) << "chi1 = " << chi1(*body);
        EXPECT_NEAR(std::log2(coarse / fine), TypeParam::properties.order + 1, 0.5) << "chi1 = " << chi1(*body);
      }
    }
}

/// The largest changes of the invariants over the run; infinity where the state does not stay finite.
template <class Method>
Vec<double, 3> drifts(const TopParameters& body, double h, int steps, const Point& start) {
  const HeavyTop::Model<double> model(body.data());
  const typename Method::template Step<double> step(model, h, Method::template nominal_sweeps<double>(body.data(), h));
  auto x = to_state<double>(start);
  const auto start_state = x;
  Vec<double, 3> worst{0, 0, 0};
  for (int n = 0; n < steps; ++n) {
    EXPECT_TRUE(step(x, true));
    for (int i = 0; i < 3; ++i) {
      const double change = std::abs(model.invariant(i, x) - model.invariant(i, start_state));
      worst[i] = change <= std::numeric_limits<double>::max() ? std::max(worst[i], change) : HUGE_VAL;
    }
  }
  return worst;
}

TYPED_TEST(DeclaredProperties, Casimirs) {
  for (const TopParameters* body : bodies)
    for (const Point& x : points) {
      const auto worst = drifts<TypeParam>(*body, 0.05, 10000, x);
      if (TypeParam::properties.casimirs) {
        // Round-off of 1e-16 in a step, at worst all with one sign; 3 is the size of the terms of Pi.Gamma.
        EXPECT_LT(worst[1], 1e-12) << "chi1 = " << chi1(*body);
        EXPECT_LT(worst[2], 3e-12) << "chi1 = " << chi1(*body);
      } else {
        EXPECT_GT(worst[1], 1e-6) << "chi1 = " << chi1(*body);
        EXPECT_GT(worst[2], 1e-6) << "chi1 = " << chi1(*body);
      }
    }
}

TYPED_TEST(DeclaredProperties, Energy) {
  for (const TopParameters* body : bodies)
    for (const Point& x : points) {
      double previous = 0;
      for (const int steps : {40, 80, 160}) {
        const double error = drifts<TypeParam>(*body, 2.0 / steps, steps, x)[0];
        if (TypeParam::properties.energy) {
          EXPECT_LT(error, 1e-13) << "chi1 = " << chi1(*body);  // 160 roundings of an energy up to 5
          continue;
        }
        EXPECT_GT(error, 1e-6) << "chi1 = " << chi1(*body) << ", " << steps << " steps";
        if (previous > 0) {
          // As for the order, and the largest error falls between two steps.
          EXPECT_NEAR(std::log2(previous / error), TypeParam::properties.order, 0.25)
              << "chi1 = " << chi1(*body) << ", " << steps << " steps, error " << error;
        }
        previous = error;
      }
    }
}

}  // namespace
}  // namespace polhode::test

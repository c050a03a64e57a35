// What a method declares of itself (method/properties.hpp) on both systems of a top: the declared properties hold, and
// the undeclared ones are measurably absent. A new method enters with its type in methods.hpp. The Poisson property is
// in poisson_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "numerics/methods.hpp"

namespace polhode::test {
namespace {

constexpr TopParameters free_figure_body{1.5, 1.44, 0.94, 0, 0, 1, 0};

template <class Method>
class DeclaredProperties : public ::testing::Test {
 protected:
  /// Bodies of acceptance B, with chi = e3 and with an oblique chi; or free ones.
  static constexpr const TopParameters* bodies[] = {is_for_free_bodies<Method> ? &free_body : &heavy_body,
                                                    is_for_free_bodies<Method> ? &free_figure_body : &oblique_body};
};
TYPED_TEST_SUITE(DeclaredProperties, DeclaringMethods);

constexpr Point points[] = {body_start, {0.3, -1.1, 0.7, 0.6, 0, 0.8}, {1.4, 0.5, -0.6, 0.3, -0.9, 0.3}};

/// The exact flow over t = 2, by 2^12 steps of the classical Runge-Kutta method: 1e-12 off at rates of up to 3.
template <class System>
auto exact_at_2(const TopParameters& body, const Point& start) {
  using T = double;
  const typename System::template Model<T> model(body.data());
  auto x = to_state<System, T>(start);
  constexpr int steps = 1 << 12;
  const T h = T(2) / steps;
  const auto rate = [&](const auto& at) { return flow<System, T>(model, at); };
  for (int n = 0; n < steps; ++n) {
    const auto a = rate(x), b = rate(fma(h / 2, a, x)), c = rate(fma(h / 2, b, x)), d = rate(fma(h, c, x));
    x = fma(h / 6, a + T(2) * b + T(2) * c + d, x);
  }
  return x;
}

TYPED_TEST(DeclaredProperties, Order) {
  using System = typename TypeParam::System;
  // The next term of the error moves the slope by the step times the rate, so that order 1 needs smaller steps; by 0.03
  // at most for the methods and 0.054 for the explicit midpoint (measured).
  const int finer = TypeParam::properties.order == 1 ? 8 : 1;
  for (const TopParameters* body : this->bodies) {
    const auto exact = exact_at_2<System>(*body, body_start);
    double previous = 0;
    for (const int steps : {40 * finer, 80 * finer, 160 * finer}) {
      auto x = to_state<System, double>(body_start);
      ASSERT_TRUE((advance<TypeParam, double>(*body, 2.0 / steps, steps, x)));
      double error = 0;
      for (int i = 0; i < System::dim; ++i) error = std::max(error, std::abs(x[i] - exact[i]));
      if (previous > 0) {
        EXPECT_NEAR(std::log2(previous / error), TypeParam::properties.order, 0.07)
            << "chi1 = " << (*body)[3] << ", " << steps << " steps, error " << error;
      }
      previous = error;
    }
  }
}

/// Largest difference of x from where a step h and a step -h bring it, over 100 points.
template <class Method>
double way_back(const TopParameters& body, double h) {
  using System = typename Method::System;
  std::mt19937_64 random(7);
  double worst = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const auto x = to_state<System, double>(random_point(random));
    auto back = x;
    EXPECT_TRUE((advance<Method, double>(body, h, 1, back)));
    EXPECT_TRUE((advance<Method, double>(body, -h, 1, back)));
    worst = std::max(worst, largest_difference(back, x));
  }
  return worst;
}

TYPED_TEST(DeclaredProperties, Symmetric) {
  for (const TopParameters* body : this->bodies) {
    const double coarse = way_back<TypeParam>(*body, 0.05), fine = way_back<TypeParam>(*body, 0.025);
    if (TypeParam::properties.symmetric) {
      EXPECT_LT(coarse, 1e-14);  // two steps of round-off at |Pi| up to 5
      EXPECT_LT(fine, 1e-14);
    } else {
      // Terms h^(order+1) of the two steps add up for odd order and cancel for even.
      const int power =
          TypeParam::properties.order % 2 == 1 ? TypeParam::properties.order + 1 : TypeParam::properties.order + 2;
      EXPECT_GT(fine, 1e-7);
      EXPECT_NEAR(std::log2(coarse / fine), power, 0.3);
    }
  }
}

/// The largest changes of the energy and of the next two invariants (|Gamma|^2 or |q|^2, Pi.Gamma) over the run;
/// infinity where the state does not stay finite.
template <class Method>
Vec<double, 3> drifts(const TopParameters& body, double h, int steps, const Point& start) {
  using System = typename Method::System;
  const typename System::template Model<double> model(body.data());
  const typename Method::template Step<double> step(model, h, Method::template nominal_sweeps<double>(body.data(), h));
  auto x = to_state<System, double>(start);
  const auto start_state = x;
  Vec<double, 3> worst{0, 0, 0};
  for (int n = 0; n < steps; ++n) {
    EXPECT_TRUE(step(x, x, true));
    for (int i = 0; i < 3; ++i) {
      const double change = std::abs(model.invariant(i, x) - model.invariant(i, start_state));
      worst[i] = change <= std::numeric_limits<double>::max() ? std::max(worst[i], change) : HUGE_VAL;
    }
  }
  return worst;
}

TYPED_TEST(DeclaredProperties, Casimirs) {
  for (const TopParameters* body : this->bodies)
    for (const Point& x : points) {
      const auto worst = drifts<TypeParam>(*body, 0.05, 10000, x);
      if (TypeParam::properties.casimirs) {
        // Round-off of 1e-16 in a step, at worst all with one sign; 3 is the size of the terms of Pi.Gamma.
        EXPECT_LT(worst[1], 1e-12) << "chi1 = " << (*body)[3];
        EXPECT_LT(worst[2], 3e-12) << "chi1 = " << (*body)[3];
      } else {
        EXPECT_GT(worst[1], 1e-6) << "chi1 = " << (*body)[3];
        EXPECT_GT(worst[2], 1e-6) << "chi1 = " << (*body)[3];
      }
    }
}

TYPED_TEST(DeclaredProperties, Energy) {
  for (const TopParameters* body : this->bodies)
    for (const Point& x : points) {
      const int finer = TypeParam::properties.order == 1 ? 8 : 1;  // as for the order
      double previous = 0;
      for (const int steps : {40 * finer, 80 * finer, 160 * finer}) {
        const double error = drifts<TypeParam>(*body, 2.0 / steps, steps, x)[0];
        if (TypeParam::properties.energy) {
          EXPECT_LT(error, 1e-13) << "chi1 = " << (*body)[3];  // 160 roundings of an energy up to 5
          continue;
        }
        EXPECT_GT(error, 1e-6) << "chi1 = " << (*body)[3] << ", " << steps << " steps";
        if (previous > 0) {
          // As for the order, and the largest error falls between two steps.
          EXPECT_NEAR(std::log2(previous / error), TypeParam::properties.order, 0.25)
              << "chi1 = " << (*body)[3] << ", " << steps << " steps, error " << error;
        }
        previous = error;
      }
    }
}

TYPED_TEST(DeclaredProperties, FloatHasTheErrorsOfFloat) {
  // 40 steps to t = 2 in single against double precision.
  using System = typename TypeParam::System;
  double worst = 0;
  for (const TopParameters* body : this->bodies)
    for (const Point& start : points) {
      auto wide = to_state<System, double>(start);
      auto narrow = to_state<System, float>(start);
      ASSERT_TRUE((advance<TypeParam, double>(*body, 0.05, 40, wide)));
      ASSERT_TRUE((advance<TypeParam, float>(*body, 0.05, 40, narrow)));
      for (int i = 0; i < System::dim; ++i) worst = std::max(worst, std::abs(wide[i] - double(narrow[i])));
    }
  // 3.6e-7 to 3.6e-6 were measured: some units in the last place (2^-23 at |Pi| up to 2) for each root of 40 steps.
  EXPECT_GT(worst, 1e-7);
  EXPECT_LT(worst, 1e-5);
}

}  // namespace
}  // namespace polhode::test

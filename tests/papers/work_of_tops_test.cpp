// Arithmetic that methods for the heavy top take for an error: RATTLE beside splittings into rotations (McLachlan &
// Scovel 1995, sect. 1) and Lie-group methods (Hairer 2003, remark 5.1). Operations are counted by running the steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

#include "numerics/support.hpp"
#include "polhode/method/axis_rotations.hpp"
#include "polhode/method/mclachlan_reich.hpp"
#include "throughput/counting.hpp"

namespace polhode::test {
namespace {

using Counted = Counting<double>;
using Three = Vec<Counted, 3>;
using State = HeavyTop::State<Counted>;

Three three(const double* v) { return {Counted(v[0]), Counted(v[1]), Counted(v[2])}; }
const HeavyTop::Model<Counted> model(heavy_body.data());

/// An element of se(3): the velocity of a frame in its own axes.
struct Twist {
  Three turn, shift;
};
Twist operator+(const Twist& a, const Twist& b) { return {a.turn + b.turn, a.shift + b.shift}; }
Twist operator*(Counted s, const Twist& a) { return {s * a.turn, s * a.shift}; }

/// (Pi, Gamma) moved by the Cayley transform of a twist: R^T (Pi + Gamma x a), R^T Gamma with R = cay(u), a = (1 -
/// hat(u) / 2)^-1 w.
State moved(const State& x, const Twist& twist) {
  const Counted half(0.5), one(1), two(2);
  const Three b = half * twist.turn, &w = twist.shift;
  const Counted scale = one / (one + dot(b, b));
  const Three a = scale * (w + cross(b, w) + dot(b, w) * b);
  const auto turned_back = [&](const Three& v) {
    const Three t = cross(b, v);
    return v + two * scale * (cross(b, t) - t);
  };
  const Three gamma{x[3], x[4], x[5]}, pi = turned_back(Three{x[0], x[1], x[2]} + cross(gamma, a)),
                                       turned = turned_back(gamma);
  return {pi[0], pi[1], pi[2], turned[0], turned[1], turned[2]};
}

/// The rate of the twist s whose Cayley transform moves with the velocity v in its own axes: v + [s, v] / 2 - s v s
/// / 4.
Twist rate_of_twist(const Twist& s, const Twist& v) {
  const Counted half(0.5), fourth(0.25);
  return {v.turn + half * cross(s.turn, v.turn) + fourth * dot(s.turn, v.turn) * s.turn,
          v.shift + half * (cross(s.turn, v.shift) - cross(v.turn, s.shift)) -
              fourth * cross(s.turn, cross(v.turn, s.shift))};
}

/// The Runge-Kutta-Munthe-Kaas step of a top on the coadjoint orbits of SE(3), in Cayley's coordinates: by Heun's
/// second stage alone (the midpoint, order 2), or by the classical method of order 4.
State lie_group_step(int order, double h, const State& x) {
  const Three weight = Counted(heavy_body[6]) * three(&heavy_body[3]);
  const auto rate = [&](const Twist& s, const State& y) {
    return rate_of_twist(s, {model.omega({y[0], y[1], y[2]}), weight});
  };
  const Counted step(h), half(h / 2), third(h / 3), sixth(h / 6);
  const auto at = [&](const Twist& s) { return rate(s, moved(x, s)); };
  const Twist k1{model.omega({x[0], x[1], x[2]}), weight}, k2 = at(half * k1);
  if (order == 2) return moved(x, step * k2);
  const Twist k3 = at(half * k2), k4 = at(step * k3);
  return moved(x, sixth * (k1 + k4) + third * (k2 + k3));
}

/// A method: makes the map of one step h.
using Integrator = std::function<std::function<State(const State&)>(double h)>;

template <class Method>
Integrator method() {
  return [](double h) {
    const auto step = std::make_shared<typename Method::template Step<Counted>>(
        model, Counted(h), Method::template nominal_sweeps<double>(heavy_body.data(), h));
    return [step](const State& x) {
      State y;
      EXPECT_TRUE((*step)(x, y, true));
      return y;
    };
  };
}
Integrator lie_group_method(int order) {
  return [order](double h) { return [order, h](const State& x) { return lie_group_step(order, h, x); }; };
}
/// Steps of another method by fractions of the step.
Integrator composed(const Integrator& of, const std::vector<double>& fractions) {
  return [of, fractions](double h) {
    std::vector<std::function<State(const State&)>> parts;
    for (const double fraction : fractions) parts.push_back(of(fraction * h));
    return [parts](const State& x) {
      return std::accumulate(parts.begin(), parts.end(), x, [](const State& y, const auto& part) { return part(y); });
    };
  };
}

constexpr double time = 10;
struct Outcome {
  double error;  ///< of Pi, largest component
  double work;   ///< operations
};
Outcome run(const Integrator& integrator, int steps) {
  State x;
  for (int i = 0; i < 6; ++i) x[i] = Counted(body_start[i]);
  const auto step = integrator(time / steps);
  counted = {};
  for (int n = 0; n < steps; ++n) x = step(x);
  Outcome done{0, counted.issued() + counted.divisions};
  for (int i = 0; i < 3; ++i) done.error = std::max(done.error, std::abs(x[i].value - heavy_body_pi_at_10[i]));
  return done;
}

/// Operations for a unit of time with which the error is this large. Between two numbers of steps a power of the error.
double work_for(double error, const Integrator& integrator) {
  Outcome coarse = run(integrator, 40);
  for (double steps = 48; steps < 1e5; steps *= 1.2) {
    const Outcome fine = run(integrator, static_cast<int>(steps));
    if (fine.error < error) {
      const double share = std::log(coarse.error / error) / std::log(coarse.error / fine.error);
      return std::pow(coarse.work, 1 - share) * std::pow(fine.work, share) / time;
    }
    coarse = fine;
  }
  return NAN;
}

const Integrator rattle = method<Rattle<HeavyTop, CayleySolver>>(),
                 splitting = method<BoundMethod<McLachlanReichMethod, AxisRotations<HeavyTop>>>();

TEST(LieGroupMethods, StayOnTheirOrbit) {
  State x;
  for (int i = 0; i < 6; ++i) x[i] = Counted(body_start[i]);
  const double casimir = body_start[2];  // Pi.Gamma with Gamma = e3
  for (int n = 0; n < 100; ++n) x = lie_group_step(4, 0.1, x);
  EXPECT_NEAR((x[3] * x[3] + x[4] * x[4] + x[5] * x[5]).value, 1, 5e-15);  // rounding of 100 rotations
  EXPECT_NEAR((x[0] * x[3] + x[1] * x[4] + x[2] * x[5]).value, casimir, 1e-14);
}

/// H: "comparable to the most efficient integrators". A Lie-group method of its order, which is not symplectic, takes
/// two thirds of the operations. Ratios were .88 to 1.20 and 1.52 to 1.73.
TEST(WorkOfTops, OfRattleIsThatOfASplittingAndNearThatOfALieGroupMethod) {
  for (const double error : {1e-2, 1e-3, 1e-4}) {
    const double work = work_for(error, rattle), of_splitting = work_for(error, splitting),
                 of_lie_group_method = work_for(error, lie_group_method(2));
    EXPECT_GT(work, 0.8 * of_splitting) << error;
    EXPECT_LT(work, 1.3 * of_splitting) << error;
    EXPECT_GT(work, 1.4 * of_lie_group_method) << error;
    EXPECT_LT(work, 1.9 * of_lie_group_method) << error;
  }
}

/// Suzuki's composition beside the classical method. Ratios were 1.87 and 1.64.
TEST(WorkOfTops, OfOrder4IsNearThatOfALieGroupMethod) {
  const double outer = 1 / (4 - std::cbrt(4.));
  const Integrator of_order_4 = composed(rattle, {outer, outer, 1 - 4 * outer, outer, outer});
  for (const double error : {1e-4, 1e-6}) {
    const double ratio = work_for(error, of_order_4) / work_for(error, lie_group_method(4));
    EXPECT_GT(ratio, 1.5) << error;
    EXPECT_LT(ratio, 2) << error;
  }
  EXPECT_GT(work_for(1e-4, rattle), 3 * work_for(1e-4, of_order_4));
}

/// MS: bodies "can be explicitly symplecticly integrated directly in the reduced phase space, by splitting the
/// Hamiltonian": nothing is solved for, whatever the state and the step, where RATTLE repeats sweeps in long steps.
TEST(WorkOfTops, OfASplittingIsTheSameInEveryStep) {
  const double of_a_step = run(splitting, 1).work;
  EXPECT_EQ(run(splitting, 50).work, 50 * of_a_step);
  EXPECT_EQ(run(splitting, 1000).work, 1000 * of_a_step);
  EXPECT_GT(run(rattle, 50).work / 50, 3 * run(rattle, 1000).work / 1000);
  EXPECT_GT(of_a_step, 2 * run(rattle, 1000).work / 1000);  // six rotations of two vectors
}

}  // namespace
}  // namespace polhode::test

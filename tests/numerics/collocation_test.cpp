// Gauss collocation and Lobatto's pair without constraints (polhode/method/collocation.hpp,
// partitioned_collocation.hpp), with each number of stages: order, symmetry, what is kept, what else they are, and how
// steps fail. properties_test.cpp has those of the catalog with their default and one stage.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "numerics/structures.hpp"
#include "polhode/method/collocation.hpp"
#include "polhode/method/common.hpp"
#include "polhode/method/kick_drift.hpp"
#include "polhode/method/partitioned_collocation.hpp"
#include "polhode/method/runge_kutta.hpp"
#include "polhode/method/stoermer_verlet.hpp"
#include "polhode/scalar/dual.hpp"
#include "polhode/system/central.hpp"
#include "polhode/system/heavy_top.hpp"
#include "polhode/system/henon_heiles.hpp"
#include "polhode/system/kepler.hpp"
#include "polhode/system/pendulum_chain.hpp"
#include "polhode/system/rigid_body.hpp"
#include "spec/method_step.hpp"
#include "support/carousel.hpp"

namespace polhode::test {
namespace {

template <class System>
using OnFlow = Collocation<System, FlowStages>;
template <class System>
using OnPairs = Collocation<System, CanonicalStages>;

CollocationOptions gauss(int stages) { return {.nodes = CollocationNodes::gauss, .stages = stages}; }
CollocationOptions lobatto(int stages) { return {.nodes = CollocationNodes::lobatto, .stages = stages}; }
/// Those of canonical systems.
std::vector<CollocationOptions> all_methods() {
  std::vector<CollocationOptions> all;
  for (int s = 1; s <= 8; ++s) all.push_back(gauss(s));
  for (int s = 2; s <= 4; ++s) all.push_back(lobatto(s));
  return all;
}
std::string name_of(const CollocationOptions& method) {
  return (method.nodes == CollocationNodes::gauss ? "gauss " : "lobatto ") + std::to_string(method.stages);
}
int order_of(const CollocationOptions& method) {
  return method.nodes == CollocationNodes::gauss ? 2 * method.stages : 2 * method.stages - 2;
}

template <class System>
std::vector<double> example() {
  std::vector<double> p(std::begin(System::example_parameters), std::end(System::example_parameters));
  p.reserve(1);  // not null without parameters
  return p;
}

/// Steps of a map from the system's example on, at its example parameters.
template <class Map, class T>
class Stepper {
 public:
  using System = typename Map::System;
  using State = typename System::template State<T>;

  Stepper(const Scheme& scheme, double h)
      : parameters_(example<System>()),
        scheme_(scheme),
        model_(parameters_.data()),
        common_(typename System::template Model<Real<T>>(parameters_.data()), options_of<Map>(scheme)),
        constants_(model_, options_of<Map>(scheme), scheme.kicks, T(static_cast<Real<T>>(h))),
        sweeps_(Map::template nominal_sweeps<double>(parameters_.data(), options_of<Map>(scheme), scheme.kicks, h)) {}

  Stepper(const Stepper&) = delete;  // the model may refer to the parameters

  State start() const {
    State x;
    const auto typical = typical_state<System, double>(parameters_.data());
    for (int i = 0; i < System::dim; ++i) x[i] = T(static_cast<Real<T>>(typical[i]));
    return x;
  }
  bool step(State& x) const { return make()(x, x, true); }
  Status failure(const State& x) const { return make().failures(x).status(0); }
  /// Expects valid steps.
  State after(int steps, State x) const {
    bool valid = true;
    for (int n = 0; n < steps; ++n) valid = step(x) && valid;
    EXPECT_TRUE(valid);
    return x;
  }
  const auto& model() const { return model_; }

 private:
  auto make() const {
    return make_step<Map, T, T, Real<T>>(model_, options_of<Map>(scheme_), scheme_.kicks, common_, constants_, sweeps_);
  }

  std::vector<double> parameters_;
  Scheme scheme_;
  typename System::template Model<T> model_;
  CommonOf<Map, Real<T>> common_;
  typename Map::template Constants<T> constants_;
  int sweeps_;
};

/// Of two states, over the norm of the second.
template <class State>
auto distance(const State& a, const State& b) {
  const State difference = a - b;
  return std::sqrt(dot(difference, difference) / dot(b, b));
}

/// A state about the example.
template <class Map>
typename Map::System::template State<double> start_near(const Stepper<Map, double>& stepper, std::mt19937_64& random) {
  auto x = stepper.start();
  std::normal_distribution<double> normal(0, 0.05);
  for (int i = 0; i < Map::System::dim; ++i) x[i] += normal(random);
  return x;
}

/// Halves the step three times, in numbers of 64 bits: the last slope of the error that is above their round-off is the
/// order.
template <class Map>
void expect_order(const CollocationOptions& method, double time, int first) {
  using Number = long double;
  SCOPED_TRACE(name_of(method));
  const auto end = [&](const CollocationOptions& of, int steps) {
    const Stepper<Map, Number> stepper(of, time / steps);
    return stepper.after(steps, stepper.start());
  };
  const auto exact = end(gauss(8), 64);  // to round-off
  Number previous = 0, slope = 0;
  for (const int steps : {first, 2 * first, 4 * first, 8 * first}) {
    const Number error = distance(end(method, steps), exact);
    if (error < 3e-17L) break;  // 20 times the round-off of some steps
    slope = std::log2(previous / error);
    previous = error;
  }
  // The next term is h^2 smaller. Of orders from 12 on the steps are long: at half of them the error is round-off.
  EXPECT_NEAR(slope, order_of(method), order_of(method) < 12 ? 0.05 : 0.2) << previous;
}

TEST(Gauss, HasTwiceTheOrderOfItsStages) {
  for (int s = 1; s <= 8; ++s) expect_order<OnFlow<SphericalPendulum>>(gauss(s), 1, s < 6 ? 16 : 2);
  // Of order 16 no two errors of a top are in the asymptotic range and above round-off.
  for (int s = 1; s <= 7; ++s) expect_order<OnFlow<HeavyTop>>(gauss(s), 3, s < 5 ? 16 : 2);
  for (int s = 1; s <= 5; ++s) {
    expect_order<OnPairs<Carousel>>(gauss(s), 3, 8);
    expect_order<OnPairs<Kepler>>(gauss(s), 1, 8);
  }
}

TEST(Lobatto, HasOrdersTwoFourAndSix) {
  for (int s = 2; s <= 4; ++s) {
    expect_order<OnPairs<Carousel>>(lobatto(s), 2, 8);
    expect_order<OnPairs<Kepler>>(lobatto(s), 1, 16);
    expect_order<OnPairs<HenonHeiles>>(lobatto(s), 2, 8);
  }
}

/// Whether one step of two maps over h ends at the same points.
template <class A, class B>
void expect_same_map(const Scheme& a, const Scheme& b, double h) {
  const Stepper<A, double> first(a, h);
  const Stepper<B, double> second(b, h);
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 100; ++trial) {
    const auto x = start_near<A>(first, random);
    EXPECT_LT(distance(first.after(1, x), second.after(1, x)), 1e-15);  // round-off of some operations
  }
}

TEST(Gauss, OfOneStageIsTheMidpointRule) {
  const RungeKuttaOptions midpoint{.scheme = RungeKuttaScheme::implicit_midpoint};
  expect_same_map<OnFlow<HeavyTop>, RungeKutta<HeavyTop>>(gauss(1), midpoint, 0.05);
  expect_same_map<OnFlow<RigidBody>, RungeKutta<RigidBody>>(gauss(1), midpoint, 0.05);
  expect_same_map<OnFlow<DoubleSphericalPendulum>, RungeKutta<DoubleSphericalPendulum>>(gauss(1), midpoint, 0.02);
  expect_same_map<OnPairs<HenonHeiles>, RungeKutta<HenonHeiles>>(gauss(1), midpoint, 0.1);
  expect_same_map<OnPairs<Carousel>, RungeKutta<Carousel>>(gauss(1), midpoint, 0.05);
}

TEST(Lobatto, OfTwoStagesIsTheMethodOfStoermerAndVerlet) {
  const Scheme verlet = scheme_of<StoermerVerletMethod>();
  expect_same_map<OnPairs<HenonHeiles>, KickDrift<HenonHeiles>>(lobatto(2), verlet, 0.1);
  expect_same_map<OnPairs<Kepler>, KickDrift<Kepler>>(lobatto(2), verlet, 0.05);
  expect_same_map<OnPairs<Central>, KickDrift<Central>>(lobatto(2), verlet, 0.05);
}

TEST(Pairs, AndFlowsGiveOneMapOfGauss) {
  for (int s = 1; s <= 8; ++s) expect_same_map<OnPairs<Carousel>, OnFlow<Carousel>>(gauss(s), gauss(s), 0.05);
}

template <class Map>
void expect_symmetric(const CollocationOptions& method, double h) {
  SCOPED_TRACE(name_of(method));
  const Stepper<Map, double> there(method, h), back(method, -h);
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 50; ++trial) {
    const auto x = start_near<Map>(there, random);
    EXPECT_LT(distance(back.after(1, there.after(1, x)), x), 2e-15);  // two steps' round-off
  }
}

TEST(Collocation, IsSymmetric) {
  for (const CollocationOptions& method : all_methods()) {
    expect_symmetric<OnPairs<Carousel>>(method, 0.3);
    expect_symmetric<OnPairs<Kepler>>(method, 0.1);
  }
  for (int s = 1; s <= 8; ++s) {
    expect_symmetric<OnFlow<HeavyTop>>(gauss(s), 0.2);
    expect_symmetric<OnFlow<DoubleSphericalPendulum>>(gauss(s), 0.02);
  }
}

/// A step and its derivative along one direction.
template <class Map>
TangentMap tangent_map(const CollocationOptions& method, double h) {
  using Along = Dual<double, 1>;
  return [stepper = std::make_shared<const Stepper<Map, Along>>(method, h)](State& x, State& tangent) {
    typename Map::System::template State<Along> point;
    for (int i = 0; i < Map::System::dim; ++i) {
      point[i] = Along(x[i]);
      point[i].tangent[0] = tangent[i];
    }
    const bool valid = stepper->step(point);
    for (int i = 0; i < Map::System::dim; ++i) {
      x[i] = point[i].value;
      tangent[i] = point[i].tangent[0];
    }
    return valid;
  };
}
template <class Map>
State example_of() {
  const Stepper<Map, double> stepper(gauss(1), 0.1);
  return Eigen::Map<const State>(stepper.start().v, Map::System::dim);
}

TEST(Collocation, IsSymplecticOnCanonicalSystems) {
  for (const CollocationOptions& method : all_methods()) {
    SCOPED_TRACE(name_of(method));
    const Eigen::MatrixXd none(0, 4);
    // Sums of products of derivatives of size 1, known to round-off.
    EXPECT_LT(form_defect(none, example_of<OnPairs<Carousel>>(), tangent_map<OnPairs<Carousel>>(method, 0.3)), 2e-14);
    EXPECT_LT(form_defect(none, example_of<OnPairs<Kepler>>(), tangent_map<OnPairs<Kepler>>(method, 0.1)), 2e-14);
  }
}

TEST(Gauss, IsNotAPoissonMapOfAHeavyTop) {
  const State x = example_of<OnFlow<HeavyTop>>();
  for (int s = 1; s <= 3; ++s) {
    const auto defect = [&](double h) {
      return poisson_defect(bracket_on_se3, x, tangent_map<OnFlow<HeavyTop>>(gauss(s), h));
    };
    EXPECT_GT(defect(0.4), 1e-8) << s;
    // Changed by a term of the local error or by the next ones.
    const double power = std::log2(defect(0.8) / defect(0.4));
    EXPECT_GT(power, 2 * s + 0.5) << s;
    EXPECT_LT(power, 2 * s + 2.5) << s;
  }
}

TEST(Gauss, KeepsTheQuadraticIntegralsOfAHeavyTop) {
  // Energy, |Gamma|^2 and Pi.Gamma over 10^4 steps, in which their round-off goes as a random walk, 1e-14.
  for (const int s : {1, 2, 3, 8}) {
    const Stepper<OnFlow<HeavyTop>, double> stepper(gauss(s), 0.1);
    const auto start = stepper.start();
    auto x = start;
    double worst = 0;
    for (int n = 0; n < 10000; ++n) {
      ASSERT_TRUE(stepper.step(x));
      for (int k = 0; k < 3; ++k)
        worst = std::max(worst, std::abs(stepper.model().invariant(k, x) - stepper.model().invariant(k, start)));
    }
    EXPECT_LT(worst, 1e-13) << s;
  }
}

TEST(Gauss, KeepsTheEnergyOfABodyAndNotItsCubicMomentum) {
  const Stepper<OnFlow<RigidBody>, double> stepper(gauss(2), 0.1);
  const auto start = stepper.start();
  const auto x = stepper.after(1000, start);
  const auto change = [&](int k) {
    return std::abs(stepper.model().invariant(k, x) - stepper.model().invariant(k, start));
  };
  EXPECT_LT(change(0), 2e-14);  // energy, of degree 2 in (Pi, q); round-off of 1000 steps
  EXPECT_LT(change(1), 2e-14);  // |q|^2
  EXPECT_GT(change(2), 1e-8);   // Pi.Gamma
}

TEST(Collocation, KeepsTheAngularMomentum) {
  // Linear in q and in p; round-off of 1000 steps.
  for (const CollocationOptions& method : all_methods()) {
    SCOPED_TRACE(name_of(method));
    const auto expect_kept = [](const auto& stepper) {
      const auto start = stepper.start();
      EXPECT_NEAR(stepper.model().invariant(1, stepper.after(1000, start)), stepper.model().invariant(1, start), 2e-14);
    };
    expect_kept(Stepper<OnPairs<Kepler>, double>(method, 0.05));
    expect_kept(Stepper<OnPairs<Carousel>, double>(method, 0.1));
  }
}

template <class Map>
void expect_failure(const CollocationOptions& method, double h, typename Map::System::template State<double> x,
                    Status why) {
  SCOPED_TRACE(name_of(method));
  const Stepper<Map, double> stepper(method, h);
  EXPECT_EQ(stepper.failure(x), why);
  EXPECT_FALSE(stepper.step(x));
}

TEST(Collocation, FailsForAReason) {
  constexpr double huge = std::numeric_limits<double>::max();
  for (const CollocationOptions& method : all_methods()) {
    // Ten times as long as a step for which sweeps contract.
    auto x = Stepper<OnPairs<Carousel>, double>(method, 0.1).start();
    expect_failure<OnPairs<Carousel>>(method, 20, x, Status::not_converged);
    x[2] = huge;
    expect_failure<OnPairs<Carousel>>(method, 0.1, x, Status::not_finite);
  }
  for (int s = 1; s <= 8; ++s) {
    auto top = Stepper<OnFlow<HeavyTop>, double>(gauss(s), 0.1).start();
    expect_failure<OnFlow<HeavyTop>>(gauss(s), 20, top, Status::not_converged);
    top[0] = huge;
    expect_failure<OnFlow<HeavyTop>>(gauss(s), 0.1, top, Status::not_finite);
    auto pendulum = Stepper<OnFlow<SphericalPendulum>, double>(gauss(s), 0.1).start();
    for (int i = 0; i < 3; ++i) pendulum[i] = 0;
    expect_failure<OnFlow<SphericalPendulum>>(gauss(s), 0.1, pendulum, Status::singular);
  }
}

TEST(Collocation, CostsNothingOutsideTheActiveLanes) {
  const std::vector<double> p = example<Carousel>();
  using Map = OnPairs<Carousel>;
  const Carousel::Model<double> model(p.data());
  const CollocationOptions options = gauss(2);
  const Kicks kicks;
  const Map::Common<double> common(model, options);
  const Map::Constants<double> constants(model, gauss(2), {}, 20);
  const auto step = make_step<Map, double, double, double>(model, options, kicks, common, constants, 1);
  auto x = typical_state<Carousel, double>(p.data());
  EXPECT_TRUE(step(x, x, false));  // though it has no solution
}

TEST(Collocation, IsComposedAsEverySymmetricMap) {
  // Fractions for maps of order 2 raise that of one stage.
  const MethodStep composed = step_of(*find_method("henon-heiles", "gauss"),
                                      {{"stages", std::int64_t{1}}, {"composition", std::string("yoshida4")}});
  EXPECT_EQ(composed.properties.order, 4);
  EXPECT_TRUE(composed.properties.symmetric);
  using Map = OnPairs<HenonHeiles>;
  const auto end = [&](double h, int steps) {
    std::deque<Stepper<Map, double>> parts;
    for (int i = 0; i < composed.step_plan.n_stages; ++i)
      parts.emplace_back(options_from<CollocationOptions>(composed.step_plan.options),
                         composed.step_plan.stages[i].fraction * h);
    auto x = parts.front().start();
    for (int n = 0; n < steps; ++n)
      for (const auto& part : parts) x = part.after(1, x);
    return x;
  };
  const Stepper<Map, double> exact(gauss(8), 0.1);
  const auto goal = exact.after(20, exact.start());
  EXPECT_NEAR(std::log2(distance(end(0.1, 20), goal) / distance(end(0.05, 40), goal)), 4, 0.1);
}

}  // namespace
}  // namespace polhode::test

// Shadow energies of the fast steps against numbers in 113-bit arithmetic, the orders of their ranges on every kind of
// system and for every step map that has a discrete action, and a method that drifts in all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <type_traits>
#include <vector>

#include "numerics/support.hpp"
#include "polhode/method/axis_rotations.hpp"
#include "polhode/method/constrained_collocation.hpp"
#include "polhode/method/constrained_motion.hpp"
#include "polhode/method/constraint_algorithm.hpp"
#include "polhode/method/discrete_rotation_n.hpp"
#include "polhode/method/discrete_routh_map.hpp"
#include "polhode/method/generated_map.hpp"
#include "polhode/method/kick_drift.hpp"
#include "polhode/method/kicked_rotation.hpp"
#include "polhode/method/partitioned_collocation.hpp"
#include "polhode/method/runge_kutta.hpp"
#include "polhode/method/substituted_runge_kutta.hpp"
#include "polhode/method/variational_map.hpp"
#include "polhode/run/shadow_energy.hpp"
#include "polhode/system/double_pendulum_shape.hpp"
#include "polhode/system/heavy_top.hpp"
#include "polhode/system/henon_heiles.hpp"
#include "polhode/system/magnetic_pendulum.hpp"
#include "polhode/system/pendulum_chain.hpp"
#include "polhode/system/rigid_body_n.hpp"
#include "polhode/system/routh_reduced.hpp"
#include "polhode/system/underwater_vehicle_reduced.hpp"

namespace polhode::test {
namespace {

constexpr Kicks halves{.before = 0.5, .after = 0.5}, whole{.before = 1, .after = 0}, adjoint{.before = 0, .after = 1},
    none{};

/// Energy, then shadow energies of order 4, 6 and 8.
using Energies = std::array<double, 4>;

/// Values of a run at its start, their ranges, and the means of its quarters.
struct Course {
  Energies first, range;
  std::array<Energies, 4> quarters{};
};

/// A system with parameters, a start and a step map.
template <class Map>
struct Orbit {
  std::vector<double> parameters, start;
  Kicks kicks;
  OptionsOf<Map> options{};
  /// Kicks and fractions of the stages of a composition; none for the map alone.
  std::vector<Stage> stages{};

  Course course(double h, double time) const {
    using System = typename Map::System;
    Plan plan{};
    std::copy(parameters.begin(), parameters.end(), plan.parameters);
    plan.step = h;
    plan.step_plan.options = to_bytes(options);
    plan.step_plan.kicks[0] = kicks;
    plan.step_plan.stages[0].sweeps =
        static_cast<std::int16_t>(Map::template nominal_sweeps<double>(parameters.data(), options, kicks, h));
    if (!stages.empty()) {
      plan.step_plan.n_stages = static_cast<int>(stages.size());
      std::copy(stages.begin(), stages.end(), plan.step_plan.stages);
    }
    const typename System::template Model<double> model(plan.parameters);
    const StageConstants<Map, double> constants(plan);
    const NominalStep<Map, double> step(model, plan.step_plan, constants);
    typename System::template State<double> x;
    std::copy(start.begin(), start.end(), &x[0]);

    Energies least, largest;
    least.fill(std::numeric_limits<double>::infinity());
    largest.fill(-least[0]);
    Course course;
    const std::int64_t steps = std::llround(time / h), last = steps - max_shadow_steps;
    for (std::int64_t n = 0; n <= last; ++n) {
      Energies now{model.invariant(0, x)};
      for (int k = 2; k <= max_shadow_steps; ++k) now[k - 1] = ShadowEnergy<Map, double>(model, plan, constants, k)(x);
      if (n == 0) course.first = now;
      for (int i = 0; i < 4; ++i) {
        least[i] = std::min(least[i], now[i]);
        largest[i] = std::max(largest[i], now[i]);
        course.range[i] = largest[i] - least[i];
        course.quarters[std::min<std::int64_t>(4 * n / last, 3)][i] += (now[i] - course.first[i]) * 4 / (last + 1);
      }
      auto y = x;
      Failures<double> failures;
      EXPECT_TRUE(step(x, y, true, failures)) << n;
      x = y;
    }
    return course;
  }
};

/// The start of theory on the Henon-Heiles system at the energy 1/8.
const std::vector<double> on_henon_heiles{0, 0.1, std::sqrt(0.21 - 2 * (0.005 - 0.001 / 3)), 0.2};
const std::vector<double> on_sphere{0.6, 0, -0.8, 0.2, 0.7, 0.15}, in_field{0.6, 0, -0.8, 0.152, 0.772, 0.114};
using Pendulum = PendulumChain<1>;
using TwoPendula = PendulumChain<2>;

const Orbit<KickDrift<HenonHeiles>> verlet{{}, on_henon_heiles, halves};
const Orbit<ConstrainedMotion<Pendulum, NewtonSolver>> rattle{{1, 1, 1}, on_sphere, halves};
/// Hairer's top: quaternion (.4, .2, .4, .8).
const std::vector<double> of_hairer{0.5, 0.9, 1, 0, 0, 1, 1}, hairer_start{0.1, 0.9, 0.4, 0, 0.8, 0.6};
const Orbit<KickedRotation<HeavyTop, CayleySolver>> top{of_hairer, hairer_start, halves};
/// S_chaotic of the vehicle's section.
const Orbit<KickedRotation<UnderwaterVehicleReduced, CayleySolver>> vehicle{
    {0.218, 0.357, 0.335, 1.234, 1.341, 2.253, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, 1},
    {0.22847244656196041135, 0.08, 0.1, 0.33047791591109987464, -0.94381372478633515595, 0},
    halves};

/// Numbers known for steps h: the range of the energy, and of order 4, 6 and 8 the first value and the range.
struct Known {
  double h, energy;
  double first[3], range[3];
};
template <class Map>
void expect_known(const Orbit<Map>& run, std::initializer_list<Known> all) {
  for (const Known& known : all) {
    const Course course = run.course(known.h, 20);
    EXPECT_NEAR(course.range[0] / known.energy, 1, 1e-6) << known.h;
    for (int i = 0; i < 3; ++i) {
      // Round-off of a value, with sums over h, is a few units over h; ranges were printed with five digits.
      EXPECT_NEAR(course.first[i + 1], known.first[i], 1e-15 / known.h) << known.h << ", order " << 4 + 2 * i;
      EXPECT_NEAR(course.range[i + 1] / known.range[i], 1, 1e-4 + 1e-14 / known.range[i])
          << known.h << ", order " << 4 + 2 * i;
    }
  }
}

TEST(ShadowEnergy, HasTheValuesOfManyDigits) {
  expect_known(verlet, {{0.2,
                         1.607859e-3,
                         {0.1258972637716109457, 0.1259043457159114304, 0.1259046506190269850},
                         {1.8152e-5, 3.2512e-7, 1.5191e-8}},
                        {0.1,
                         3.981371e-4,
                         {0.1252240635854076921, 0.1252245015333410325, 0.1252245053654980138},
                         {1.1287e-6, 5.1949e-9, 6.1619e-11}},
                        {0.05,
                         9.941693e-5,
                         {0.1250559962955728750, 0.1250560236571991204, 0.1250560237089673398},
                         {7.068e-8, 8.1726e-11, 2.4419e-13}}});
  expect_known(rattle, {{0.2,
                         2.122742e-3,
                         {-0.5224045633809713312, -0.5223480976257655891, -0.5223475517886313553},
                         {4.3304e-5, 1.763e-6, 6.1887e-8}},
                        {0.1,
                         5.266931e-4,
                         {-0.5234069925493520859, -0.5234032301253764613, -0.5234032183375046485},
                         {2.7048e-6, 2.7692e-8, 2.4714e-10}},
                        {0.05,
                         1.314257e-4,
                         {-0.5236637829234842778, -0.5236635409493042632, -0.5236635407312418082},
                         {1.6903e-7, 4.3292e-10, 9.7079e-13}}});
  expect_known(top, {{0.2,
                      7.754128e-2,
                      {1.139041660937437744, 1.139204193553915396, 1.139220796451189981},
                      {2.4732e-3, 3.9666e-4, 4.4623e-5}},
                     {0.1,
                      1.902889e-2,
                      {1.139795861078475265, 1.139802648217466920, 1.139802805114120315},
                      {1.3756e-4, 5.3577e-6, 1.5318e-7}},
                     {0.05,
                      4.749489e-3,
                      {1.139950180481034708, 1.139950534102303848, 1.139950536097815721},
                      {8.3662e-6, 8.1007e-8, 5.8396e-10}}});
  expect_known(vehicle, {{0.2,
                          5.872119e-3,
                          {0.5194156467827851643, 0.5194422156243699867, 0.5194442288352822934},
                          {7.3287e-5, 1.2625e-5, 1.1358e-6}},
                         {0.1,
                          1.462552e-3,
                          {0.5198599981320845588, 0.5198613764823040006, 0.5198614046880945891},
                          {4.7016e-6, 2.1819e-7, 5.3526e-9}},
                         {0.05,
                          3.649544e-4,
                          {0.5199652910634802445, 0.5199653720646316222, 0.5199653724727435995},
                          {2.9444e-7, 3.4933e-9, 2.1823e-11}}});
}

/// Two-sided: of the last two of three steps, each half of the one before.
template <class Map>
void expect_orders(const char* what, const Orbit<Map>& run, double h, double time, int order_of_energy) {
  const Course coarse = run.course(h, time), fine = run.course(h / 2, time);
  for (int i = 0; i < 4; ++i) {
    const double order = i == 0 ? order_of_energy : 2 + 2 * i;
    if (i == 0 && order_of_energy == 0) {  // an energy that is conserved
      EXPECT_LT(coarse.range[0], 1e-13) << what;
      continue;
    }
    EXPECT_NEAR(std::log2(coarse.range[i] / fine.range[i]), order, 0.25) << what << ", order " << order;
    EXPECT_GT(fine.range[i], 1e-14) << what << ": round-off";
  }
}

TEST(ShadowEnergy, OfOrder4And6And8ByEveryStepMap) {
  expect_orders("Verlet", verlet, 0.2, 20, 2);
  expect_orders("symplectic Euler", Orbit<KickDrift<HenonHeiles>>{{}, on_henon_heiles, whole}, 0.1, 20, 1);
  expect_orders("its adjoint", Orbit<KickDrift<HenonHeiles>>{{}, on_henon_heiles, adjoint}, 0.1, 20, 1);
  const double outer = 1 / (2 - std::cbrt(2)), inner = 1 - 2 * outer;
  expect_orders("Yoshida's of order 4",
                Orbit<KickDrift<HenonHeiles>>{
                    {}, on_henon_heiles, halves, {}, {{outer, 1, 0, 0}, {inner, 1, 0, 1}, {outer, 1, 0, 2}}},
                0.2, 20, 4);
  expect_orders(
      "midpoint rule",
      Orbit<RungeKutta<HenonHeiles>>{{}, on_henon_heiles, none, {.scheme = RungeKuttaScheme::implicit_midpoint}}, 0.2,
      20, 2);
  using Collocated = Orbit<Collocation<HenonHeiles, CanonicalStages>>;
  expect_orders("Gauss 2", Collocated{{}, on_henon_heiles, none, {.nodes = CollocationNodes::gauss, .stages = 2}}, 0.2,
                20, 4);
  expect_orders("Lobatto 3", Collocated{{}, on_henon_heiles, none, {.nodes = CollocationNodes::lobatto, .stages = 3}},
                0.2, 20, 4);
  for (const auto& [kind, order] : {std::pair{GeneratingKind::second, 1},
                                    {GeneratingKind::second, 2},
                                    {GeneratingKind::second, 3},
                                    {GeneratingKind::second, 4},
                                    {GeneratingKind::first, 2},
                                    {GeneratingKind::first, 4},
                                    {GeneratingKind::poincare, 2},
                                    {GeneratingKind::poincare, 4}})
    expect_orders("generating function",
                  Orbit<GeneratedMap<HenonHeiles>>{{}, on_henon_heiles, none, {.kind = kind, .order = order}}, 0.1, 20,
                  order);
  expect_orders("RATTLE", rattle, 0.2, 20, 2);
  expect_orders("constraint algorithm", Orbit<ConstrainedMotion<Pendulum, PsiFormSolver>>{{1, 1, 1}, on_sphere, whole},
                0.1, 20, 1);
  expect_orders("Lobatto 3 on constraints",
                Orbit<ConstrainedCollocation<Pendulum>>{
                    {1, 1, 1}, on_sphere, none, {.nodes = CollocationNodes::lobatto, .stages = 3}},
                0.2, 20, 4);
  expect_orders("variational", Orbit<Variational<Pendulum, DefaultTable>>{{1, 1, 1}, on_sphere, none, {}}, 0.2, 8, 4);
  for (const Kicks& kicks : {halves, whole, adjoint})
    expect_orders("any H", Orbit<ConstraintAlgorithm<MagneticPendulum>>{{1, 1, 0.3, 0.4}, in_field, kicks}, 0.1, 20,
                  kicks.before == kicks.after ? 2 : 1);
  expect_orders("variational about the middle",
                Orbit<Variational<Pendulum, DefaultTable>>{{1, 1, 1}, on_sphere, none, {.bias = -0.5}}, 0.2, 8, 4);
  expect_orders("variational with a bias",
                Orbit<Variational<Pendulum, DefaultTable>>{{1, 1, 1}, on_sphere, none, {.bias = -0.3}}, 0.2, 8, 4);
  for (const Kicks& kicks : {halves, whole, adjoint})
    expect_orders("top", Orbit<KickedRotation<HeavyTop, HadamardSolver>>{of_hairer, hairer_start, kicks}, 0.1, 20,
                  kicks.before == 0.5 ? 2 : 1);
  for (const KineticSplitting splitting : {KineticSplitting::body_axes, KineticSplitting::symmetric_body})
    expect_orders("rotations about axes",
                  Orbit<AxisRotations<HeavyTop>>{of_hairer, hairer_start, halves, {.splitting = splitting}}, 0.1, 20,
                  2);
  std::vector<double> m(RigidBodyN<4>::dim);
  const std::vector<double> alpha{0.44, 0.5, 1, 0.7};
  RigidBodyN<4>::example_state(alpha.data(), m.data());
  for (double& value : m) value *= 2;
  expect_orders("free body on SO(4)", Orbit<DiscreteRotation<RigidBodyN<4>, HadamardSolverN>>{alpha, m, none}, 0.1, 10,
                0);
  expect_orders("vehicle", vehicle, 0.1, 20, 2);
}

/// Momenta in each of the three sets: all are of the same curve on T*N.
TEST(ShadowEnergy, OfTwoPendulaWithAnyMomenta) {
  const std::vector<double> parameters{1, 1.5, 1, 1.5, 9.81};
  std::vector<double> start(TwoPendula::dim);
  TwoPendula::example_state(parameters.data(), start.data());
  const TwoPendula::Model<double> model(parameters.data());
  TwoPendula::State<double> x;
  std::copy(start.begin(), start.end(), &x[0]);
  const auto q = TwoPendula::position(x);
  for (const Momentum momentum : {Momentum::hidden_constraint, Momentum::tangent, Momentum::unprojected}) {
    const auto p = momentum == Momentum::tangent ? model.to_tangent(q, TwoPendula::momentum(x))
                                                 : model.to_hidden_constraint(q, TwoPendula::momentum(x));
    const auto y = TwoPendula::state(q, p);
    std::copy(&y[0], &y[0] + TwoPendula::dim, start.begin());
    expect_orders("two pendula",
                  Orbit<ConstrainedMotion<TwoPendula, NewtonSolver>>{parameters, start, halves, {.momentum = momentum}},
                  0.01, 2, 2);
  }
}

template <class Map>
void expect_orders_of_reduced(const char* what, OptionsOf<Map> options, int order) {
  using System = typename Map::System;
  const std::vector<double> parameters(System::example_parameters.begin(), System::example_parameters.end());
  std::vector<double> start(System::dim);
  System::example_state(parameters.data(), start.data());
  expect_orders(what, Orbit<Map>{parameters, start, none, options}, 2 * System::example_step, 2, order);
}

TEST(ShadowEnergy, OfReducedSystems) {
  using System = RouthReduced<DoublePendulumShape>;
  expect_orders_of_reduced<DiscreteRouth<System>>("discrete Routh", {}, 2);
  expect_orders_of_reduced<Collocation<System, CanonicalStages>>("Gauss 2",
                                                                 {.nodes = CollocationNodes::gauss, .stages = 2}, 4);
}

/// A method that is not symplectic drifts, in the energy as in all shadow energies by as much; RATTLE's stays.
TEST(ShadowEnergy, DriftsWhereTheMethodDoes) {
  const Orbit<SubstitutedRungeKutta<Pendulum, DefaultTable>> projected{{1, 1, 1}, on_sphere, none, {.projects = true}};
  const Course drifting = projected.course(0.1, 1e4), still = rattle.course(0.1, 1e4);
  constexpr double means[] = {-1.77e-4, -5.30e-4, -8.84e-4, -12.4e-4};  // known to three digits
  for (int quarter = 0; quarter < 4; ++quarter)
    for (int i = 0; i < 4; ++i)
      // The first value of an oscillation is off the mean by up to its range, 4e-6 for order 4 at this step.
      EXPECT_NEAR(drifting.quarters[quarter][i], means[quarter], 5e-6 + (i == 1 ? 3e-6 : 0)) << quarter << ", " << i;
  for (int i = 1; i < 4; ++i) {
    const double drift = still.quarters[3][i] - still.quarters[0][i];
    EXPECT_LT(std::abs(drift), 2e-3 * still.range[i] + 1e-12) << i;  // of the means of an oscillation, and of round-off
  }
}

/// The first difference of shadow and energy over h^power tends to a closed form with h^2: their quotient is 1 to 0.4
/// h^2 for RATTLE and h^2 for Lobatto's method.
template <class Map>
void expect_limit(const Orbit<Map>& orbit, int power, double closed) {
  for (const double h : {0.2, 0.1, 0.05}) {
    const Energies first = orbit.course(h, 1).first;
    EXPECT_NEAR((first[3] - first[0]) / (std::pow(h, power) * closed), 1, 1.1 * h * h) << h;
  }
}

/// H~ = H + h^2 H_3 + O(h^4) of RATTLE and H + h^4 H_5 + O(h^6) of Lobatto's method with three stages. On the spherical
/// pendulum, m = l = g = 1, H_3 = ((|p|^2 - z)^2 - 1)/24, and with derivatives along the exact motion
/// H_5 = (2 |q'''|^2 + q''.q'''' + z'''')/2880.
TEST(ShadowEnergy, TendsToClosedForms) {
  const double z = on_sphere[2];
  const Vec<double, 3> q{on_sphere[0], on_sphere[1], z}, v{on_sphere[3], on_sphere[4], on_sphere[5]}, up{0, 0, 1};
  // q'' = -e3 - lambda q, where lambda = |v|^2 - z = 2 H - 3 z.
  ASSERT_NEAR(dot(q, v), 0, 1e-15);
  const double lambda = dot(v, v) - z, rate = -3 * v[2];
  const auto second = (-lambda) * q - up;
  const double bend = -3 * second[2];
  const auto third = (-rate) * q - lambda * v, fourth = (-bend) * q - (2 * rate) * v - lambda * second;
  expect_limit(rattle, 2, (std::pow(lambda, 2) - 1) / 24);
  expect_limit(
      Orbit<ConstrainedCollocation<Pendulum>>{
          {1, 1, 1}, on_sphere, none, {.nodes = CollocationNodes::lobatto, .stages = 3}},
      4, (2 * dot(third, third) + dot(second, fourth) + fourth[2]) / 2880);
}

}  // namespace
}  // namespace polhode::test

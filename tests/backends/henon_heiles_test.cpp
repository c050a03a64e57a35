// Henon and Heiles on every backend: states after ten steps from an independent computation, and the end of the domain.
#include "backends/support.hpp"
#include "polhode/method/status.hpp"

namespace polhode::test {
namespace {

const SystemEntry& henon_heiles() { return *find_system("henon-heiles"); }

using Options = std::map<std::string, Value>;

RunPlan plan_of(const MethodEntry& method, double step, std::int64_t steps, const Options& options = {}) {
  RunPlan plan{};
  plan.step_plan = step_of(method, options).step_plan;
  plan.step = step;
  plan.section.observable = -1;
  plan.last_step = steps;
  plan.invariants_every = 1;
  return plan;
}

Batch batch_of(const std::vector<std::array<double, 4>>& states) {
  Batch batch(static_cast<std::int64_t>(states.size()), 4, 0);
  for (std::int64_t k = 0; k < batch.n; ++k)
    for (int i = 0; i < 4; ++i) batch.state[i * batch.n + k] = states[k][i];
  return batch;
}

/// With 40 digits: ten steps of 0.1 from a state of energy 1/8 (Pierce's scheme (10), its adjoint, and Verlet's).
TEST(HenonHeiles, TenSteps) {
  const std::array<double, 4> start{0, 0.1, 0.4479583313955291, 0.2};
  const struct {
    const char* method;
    std::array<double, 4> end;
  } cases[] = {
      {"symplectic-euler", {0.3540354252002131, 0.21692534624809096, 0.19541528091746863, 0.016044859572504316}},
      {"symplectic-euler-adjoint",
       {0.35347738619125374, 0.2250153197402592, 0.14236399775313796, -0.007188435941910945}},
      {"stoermer-verlet", {0.353756376341708922, 0.220968831353588017, 0.169012408302312884, 0.00452544769304610715}},
  };
  for (const auto& [name, expected] : cases) {
    const MethodEntry& method = *find_method("henon-heiles", name);
    for (const Batch& end : on_every_backend(method, plan_of(method, 0.1, 10), batch_of({start})))
      for (int i = 0; i < 4; ++i) EXPECT_NEAR(end.state[i], expected[i], 4e-16) << name;  // of ten steps of round-off
  }
}

/// Those of Pierce's generating functions, and of the rule that one of them is, from a prototype in double precision.
TEST(HenonHeiles, TenStepsOfGeneratingFunctions) {
  const std::array<double, 4> start{0, 0.1, 0.4479583313955291, 0.2};
  const struct {
    const char* method;
    Options options;
    std::array<double, 4> end;
  } cases[] = {
      {"generating-function",
       {{"kind", "2"}, {"order", 1}},
       {0.35347738619125374, 0.2250153197402592, 0.14236399775313796, -0.007188435941910945}},
      {"generating-function",
       {{"kind", "2"}, {"order", 2}},
       {0.3524760600806328, 0.22070322831587683, 0.17238354876929368, 0.00650940743711453}},
      {"generating-function",
       {{"kind", "2"}, {"order", 3}},
       {0.3531111946675579, 0.2207867523696512, 0.16915913225858756, 0.004657214955912568}},
      {"generating-function",
       {{"kind", "2"}, {"order", 4}},
       {0.3530924002174714, 0.22074956341028687, 0.16942686059219808, 0.004796504133159376}},
      {"generating-function",
       {{"kind", "1"}, {"order", 2}},
       {0.35321543529841465, 0.22082063065064592, 0.16974582212344605, 0.004972513153029018}},
      {"generating-function",
       {{"kind", "1"}, {"order", 4}},
       {0.3530960200740858, 0.22075017154367943, 0.1694016096445859, 0.004781458102499581}},
      {"generating-function",
       {{"kind", "poincare"}, {"order", 2}},
       {0.35294546301109103, 0.2207466139597578, 0.17011126709137425, 0.005195090353327186}},
      {"generating-function",
       {{"kind", "poincare"}, {"order", 4}},
       {0.3530956307959823, 0.22075008857636574, 0.16940231033499178, 0.0047819420564963085}},
      {"implicit-midpoint", {}, {0.35294546301109103, 0.2207466139597578, 0.17011126709137425, 0.005195090353327186}},
  };
  for (const auto& [name, options, expected] : cases) {
    const MethodEntry& method = *find_method("henon-heiles", name);
    RunPlan plan = plan_of(method, 0.1, 10, options);
    plan.step_plan = method.with_sweeps(plan.step_plan, 0, nullptr, plan.step, Precision::binary64);
    const std::vector<Batch> ends = on_every_backend(method, plan, batch_of({start}));
    for (const Batch& end : ends) {
      for (int i = 0; i < 4; ++i)
        EXPECT_NEAR(end.state[i], expected[i], 1e-12 * std::abs(expected[i])) << name;  // 1e-13 was measured
      if (&end != &ends.back()) {  // bit for bit but for the reference
        EXPECT_EQ(end.state, ends.front().state) << name;
      }
    }
  }
}

/// Beyond a saddle the potential falls without bound; the neighbour goes on.
TEST(HenonHeiles, LeavesItsDomain) {
  const MethodEntry& method = *find_method("henon-heiles", "stoermer-verlet");
  constexpr std::int64_t steps = 60;
  const Batch start = batch_of({{0, 1.1, 0, 0.5}, {0, 0.1, 0.3, 0.2}});
  std::int64_t left = -1;
  for (const Batch& end : on_every_backend(method, plan_of(method, 0.1, steps), start)) {
    EXPECT_EQ(end.code[0], static_cast<int>(Status::left_domain));
    EXPECT_EQ(end.code[1], static_cast<int>(Status::ok));
    EXPECT_LT(end.steps[0], steps);
    EXPECT_EQ(end.steps[1], steps);
    EXPECT_LE(std::hypot(end.state[0], end.state[2]), 10);  // the last state inside
    EXPECT_GT(std::hypot(end.state[0], end.state[2]), 5);
    if (left < 0) left = end.steps[0];
    EXPECT_EQ(end.steps[0], left);
  }
}

TEST(HenonHeiles, StartsInsideItsDomain) {
  std::array<double, 4> inside{6, 7.9, 0, 0}, outside{6, 8.1, 0, 0};
  EXPECT_EQ(henon_heiles().prepare(nullptr, Momentum::hidden_constraint, inside.data()).problem, nullptr);
  const char* problem = henon_heiles().prepare(nullptr, Momentum::hidden_constraint, outside.data()).problem;
  ASSERT_NE(problem, nullptr);
  EXPECT_EQ(std::string(problem), "it is outside the domain of the system");
}

/// The chart holds the section: starts have the energy, are on it, and cover what the energy allows.
TEST(HenonHeiles, StartsOnItsSection) {
  for (const double energy : {1.0 / 12, 1.0 / 8, 1.0 / 6, 0.3}) {
    const ChartRange range = henon_heiles().chart_range(nullptr, energy);
    double most_q2 = 0, least_q2 = 0, most_p2 = 0;
    for (int i = 0; i < 100; ++i)
      for (int k = 0; k < 100; ++k)
        for (const int side : {0, 1}) {
          double x[4 * max_chart_points];
          if (henon_heiles().chart_states(nullptr, energy, 0, side, range.half_axes[0] * ((2 * i + 1) / 100.0 - 1),
                                          range.half_axes[1] * ((2 * k + 1) / 100.0 - 1), x) == 0)
            continue;
          EXPECT_EQ(x[0], 0);
          EXPECT_EQ(x[2] > 0, side == 0);
          EXPECT_NEAR(henon_heiles().observe(nullptr, henon_heiles().find_observable("energy"), x), energy, 1e-15);
          most_q2 = std::max(most_q2, x[1]);
          least_q2 = std::min(least_q2, x[1]);
          most_p2 = std::max(most_p2, x[3]);
        }
    EXPECT_GT(most_q2, 0.97 * range.half_axes[0]) << energy;  // the last cells have a start
    EXPECT_LT(most_q2, 1) << energy;                          // on this side of the saddle
    EXPECT_LT(least_q2, -0.3) << energy;
    EXPECT_GT(most_p2, 0.97 * range.half_axes[1]) << energy;
  }
}

}  // namespace
}  // namespace polhode::test

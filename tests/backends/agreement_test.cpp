// The fast CPU backend against the independent reference, every method on every system of the catalog with every
// solver: one step from common states, whole trajectories with their invariants and sections, and where steps become
// too long. Quaternions are compared with their signs.
#include <bit>
#include <functional>
#include <span>

#include "accuracy/distances.hpp"
#include "backends/support.hpp"
#include "support/tolerances.hpp"

namespace polhode::test {
namespace {

TEST(Reference, ServesEveryMethod) {
  for (const MethodEntry& method : methods())
    EXPECT_EQ(method.why_no_reference(), "") << method.system << ", " << method.name;
}

/// What both are given.
struct Task {
  RunPlan plan;
  Batch batch;
};

class Agreement : public ::testing::TestWithParam<Case> {
 protected:
  const MethodEntry& method() const { return *GetParam().method; }
  const SystemEntry& system() const { return *find_system(method().system); }
  /// Tops turn regularly, and parameters and starts of them are known that show all that they can do.
  bool is_top() const { return test::is_top(system()); }

  Outcome run_cpu(const Task& task) const {
    return run_all(
        *make_cpu(task.plan, best_isa(), 1, GetParam().solver, Precision::binary64, method(), table_of(GetParam())),
        task.batch, task.plan.last_step, task.plan.last_step);
  }
  Outcome run_reference(const MethodEntry& other, const Task& task) const {
    const auto table = &other == &method() ? table_of(GetParam()) : std::nullopt;
    return run_all(*other.make_reference(task.plan, table), task.batch, task.plan.last_step, task.plan.last_step);
  }
  Outcome run_reference(const Task& task) const { return run_reference(method(), task); }

  RunPlan top_plan(const TopParameters& body, double h, std::int64_t steps) const {
    RunPlan plan = body_plan(usable_body(method(), body), h, steps, GetParam().solver, Precision::binary64, method());
    plan.step_plan = method().with_sweeps(step_of(method(), options_of(GetParam())).step_plan, GetParam().solver,
                                          plan.parameters, h, Precision::binary64);
    return plan;
  }
  Task example(std::int64_t n, std::uint64_t seed, std::int64_t steps) const {
    RunPlan plan = example_plan(GetParam(), steps);
    return {plan, random_states(n, seed, 1, 0, method(), std::popcount(plan.invariants))};
  }

  /// The largest distance of two batches' states, relative to those of the second.
  double distance(const Batch& a, const Batch& b) const {
    const Distances distances(system(), std::span(&b, 1));
    double worst = 0;
    for (std::int64_t k = 0; k < a.n; ++k) worst = std::max(worst, distances(a, b, k));
    return worst;
  }

  /// The largest distance after one step from hundreds of common states: about the example, or of 20 random tops. The
  /// reference is that of another method, or has a plan that is not quite the same.
  double worst_step(
      const MethodEntry& other, const std::function<void(RunPlan&)>& spoil = [](RunPlan&) {}) const {
    std::vector<Task> tasks;
    std::mt19937_64 random(42);
    if (is_top()) {
      for (int k = 0; k < 20; ++k) {
        const TopParameters body = usable_body(other, random_body(random));
        tasks.push_back({top_plan(body, figure_step, 1), random_tops(50, random(), 1, 0, system())});
      }
    } else {
      tasks.push_back(example(has_slow_reference(method()) ? 200 : 1000, 42, 1));
    }
    double worst = 0;
    for (Task& task : tasks) {
      task.plan.section.observable = -1;
      const Batch fast = run_cpu(task).batch;
      if (&other != &method()) task.plan.step_plan = step_of(other).step_plan;
      spoil(task.plan);
      const Batch slow = run_reference(other, task).batch;
      EXPECT_EQ(std::count(fast.code.begin(), fast.code.end(), 0), task.batch.n);
      EXPECT_EQ(std::count(slow.code.begin(), slow.code.end(), 0), task.batch.n);
      worst = std::max(worst, distance(fast, slow));
    }
    return worst;
  }
  double step_tolerance() const {
    return tolerances_of(method().name).momentum_over_h ? 1e-15 / system().example_step
                                                        : round_off_of(system()).reference;
  }

  /// The same crossings; points to a tolerance.
  static void expect_same_section(const SectionPoints& a, const SectionPoints& b, double tolerance, const char* what) {
    ASSERT_GT(b.size(), 0) << what;
    ASSERT_EQ(a.trajectory, b.trajectory) << what;
    ASSERT_EQ(a.step, b.step) << what;
    for (std::size_t i = 0; i < a.state.size(); ++i) ASSERT_NEAR(a.state[i], b.state[i], tolerance) << what;
  }
  /// The size of what a snapshot holds: the largest modulus of any column.
  static double size(const std::vector<double>& values) {
    double most = 0;
    for (const double value : values) most = std::max(most, std::abs(value));
    return most;
  }
};

INSTANTIATE_TEST_SUITE_P(Every, Agreement, ::testing::ValuesIn(all_cases({Precision::binary64})), case_name);

INSTANTIATE_TEST_SUITE_P(Composed, Agreement, ::testing::ValuesIn(composed_cases({Precision::binary64})), case_name);

TEST_P(Agreement, OneStepFromCommonStates) {
  const double worst = worst_step(method());
  EXPECT_LT(worst, step_tolerance());
  EXPECT_GT(worst, 0);  // they are different formulations
  RecordProperty("worst", std::to_string(worst * 1e16) + "e-16");
}

TEST_P(Agreement, NoticesASlightlyWrongStep) {
  // What moves by h |v| = 1e-3 to 1 of its length in a step moves by 1e-9 of that too far.
  const double worst = worst_step(method(), [](RunPlan& plan) { plan.step *= 1 + 1e-9; });
  EXPECT_GT(worst, 1e-12);
  EXPECT_LT(worst, 1e-8);
}

TEST_P(Agreement, Trajectories) {
  // Round-off of 1e-15 a step, and over h in the momenta of SHAKE, grows with the motion's own divergence in 200 steps,
  // two of its times at most; a thousandfold is allowed, and ten times that where a derivative comes in. Chains of four
  // pendula and more diverge twice as fast, and are given half the time. On a regular orbit of a top it grows linearly
  // in each of 1000 steps at the very most; measured: 2e-14 to 5e-13.
  const std::int64_t steps = is_top() ? 1000 : system().dim > 18 ? 100 : 200;
  Task task = is_top() ? Task{top_plan(figure_top, figure_step, steps), regular_orbits(system())}
                       : example(has_slow_reference(method()) ? 4 : 16, 5, steps);
  task.plan.snapshots_every = 50;
  const Outcome cpu = run_cpu(task), reference = run_reference(task);
  EXPECT_EQ(std::count(cpu.batch.code.begin(), cpu.batch.code.end(), 0), task.batch.n);
  const double worst = distance(cpu.batch, reference.batch);
  // Variational integrators solve each step to 32 units in the last place: 1.7e-11 was measured for six pendula.
  const bool is_wide = is_named(method(), {"variational"}) && method().system == std::string("pendulum-chain-6");
  EXPECT_LT(worst, is_wide ? 4e-11 : 1e-11);
  EXPECT_GT(worst, 0);
  RecordProperty("worst", std::to_string(worst * 1e13) + "e-13");
  ASSERT_EQ(cpu.snapshots.size(), reference.snapshots.size());
  const double scale = is_top() ? 1 : size(reference.snapshots);
  for (std::size_t i = 0; i < cpu.snapshots.size(); ++i)
    ASSERT_NEAR(cpu.snapshots[i], reference.snapshots[i], 1e-10 * scale) << i;
  for (std::size_t i = 0; i < cpu.batch.max_drift.size(); ++i)
    EXPECT_NEAR(cpu.batch.max_drift[i], reference.batch.max_drift[i], is_top() ? 1e-12 : 1e-10 * scale);
  expect_same_section(cpu.section, reference.section, is_top() ? 1e-10 : 1e-9 * scale, "of the plan");
  if (is_top()) {
    EXPECT_GT(cpu.section.size(), 40);
  }
}

TEST_P(Agreement, SectionsOnEveryObservable) {
  // Each halfway between its least and its largest value on an orbit, in both directions; not what is conserved to the
  // method's own error, of which round-off would decide, and no momentum that jumps (validate() refuses it).
  const std::int64_t steps = is_top() ? 200 : has_slow_reference(method()) ? 50 : 150;
  Task task = is_top() ? Task{top_plan(oblique_body, figure_step, steps), random_tops(1, 3, 1, 0, system())}
                       : example(1, 3, steps);
  task.plan.section.observable = -1;
  task.plan.snapshots_every = 1;
  const std::vector<double> snapshots = run_reference(task).snapshots;
  const double scale = is_top() ? 0.1 : size(snapshots);  // points of tops are compared to 1e-10
  task.plan.snapshots_every = 0;
  // Columns of a large state are alike: every fifth of them, or eleventh, and all that is derived.
  const int dim = system().dim, stride = dim > 24 ? 11 : dim > 12 ? 5 : 1;
  int crossed = 0;
  for (int f = 0; f < static_cast<int>(system().observables.size()); ++f) {
    if (f < dim && f % stride != 0) continue;
    const bool is_momentum = f >= dim / 2 && f < dim;
    if (is_momentum && method().momentum == Momentum::unprojected) continue;
    std::vector<double> values(steps);
    for (std::int64_t n = 0; n < steps; ++n)
      values[n] = system().observe(task.plan.parameters, f, &snapshots[n * (dim + task.batch.n_invariants)]);
    std::sort(values.begin(), values.end());
    const double least = values.front(), largest = values.back();
    if (largest - least < (is_top() ? 1e-3 : 1e-7 * scale)) continue;
    // What an angle near pi has halfway is a jump; between two of its values it crosses.
    const Angle angle = system().observables[f].angle;
    const double within = (values[steps / 3] + values[steps / 3 + 1]) / 2;
    task.plan.section = {f, angle == Angle::wrapped ? within : (least + largest) / 2, true, true};
    task.plan.section.modulo_turns = angle == Angle::unbounded;
    task.plan.section.jumps = angle == Angle::wrapped;
    const SectionPoints cpu = run_cpu(task).section, slow = run_reference(task).section;
    EXPECT_GT(cpu.size(), 0) << system().observables[f].name;
    ++crossed;
    // A crossing is as uncertain as the observable, over its range of 1e-7 or more.
    expect_same_section(cpu, slow, 1e-9 * (largest - least > 1e-3 * scale ? scale : 1e4 * scale),
                        system().observables[f].name);
  }
  EXPECT_GT(crossed, 0);
  if (is_top()) {
    EXPECT_GE(crossed, static_cast<int>(system().observables.size()) - 1);  // all but the energy where it is kept
  }
}

TEST_P(Agreement, DriftsWhereTrajectoriesFail) {
  if (method().solvers.front().name == std::string("explicit"))
    GTEST_SKIP() << "explicit steps do not fail for their length";
  if (is_top() && is_named(method(), {"splitting"}))
    GTEST_SKIP() << "from a quarter turn on a stage has no moments, whether an iteration would converge or not";
  if (const std::string solver = method().solvers[GetParam().solver].name;
      solver == "substitution" || solver == "fixed-point" || solver == "stages" || solver == "metric" ||
      solver == "broyden")
    GTEST_SKIP() << "the step at which the solution of an implicit rule is no longer found depends on its "
                    "iteration, and the reference has another";
  // Steps that become too long for some of the ensemble. Each solver has its own limit, so the reference is run for as
  // long as the other went. Close to the limit the equation has two solutions, and it may find the other one: rarely.
  constexpr std::int64_t steps = 24;
  Task task =
      is_top() ? Task{top_plan(figure_top, 0.9, steps), random_tops(64, 9, 1, 0, system())} : example(64, 9, steps);
  task.plan.section.observable = -1;
  task.plan.invariants_every = 4;  // the state between the last of these and a failure does not count
  Batch cpu;
  int failed = 0;
  for (double factor = is_top() ? 18 : 4; failed < 4 && factor < 1000; factor *= 1.25) {
    task.plan.step = factor * system().example_step;
    task.plan.step_plan = method().with_sweeps(task.plan.step_plan, GetParam().solver, task.plan.parameters,
                                               task.plan.step, Precision::binary64);
    cpu = run_cpu(task).batch;
    failed = 0;
    for (std::int64_t k = 0; k < cpu.n; ++k) failed += cpu.code[k] == 1 && cpu.steps[k] > 0;
  }
  if (failed < 4) GTEST_SKIP() << "a free body keeps its energy, and its steps fail at once or not at all";
  if (is_top()) {
    EXPECT_LT(failed, cpu.n - 3);
  }
  int others = 0;
  for (std::int64_t k = 0; k < cpu.n; ++k) {
    EXPECT_LE(cpu.code[k], 1);
    EXPECT_EQ(cpu.steps[k] == steps, cpu.code[k] == 0) << k;
    Task one{task.plan, part_of(task.batch, k, k + 1)};
    const Batch reference = run_all(*method().make_reference(one.plan), one.batch, cpu.steps[k], cpu.steps[k]).batch;
    bool agrees = reference.code[0] == 0;
    for (int i = 0; i < cpu.n_invariants; ++i) {
      // Round-off, and what 24 steps of up to half of the motion's time make of it; measured: below 1e-11, and 1.1e-14
      // for tops.
      const double allowed = is_top() ? 1e-12 : 1e-9 * (1 + std::abs(reference.invariants[i]) + reference.max_drift[i]);
      agrees = agrees && std::abs(cpu.max_drift[i * cpu.n + k] - reference.max_drift[i]) <= allowed;
    }
    others += !agrees;
  }
  EXPECT_LE(others, is_top() ? 0 : 2);  // measured: 1 in all of the pendula's cases
}

/// What is known of the methods on tops.
class TopAgreement : public Agreement {};

std::vector<Case> top_cases() {
  std::vector<Case> cases = all_cases({Precision::binary64});
  std::erase_if(cases, [](const Case& c) { return !is_top(*find_system(c.method->system)); });
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Every, TopAgreement, ::testing::ValuesIn(top_cases()), case_name);

TEST_P(TopAgreement, NoticesASlightlyWrongBody) {
  // A moment wrong by 1e-11 turns the body by about h Omega 1e-11 too far in a step, h Omega = 0.05 to 0.2.
  const double worst = worst_step(method(), [](RunPlan& plan) { plan.parameters[0] *= 1 + 1e-11; });
  EXPECT_GT(worst, 1e-13);
  EXPECT_LT(worst, 1e-11);
}

/// Whether a method on tops is of order 4, as runge-kutta is by its default table.
bool is_precise(const MethodEntry& method) { return is_named(method, {"gauss", "splitting", "runge-kutta"}); }
/// Whether a method on tops is made of kicks and one discrete rotation of order 2.
bool is_discrete_rotation(const MethodEntry& method) {
  return is_named(method, {"rattle", "constraint-euler", "constraint-euler-adjoint", "moser-veselov"});
}

TEST_P(TopAgreement, NoticesEveryOtherMethod) {
  for (const MethodEntry& other : methods()) {
    if (other.system != method().system || &other == &method()) continue;
    const double worst = worst_step(other);
    const bool is_free = method().name == std::string("moser-veselov") || other.name == std::string("moser-veselov");
    if (is_free && is_discrete_rotation(method()) && is_discrete_rotation(other)) {
      EXPECT_LT(worst, 1e-14) << other.name;  // all are one map without gravity (MS Theorem 6)
    } else if (is_free || (method().properties().order > 1 && other.properties().order > 1)) {
      // Errors of order 2, h^3 / 24 and more; or of order 4, and of small pieces of a step.
      EXPECT_GT(worst, is_precise(method()) && is_precise(other) ? 1e-8 : 1e-6) << other.name;
    } else {
      EXPECT_GT(worst, 1e-3) << other.name;  // half a kick, h c / 2, in the wrong place
    }
  }
}

TEST_P(TopAgreement, InvariantsOfTheFreeBodyAndSnapshots) {
  // The free symmetric body has most of the conditional invariants.
  constexpr std::int64_t steps = 100;
  TopParameters body = {1.2, 1.2, 0.6, 0, 1, 0, 0};
  RunPlan kept = top_plan(body, figure_step, steps);
  kept.invariants = 0;
  const std::vector<double> start = to_state(system(), body_start);
  for (int i = 0; i < static_cast<int>(system().invariants.size()); ++i)
    kept.invariants |= std::uint32_t(system().conserves(kept.parameters, start.data(), i)) << i;
  kept.snapshots_every = 10;
  Batch batch = random_tops(16, 4, 1, 0, system());
  batch.n_invariants = std::popcount(kept.invariants);
  EXPECT_GT(batch.n_invariants, n_common_invariants);
  EXPECT_LT(batch.n_invariants, static_cast<int>(system().invariants.size()));
  batch.invariants.resize(batch.n_invariants * batch.n);
  batch.max_drift.resize(batch.n_invariants * batch.n);

  const Outcome cpu = run_cpu({kept, batch}), reference = run_reference({kept, batch});
  ASSERT_EQ(cpu.snapshots.size(), reference.snapshots.size());
  ASSERT_EQ(cpu.snapshots.size(), static_cast<std::size_t>(10 * (batch.dim + batch.n_invariants) * batch.n));
  // 100 steps of round-off that grows linearly in each: states up to 4, invariants up to their fourth powers.
  for (std::size_t i = 0; i < cpu.snapshots.size(); ++i) EXPECT_NEAR(cpu.snapshots[i], reference.snapshots[i], 1e-10);
  EXPECT_EQ(cpu.batch.invariants, reference.batch.invariants);  // values of one function at the same states
  // Turns about one axis after the other keep neither the energy nor the momentum of the axis of symmetry; a Gauss
  // method keeps what is quadratic, not the momentum of a body with its attitude.
  const bool keeps_momenta = method().properties().momentum;
  if (is_named(method(), {"mclachlan-reich"}) || !(keeps_momenta || is_named(method(), {"gauss"}))) return;
  std::int64_t row = 0;
  for (std::size_t i = 0; i < system().invariants.size(); ++i) {
    if ((kept.invariants >> i & 1) == 0) continue;
    const std::int64_t first = row++ * batch.n;
    const std::string name = system().invariants[i].name;
    if (!keeps_momenta && name.starts_with("momentum_")) continue;
    for (std::int64_t lane = first; lane < first + batch.n; ++lane) {
      EXPECT_LT(cpu.batch.max_drift[lane], 1e-11) << name;
      EXPECT_LT(reference.batch.max_drift[lane], 1e-11) << name;
    }
  }
}

}  // namespace
}  // namespace polhode::test

// Sections of angles that jump, where they jump: orbits in a plane through the axis, whose azimuth is one of two
// values, and orbits at 1e-9 from one, whose azimuth turns by half a turn in a part of a step. Every method on every
// system that has such an angle, in long searches too, against the reference, and against what the plane says.
#include <cmath>
#include <iterator>
#include <numbers>
#include <utility>

#include "backends/support.hpp"
#include "support/planar_orbits.hpp"

namespace polhode::test {
namespace {

constexpr double pi = std::numbers::pi;

/// Every method, and collocation with so many stages that it looks for two crossings in one step.
std::vector<Case> angle_cases(std::initializer_list<Precision> precisions) {
  std::vector<Case> cases;
  for (const Case& one : all_cases(precisions)) {
    const SystemEntry& system = *find_system(one.method->system);
    if (std::ranges::none_of(system.observables, [](const Quantity& o) { return o.angle == Angle::wrapped; })) continue;
    cases.push_back(one);
    for (const int stages : {3, 4}) {
      Case longer = one;
      longer.stages = stages;
      if (std::string(one.method->name) == (stages == 3 ? "gauss" : "lobatto")) cases.push_back(longer);
    }
  }
  return cases;
}

class AngleSection : public ::testing::TestWithParam<Case> {
 protected:
  const MethodEntry& method() const { return *GetParam().method; }
  const SystemEntry& system() const { return *find_system(method().system); }
  bool is_pendulum() const { return has_vectors(system()) && system().n_constraints > 0; }
  /// Whether one rod alone hangs, whose azimuth its plane has.
  bool is_single() const { return is_pendulum() && system().n_constraints == 1; }
  /// Whether fewer orbits have to do: collocation's reference takes its time, too.
  bool is_slow() const { return has_slow_reference(method()) || is_named(method(), {"gauss", "lobatto"}); }
  int angle() const {
    for (int i = 0;; ++i)
      if (system().observables[i].angle == Angle::wrapped) return i;
  }
  static std::int64_t steps_of(const SystemEntry& system) { return system.dim > 12 ? 40 : 160; }

  RunPlan plan(double value, std::int64_t steps) const {
    RunPlan plan = example_plan(GetParam(), steps);
    plan.section = {angle(), value, true, true};
    plan.section.long_steps = step_of(method(), options_of(GetParam())).properties.long_steps;
    plan.section.jumps = true;
    plan.invariants = 0;
    plan.snapshots_every = 1;
    return plan;
  }
  Batch orbits(std::int64_t n, double plane, double off) const {
    const auto parameters = system().example_parameters;
    return planar_orbits(method(), {parameters.begin(), parameters.end()}, n, plane, off, 20261126);
  }
  Outcome run(const RunPlan& plan, const Batch& batch, Isa isa) const {
    return run_all(*make_cpu(plan, isa, 1, GetParam().solver, GetParam().precision, method()), batch, plan.last_step,
                   plan.last_step);
  }
  Outcome run_reference(const RunPlan& plan, const Batch& batch) const {
    return run_all(*method().make_reference(plan), batch, plan.last_step, plan.last_step);
  }
  /// Number of rods that pass the axis in a step. If two do, an angle between them may cross a value, cross it back and
  /// jump, and the ends of the step do not tell.
  int passages(const Outcome& outcome, const Batch& start, std::int64_t step, std::int64_t k) const {
    const auto column = [&](int i, std::int64_t after) {
      return after == 0 ? start.state[i * start.n + k] : value_of(outcome, i, start.n, after, k);
    };
    int count = 0;
    for (int i = 0; i < system().n_positions(); i += 3)
      count += column(i, step) * column(i, step + 1) + column(i + 1, step) * column(i + 1, step + 1) < 0;
    return count;
  }
  /// Whether a long step ends on the side where it starts: it crosses twice, or crosses and jumps.
  bool returns(const RunPlan& plan, const Outcome& outcome, const Batch& start, std::int64_t step,
               std::int64_t k) const {
    const auto f = [&](std::int64_t after) {
      std::vector<double> x(system().dim);
      for (int i = 0; i < system().dim; ++i) x[i] = start.state[i * start.n + k];
      const double value = after > 0 ? value_of(outcome, angle(), start.n, after, k)
                                     : system().observe(system().example_parameters.data(), angle(), x.data());
      return value - plan.section.value;
    };
    return plan.section.long_steps && f(step) * f(step + 1) > 0;
  }
  double value_of(const Outcome& outcome, int observable, std::int64_t n, std::int64_t step, std::int64_t k) const {
    std::vector<double> x(system().dim);
    for (int i = 0; i < system().dim; ++i) x[i] = outcome.snapshots[((step - 1) * system().dim + i) * n + k];
    return system().observe(system().example_parameters.data(), observable, x.data());
  }
};

/// Trajectories and steps of crossings that one of two has and the other has not.
std::vector<std::pair<std::int64_t, std::int64_t>> steps_of_one(const SectionPoints& a, const SectionPoints& b) {
  const auto steps = [](const SectionPoints& points) {
    std::vector<std::pair<std::int64_t, std::int64_t>> all;
    for (std::int64_t i = 0; i < points.size(); ++i) all.emplace_back(points.trajectory[i], points.step[i]);
    return all;  // in order
  };
  std::vector<std::pair<std::int64_t, std::int64_t>> of_one;
  std::ranges::set_symmetric_difference(steps(a), steps(b), std::back_inserter(of_one));
  return of_one;
}

INSTANTIATE_TEST_SUITE_P(Every, AngleSection, ::testing::ValuesIn(angle_cases({Precision::binary64})), case_name);

constexpr double planes[] = {0, 0.7};

/// An azimuth that is one of two values crosses no third one, and none of them by going from one to the other. Of more
/// rods round-off grows, and they leave a plane that is none of coordinates.
TEST_P(AngleSection, OfOrbitsInAPlaneAreEmpty) {
  const std::int64_t n = is_slow() ? 2 : 6;
  std::int64_t jumps = 0;
  for (const double plane : planes) {
    if (plane != 0 && !is_single()) continue;
    const Batch batch = orbits(n, plane, 0);
    for (const double value : {0.0, pi, -pi, 0.3}) {
      const RunPlan section = plan(value, steps_of(system()));
      const Outcome fast = run(section, batch, best_isa());
      EXPECT_EQ(fast.found, 0) << plane << ", " << value;
      // Dense equations of more rods leave the plane by round-off, which grows.
      if (is_single() || !is_pendulum()) {
        EXPECT_EQ(run_reference(section, batch).found, 0) << plane << ", " << value << ", reference";
      }
      EXPECT_EQ(fast.unrefined, 0);
      for (std::int64_t k = 0; k < n; ++k)
        for (std::int64_t step = 2; step <= fast.batch.steps[k]; ++step)
          jumps += std::abs(value_of(fast, angle(), n, step, k) - value_of(fast, angle(), n, step - 1, k)) > 3;
    }
  }
  if (is_pendulum()) {
    EXPECT_GT(jumps, 4);
  }
}

/// Close to the axis an azimuth is continuous, and crosses what lies within its half turn. The reference, which
/// bisects, finds the same, but where two rods pass the axis in one step, or a long step crosses and jumps.
TEST_P(AngleSection, OfOrbitsNearAPlaneAreThoseOfTheReference) {
  const bool has_rods = is_pendulum() && !is_single();  // whose reference is slow
  const std::int64_t n = has_slow_reference(method()) && has_rods ? 1
                         : is_slow() && !is_single()              ? 2
                         : is_slow() || has_rods                  ? 3
                                                                  : 6;
  std::int64_t found = 0, expected = 0;
  for (const double plane : planes)
    for (const double off : {1e-9, -1e-9}) {
      if (has_rods && plane == 0) continue;
      // More rods pass the axis first when they have come to a hundredth of that.
      const Batch batch = orbits(n, plane, is_single() ? off : 100 * off);
      for (const double value : {0.0, std::copysign(pi, off), 0.3, plane - 1}) {
        const RunPlan section = plan(value, steps_of(system()));
        const Outcome fast = run(section, batch, best_isa()), slow = run_reference(section, batch);
        ASSERT_EQ(fast.batch.code, slow.batch.code);
        for (const auto& [k, step] : steps_of_one(fast.section, slow.section))
          EXPECT_TRUE(has_rods && (passages(fast, batch, step, k) > 1 || returns(section, fast, batch, step, k)))
              << plane << ", " << off << ", " << value << ": trajectory " << k << ", step " << step;
        EXPECT_EQ(fast.unrefined, 0);
        if (std::abs(value) == pi) {
          EXPECT_EQ(fast.found, 0) << "where it jumps it has no section";
        }
        found += fast.found;
        if (!is_single() || plane != 0 || value != 0.3 || std::abs(off) != 1e-9) continue;
        // It turns by half a turn each time that it passes the axis, to the side of its angular momentum: from x > 0 on
        // if that is positive, and back to there if it is negative, it comes by 0.3.
        std::int64_t passages = 0;
        for (std::int64_t k = 0; k < n; ++k)
          for (std::int64_t step = 1; step <= section.last_step; ++step) {
            const double before = step == 1 ? batch.state[k] : value_of(fast, 0, n, step - 1, k);
            const double after = value_of(fast, 0, n, step, k);
            std::vector<double> x(system().dim);
            for (int i = 0; i < system().dim; ++i) x[i] = batch.state[i * n + k];
            const bool turns_left = x[0] * x[4] - x[1] * x[3] > 0;
            passages += turns_left ? before > 0 && after < 0 : before < 0 && after > 0;
          }
        EXPECT_EQ(fast.found, passages) << off;
        expected += passages;
      }
    }
  if (system().kind != Kind::reduced) {  // whose node comes to none of these values
    EXPECT_GT(found, 0);
  }
  if (is_single()) {
    EXPECT_GT(expected, 4);
  }
}

class AngleSectionInBits : public AngleSection {};

INSTANTIATE_TEST_SUITE_P(Every, AngleSectionInBits,
                         ::testing::ValuesIn(angle_cases({Precision::binary64, Precision::binary32})), case_name);

TEST_P(AngleSectionInBits, AreTheSameOnEveryInstructionSet) {
  const std::vector<Isa> isas = isas_of(method(), GetParam().precision);
  if (isas.size() == 1)
    GTEST_SKIP() << "left out (support/kernels_under_test.hpp): sets other than "
                 << isa_names[static_cast<int>(best_isa())];
  for (const double off : {0.0, 1e-9, 1e-3}) {
    const Batch batch = orbits(33, 0.3, off);
    for (const double value : {0.0, 0.3, 1.3}) {
      const RunPlan section = plan(value, 60);
      const Outcome best = run(section, batch, best_isa());
      for (const Isa isa : isas) expect_same_bits(run(section, batch, isa), best, isa_names[static_cast<int>(isa)]);
    }
  }
}

TEST_P(AngleSectionInBits, AreTheSameOnCuda) {
  NEEDS_GPU();
  for (const double off : {0.0, 1e-9, 1e-3}) {
    const Batch batch = orbits(33, 0.3, off);
    for (const double value : {0.0, 0.3, 1.3}) {
      const RunPlan section = plan(value, 60);
      const auto backend = make_cuda(section, method(), GetParam().solver, GetParam().precision);
      expect_same_bits(run_all(*backend, batch, 60, 60), run(section, batch, best_isa()), "cuda");
    }
  }
}

}  // namespace
}  // namespace polhode::test

// An angle without bound in sections, conditions, densities and statistics, which take it modulo 2 pi: a rotor and a
// pendulum on every instruction set and the reference.
#include <cmath>
#include <numbers>

#include "backend/reference/unit.hpp"
#include "backends/support.hpp"
#include "polhode/method/stoermer_verlet.hpp"
#include "support/rotor.hpp"

extern "C" {
extern const polhode::CpuTable rotor_table_scalar, rotor_table_avx2, rotor_table_avx512;
}

namespace polhode::test {
namespace {

constexpr std::int64_t n = 65, steps = 100;
constexpr double turn = 2 * std::numbers::pi, h = 0.25;

RunPlan plan_of(double k, double value, bool up, bool down) {
  RunPlan plan{};
  plan.parameters[0] = k;
  plan.step_plan.kicks[0] = StoermerVerletMethod::kicks;
  plan.step = h;
  plan.section = {.observable = 0, .value = value, .up = up, .down = down, .modulo_turns = true};
  plan.last_step = steps;
  plan.invariants_every = steps;
  return plan;
}

/// Rotors that turn by up to 0.487 turns a step to either side, one of which rests, far from where turns are counted
/// from.
Batch rotors() {
  Batch batch(n, Rotor::dim, 0);
  for (std::int64_t i = 0; i < n; ++i) {
    const double state[] = {turn * 37 * std::sin(static_cast<double>(i)), 0.3,
                            0.487 * turn / h * (2.0 * static_cast<double>(i) / (n - 1) - 1), 0.1};
    for (int j = 0; j < Rotor::dim; ++j) batch.state[j * n + i] = state[j];
  }
  return batch;
}

Outcome run_on(Isa isa, const RunPlan& plan, const Batch& batch, Precision precision = Precision::binary64,
               std::int64_t segment = steps) {
  const CpuTable* const tables[] = {&rotor_table_scalar, &rotor_table_avx2, &rotor_table_avx512};
  const CpuKernels& kernels = tables[static_cast<int>(isa)]->kernels[0][static_cast<int>(precision)];
  return run_all(*make_cpu_backend(plan, kernels, isa, {.threads = 1}), batch, plan.last_step, segment);
}
Outcome run_reference(const RunPlan& plan, const Batch& batch) {
  return run_all(*reference_of<Rotor>()(plan, {"stoermer-verlet"}), batch, plan.last_step, plan.last_step);
}

/// On every instruction set with the same bits, also in short segments, then on the reference.
std::vector<Outcome> on_each(const RunPlan& plan, const Batch& batch) {
  std::vector<Outcome> outcomes{run_on(Isa::scalar, plan, batch)};
  for (const Isa isa : {Isa::avx2, Isa::avx512})
    if (isa_supported(isa)) {
      outcomes.push_back(run_on(isa, plan, batch));
      expect_same_bits(outcomes.back(), outcomes.front(), isa_names[static_cast<int>(isa)]);
    }
  expect_same_bits(run_on(best_isa(), plan, batch, Precision::binary64, 7), outcomes.front(), "segments");
  outcomes.push_back(run_reference(plan, batch));
  return outcomes;
}

TEST(SectionOfARotor, IsCrossedOnceATurn) {
  const Batch batch = rotors();
  // At pi, too, where an angle with a bound has no section.
  for (const double value : {0.0, 1.0 + turn, std::numbers::pi, -100.0})
    for (const auto& [up, down] : {std::pair{true, false}, {false, true}, {true, true}}) {
      const RunPlan plan = plan_of(0, value, up, down);
      for (const Outcome& outcome : on_each(plan, batch)) {
        EXPECT_EQ(outcome.unrefined, 0);
        std::int64_t k = 0;
        for (std::int64_t i = 0; i < n; ++i) {
          const double start = (batch.state[i] - value) / turn, rate = batch.state[2 * n + i] / turn;
          const double end = start + rate * h * steps;  // within 1e-12: whole numbers are farther
          const double turns = rate > 0 ? std::floor(end) - std::floor(start) : std::ceil(start) - std::ceil(end);
          const std::int64_t count = (rate > 0 && up) || (rate < 0 && down) ? std::llround(turns) : 0;
          EXPECT_EQ(outcome.batch.section_count[i], count) << value << ", " << i;
          for (std::int64_t m = 1; m <= count && k < outcome.section.size(); ++m, ++k) {
            const double target =
                rate > 0 ? std::floor(start) + static_cast<double>(m) : std::ceil(start) - static_cast<double>(m);
            ASSERT_EQ(outcome.section.trajectory[k], i);
            // Angles of up to 600 rad have a round-off of 1e-13, in each of 100 steps; divided by rates from 0.06 on.
            EXPECT_NEAR((static_cast<double>(outcome.section.step[k]) + outcome.section.theta[k]) * h,
                        (target - start) / rate, 1e-10);
            EXPECT_NEAR(outcome.section.state[k * Rotor::dim], value + target * turn, 1e-11);  // it counts turns
          }
        }
        EXPECT_EQ(k, outcome.section.size());
        EXPECT_GT(k, up && down ? 1000 : 500);
      }
    }
}

TEST(SectionOfARotor, HasTheSameBitsInSinglePrecision) {
  const RunPlan plan = plan_of(1, 1.0, true, true);
  const Batch batch = rotors();
  const Outcome scalar = run_on(Isa::scalar, plan, batch, Precision::binary32);
  EXPECT_GT(scalar.section.size(), 1000);
  for (const Isa isa : {Isa::avx2, Isa::avx512})
    if (isa_supported(isa))
      expect_same_bits(run_on(isa, plan, batch, Precision::binary32), scalar, isa_names[static_cast<int>(isa)]);
}

/// Pendula that swing and pendula that turn over, each after so many turns; every other one turns back just beyond 1.1,
/// which it crosses twice in a step.
Batch pendula(double turns) {
  Batch batch(n, Rotor::dim, 0);
  for (std::int64_t i = 0; i < n; ++i) {
    const double from_0_to_1 = static_cast<double>(i) / (n - 1);
    const double momentum = i % 2 == 0 ? 6 * from_0_to_1 - 3 : 0.57 + 0.03 * from_0_to_1;
    const double state[] = {0.9 + turns * turn, 0.3, momentum, 0.1};
    for (int j = 0; j < Rotor::dim; ++j) batch.state[j * n + i] = state[j];
  }
  return batch;
}

TEST(SectionOfAPendulum, IsTheSameAfterAnyTurns) {
  for (const bool long_steps : {false, true}) {
    RunPlan plan = plan_of(1, 1.1, true, true);
    plan.section.long_steps = long_steps;
    const Outcome first = run_on(best_isa(), plan, pendula(0));
    EXPECT_GT(first.section.size(), 250);
    for (const double turns : {0.0, 1.0, -3.0, 64.0}) {
      for (const Outcome& outcome : on_each(plan, pendula(turns))) {
        ASSERT_EQ(outcome.section.trajectory, first.section.trajectory) << turns;
        EXPECT_EQ(outcome.section.step, first.section.step);
        // Next to the top of a swing, where two crossings are close, errors are the root of those of an angle, 1e-13.
        for (std::int64_t k = 0; k < first.section.size(); ++k)
          EXPECT_NEAR(outcome.section.theta[k], first.section.theta[k], 1e-5) << turns << ", " << k;
      }
    }
  }
}

TEST(SectionOfAPendulum, WithLongStepsHasTwoCrossingsInOne) {
  RunPlan plan = plan_of(1, 1.1, true, true);
  const std::int64_t of_signs = run_on(best_isa(), plan, pendula(-3)).section.size();
  plan.section.long_steps = true;
  const SectionPoints points = run_on(best_isa(), plan, pendula(-3)).section;
  std::int64_t pairs = 0;
  for (std::int64_t k = 1; k < points.size(); ++k)
    pairs += points.trajectory[k] == points.trajectory[k - 1] && points.step[k] == points.step[k - 1];
  EXPECT_GT(pairs, 3);
  EXPECT_EQ(points.size(), of_signs + 2 * pairs);
}

/// Half a turn away from the section nothing ends: what an angle with a bound could not tell.
TEST(TerminalSectionOfARotor, EndsAtTheFirstCrossing) {
  const Batch batch = rotors();
  for (const auto& [up, down] : {std::pair{true, false}, {false, true}, {true, true}}) {
    RunPlan plan = plan_of(0, 1.0, up, down);
    const Outcome free = run_on(Isa::scalar, plan, batch);
    plan.section.terminal = true;
    for (const Outcome& outcome : on_each(plan, batch)) {
      std::int64_t k = 0;
      for (std::int64_t i = 0; i < n; ++i) {
        const bool crosses = free.batch.section_count[i] > 0;
        EXPECT_EQ(outcome.batch.code[i], static_cast<int>(crosses ? Status::event : Status::ok)) << i;
        EXPECT_EQ(outcome.batch.section_count[i], crosses);
        if (!crosses) continue;
        const auto first = std::ranges::find(free.section.trajectory, i) - free.section.trajectory.begin();
        EXPECT_EQ(outcome.batch.steps[i], free.section.step[first]);
        EXPECT_NEAR(outcome.section.theta[k], free.section.theta[first], 1e-11);
        ++k;
      }
      EXPECT_EQ(k, outcome.section.size());
      EXPECT_GT(k, 20);
    }
  }
}

/// Points of the section x = 0, their angles modulo 2 pi.
TEST(PointsOfARotor, AreSelectedAndCountedModuloTurns) {
  RunPlan plan = plan_of(1, 0, true, true);
  plan.section = {.observable = 1, .value = 0, .up = true, .down = true};
  const Batch batch = rotors();
  const SectionPoints all = run_on(best_isa(), plan, batch).section;
  const auto angle = [&](std::int64_t k) { return std::remainder(all.state[k * Rotor::dim], turn); };
  std::int64_t between = 0;
  for (std::int64_t k = 0; k < all.size(); ++k) between += angle(k) > -1 && angle(k) < 2.5;
  ASSERT_GT(all.size(), 400);
  EXPECT_GT(between, all.size() / 3);
  EXPECT_LT(between, all.size() * 2 / 3);

  plan.selection.where = {
      .count = 2, .comparisons = {{0, Relation::greater, -1}, {0, Relation::less, 2.5}}, .unbounded = 0b11};
  for (const Outcome& outcome : on_each(plan, batch)) EXPECT_EQ(outcome.section.size(), between);

  // All of a turn, from anywhere; and half of it.
  plan.selection.where = {};
  for (const auto& [low, high] :
       {std::pair{-std::numbers::pi, std::numbers::pi}, {0.0, turn}, {50.0, 50.0 + turn}, {2.0, 2.0 + turn / 2}}) {
    constexpr std::int64_t bins = 8;
    plan.selection.axes[0] = {0, bins, low, high, true};
    plan.selection.axes[1] = {2, 1, -100, 100};
    std::vector<std::int64_t> expected(bins + 1);
    for (std::int64_t k = 0; k < all.size(); ++k) {
      double above = std::remainder(all.state[k * Rotor::dim] - low, turn);
      above += above < 0 ? turn : 0;
      ++expected[std::min(static_cast<std::int64_t>(above / (high - low) * bins), bins)];
    }
    for (const Outcome& outcome : on_each(plan, batch)) EXPECT_EQ(outcome.counts, expected) << low;
    if (high - low == turn) {
      EXPECT_EQ(expected.back(), 0);
    } else {
      EXPECT_GT(expected.back(), 40);
    }
  }
}

/// Histograms are modulo 2 pi, means are of the angles as they are.
TEST(StatisticsOfRotors, HaveAllOfThemInATurn) {
  RunPlan plan = plan_of(0, 0, true, true);
  plan.section.observable = -1;
  plan.statistics_every = 25;
  plan.statistics.bins = 5;
  plan.statistics.count = 1;
  plan.statistics.axes[0] = {0, -std::numbers::pi, std::numbers::pi};
  plan.statistics.unbounded = 1;
  const Batch batch = rotors();
  for (const Outcome& outcome : on_each(plan, batch)) {
    ASSERT_EQ(outcome.statistics.size(), 5u);
    for (std::size_t t = 0; t < 5; ++t) {
      std::vector<std::int64_t> cells(7);
      double mean = 0;
      for (std::int64_t i = 0; i < n; ++i) {
        const double angle = batch.state[i] + batch.state[2 * n + i] * h * 25 * static_cast<double>(t);
        mean += angle / n;
        ++cells[static_cast<std::int64_t>((std::remainder(angle, turn) / turn + 0.5) * 5)];
      }
      EXPECT_EQ(outcome.statistics[t].counts, cells) << t;
      EXPECT_NEAR(outcome.statistics[t].moments.at(0).mean, mean, 1e-10)
          << t;  // 65 angles of up to 600 rad, of 1e-13 each
    }
  }
}

}  // namespace
}  // namespace polhode::test

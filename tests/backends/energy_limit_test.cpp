// A limit on the change of the energy: a trajectory ends at the first comparison of its invariants beyond it, in the
// state that was compared, and nothing else changes a bit. Every method on every system.
#include <bit>
#include <cmath>

#include "backends/support.hpp"
#include "polhode/method/status.hpp"

namespace polhode::test {
namespace {

constexpr auto changed = static_cast<std::uint8_t>(Status::energy_changed);

class EnergyLimit : public ::testing::TestWithParam<Case> {
 protected:
  static constexpr std::int64_t n = 43, steps = 100, every = 16;  // the last comparison is at no multiple

  const MethodEntry& method() const { return *GetParam().method; }
  std::uint32_t energy() const { return std::uint32_t{1} << find_system(method().system)->find_energy(); }
  std::int64_t column() const { return std::popcount(plan(0).invariants & (energy() - 1)); }

  /// Without a limit if it is 0. Snapshots are at all comparisons.
  RunPlan plan(double limit) const {
    RunPlan plan = example_plan(GetParam(), steps);
    plan.invariants_every = every;
    plan.snapshots_every = 4;
    plan.energy = limit > 0 ? energy() : 0;
    plan.energy_limit = limit;
    return plan;
  }
  Batch ensemble() const { return random_ensemble(n, 31, 1.5, 2, method(), std::popcount(plan(0).invariants)); }
  Outcome run(double limit, Isa isa, const Batch& batch, std::int64_t segment) const {
    return run_all(*make_cpu(plan(limit), isa, 1, GetParam().solver, GetParam().precision, method()), batch, steps,
                   segment);
  }
  double change(const Outcome& free, std::int64_t step, std::int64_t k) const {
    const std::int64_t row = (step / 4 - 1) * (free.batch.dim + free.batch.n_invariants) + free.batch.dim + column();
    const double now = free.snapshots[row * n + k], before = free.batch.invariants[column() * n + k];
    if (GetParam().precision == Precision::binary64) return std::abs(now - before);
    return std::abs(static_cast<float>(now) - static_cast<float>(before));
  }
  /// The first comparison beyond the limit that a trajectory comes to; 0 if there is none.
  std::int64_t end_of(const Outcome& free, double limit, std::int64_t k) const {
    const double rounded =
        GetParam().precision == Precision::binary64 ? limit : static_cast<double>(static_cast<float>(limit));
    for (std::int64_t step = every; step - every < steps; step += every) {
      const std::int64_t at = std::min(step, steps);
      if (at > free.batch.steps[k]) break;
      if (!(change(free, at, k) <= rounded)) return at;
    }
    return 0;
  }
  /// One that half of the trajectories go beyond.
  double median_change(const Outcome& free) const {
    std::vector<double> all;
    for (std::int64_t k = 0; k < n; ++k)
      if (free.batch.code[k] == 0) all.push_back(free.batch.max_drift[column() * n + k]);
    std::ranges::sort(all);
    return all.empty() ? 0 : all[all.size() / 2];
  }
};

INSTANTIATE_TEST_SUITE_P(Every, EnergyLimit, ::testing::ValuesIn(all_cases({Precision::binary64, Precision::binary32})),
                         case_name);

TEST_P(EnergyLimit, EndsATrajectoryAtTheFirstComparisonBeyondIt) {
  const Batch batch = ensemble();
  const Outcome free = run(0, best_isa(), batch, steps);
  const double limit = median_change(free);
  if (!(limit > 0)) GTEST_SKIP() << "half of the energies do not change in a bit, so that no limit ends half";
  const Outcome limited = run(limit, best_isa(), batch, steps);
  std::int64_t ended = 0;
  for (std::int64_t k = 0; k < n; ++k) {
    const std::int64_t end = end_of(free, limit, k);
    if (end == 0) {
      Outcome alone = part_of(limited, k, k + 1), expected = part_of(free, k, k + 1);
      expect_same_bits(alone, expected, "trajectory " + std::to_string(k));
      continue;
    }
    ++ended;
    EXPECT_EQ(limited.batch.code[k], changed) << k;
    EXPECT_EQ(limited.batch.steps[k], end) << k;
    double largest = 0;
    for (std::int64_t step = every; step < end; step += every) largest = std::max(largest, change(free, step, k));
    EXPECT_EQ(limited.batch.max_drift[column() * n + k], std::max(largest, change(free, end, k))) << k;
    for (int i = 0; i < batch.dim; ++i)
      EXPECT_EQ(limited.batch.state[i * n + k],
                free.snapshots[((end / 4 - 1) * (batch.dim + batch.n_invariants) + i) * n + k])
          << k;
    // Its crossings are those of the steps that it has taken.
    const auto crossings = [&](const Outcome& outcome) {
      std::vector<double> times;
      for (std::int64_t j = 0; j < outcome.section.size(); ++j)
        if (outcome.section.trajectory[j] == k && outcome.section.step[j] < end)
          times.push_back(outcome.section.theta[j]);
      return times;
    };
    EXPECT_TRUE(same_bits(crossings(limited), crossings(free))) << k;
    EXPECT_EQ(std::ranges::count(limited.section.trajectory, k), std::ssize(crossings(free))) << k;
  }
  EXPECT_GT(ended, 0);
  EXPECT_LT(ended, n);
}

TEST_P(EnergyLimit, HasTheSameBitsInAnySegmentsOnAnyInstructionSet) {
  const Batch batch = ensemble();
  const double limit = median_change(run(0, best_isa(), batch, steps));
  if (!(limit > 0)) GTEST_SKIP() << "half of the energies do not change in a bit, so that no limit ends half";
  const Outcome whole = run(limit, best_isa(), batch, steps);
  for (const std::int64_t segment : {std::int64_t{1}, std::int64_t{16}, std::int64_t{17}})
    expect_same_bits(run(limit, best_isa(), batch, segment), whole, "segments of " + std::to_string(segment));
  for (const Isa isa : isas_of(method(), GetParam().precision))
    expect_same_bits(run(limit, isa, batch, steps), whole, isa_names[static_cast<int>(isa)]);
}

TEST_P(EnergyLimit, HasTheSameBitsOnCuda) {
  NEEDS_GPU();
  const Batch batch = ensemble();
  const double limit = median_change(run(0, best_isa(), batch, steps));
  if (!(limit > 0)) GTEST_SKIP() << "half of the energies do not change in a bit, so that no limit ends half";
  const auto backend = make_cuda(plan(limit), method(), GetParam().solver, GetParam().precision);
  const Outcome whole = run(limit, best_isa(), batch, steps);
  for (const std::int64_t segment : {std::int64_t{1}, std::int64_t{17}, steps})
    expect_same_bits(run_all(*backend, batch, steps, segment), whole, "segments of " + std::to_string(segment));
}

/// A passage of a comet that is too fast for the step: its energy changes by orders of magnitude, and no step fails.
/// With a limit it ends at the first comparison after the passage, on every backend; a planet goes on.
TEST(EnergyLimitOfACloseEncounter, EndsIt) {
  const MethodEntry& method = *find_method("kepler", "rk4");
  RunPlan plan = example_plan(method, 400);
  plan.parameters[0] = 1;
  plan.parameters[1] = 1e-6;  // a small centre
  plan.step = 0.02;
  plan.section.observable = -1;
  Batch batch(2, 4, std::popcount(plan.invariants));
  const double states[2][4] = {{1, 0, 0, 0.01}, {1, 0, 0, 1}};
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < 4; ++i) batch.state[i * 2 + k] = states[k][i];
  for (const Batch& end : on_every_backend(method, plan, batch)) {
    EXPECT_EQ(end.code[0], static_cast<int>(Status::ok));
    EXPECT_GT(end.max_drift[0], 100);  // of an energy of -1
    EXPECT_LT(end.max_drift[1], 1e-6);
  }
  plan.energy = 1;
  plan.energy_limit = 0.1;
  // The fall from rest at distance 1 takes pi/sqrt(8), 55.5 steps; comparisons are every 16.
  for (const Batch& end : on_every_backend(method, plan, batch)) {
    EXPECT_EQ(end.code[0], changed);
    EXPECT_EQ(end.steps[0], 64);
    EXPECT_EQ(end.code[1], static_cast<int>(Status::ok));
    EXPECT_EQ(end.steps[1], 400);
  }
}

}  // namespace
}  // namespace polhode::test

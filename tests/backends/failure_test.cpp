// Trajectories that end: each with the status that says why, where it was, and its neighbours unmoved by it. On every
// constrained system with every method and solver; the fast backend for every instruction set and the reference alike.
#include <bit>

#include "backends/support.hpp"
#include "polhode/method/status.hpp"

namespace polhode::test {
namespace {

/// What can happen to a trajectory, in the order in which the lanes of an ensemble take turns.
constexpr Status fates[] = {Status::ok, Status::not_converged, Status::ok, Status::not_finite, Status::singular};
constexpr int n_fates = std::size(fates);

class Failure : public ::testing::TestWithParam<Case> {
 protected:
  static constexpr std::int64_t n = 43, steps = 32;  // no multiple of a pack

  const MethodEntry& method() const { return *GetParam().method; }
  bool is_double() const { return GetParam().precision == Precision::binary64; }

  RunPlan plan() const {
    RunPlan plan = example_plan(method(), steps, GetParam().solver, GetParam().precision);
    plan.section.observable = -1;
    plan.snapshots_every = 8;
    return plan;
  }

  /// States about the example, changed so that trajectory k has its fate in its first step.
  Batch ensemble() const {
    Batch batch = random_states(n, 17, 1, 0, method(), std::popcount(plan().invariants));
    for (std::int64_t k = 0; k < n; ++k)
      for (int i = 0; i < batch.dim; ++i) {
        double& value = batch.state[i * n + k];
        const bool is_momentum = i >= batch.dim / 2;
        switch (fates[k % n_fates]) {
          case Status::not_converged: value *= is_momentum && has_limit() ? speed() : 1; break;  // longer than a rod
          case Status::not_finite: value *= is_momentum ? 1e200 : 1; break;  // the square of a length overflows
          case Status::singular: value *= is_momentum ? 1 : 0; break;        // all points coincide
          default: break;
        }
      }
    return batch;
  }

  /// Factor of momenta that are too fast; the stages of an explicit layer would overflow with the larger one.
  double speed() const { return is_named(method(), {"variational"}) && !is_double() ? 300 : 3000; }
  /// Whether a step can be so long that its equation has no solution: not where multipliers are substituted.
  bool has_limit() const { return method().solvers[GetParam().solver].name != std::string("substitution"); }
  Status fate_of(std::int64_t k) const {
    const Status fate = fates[k % n_fates];
    if (fate == Status::not_converged && !has_limit()) return Status::ok;
    // Where the atoms of a contact coincide its force is infinite; a kick before the motion comes to know of it.
    const bool is_infinite =
        find_system(method().system)->family == std::string("molecule-chain") && method().kicks.before > 0;
    if (fate == Status::singular && is_infinite) return Status::not_finite;
    return fate;
  }

  void expect_fates(const Batch& start, const Batch& end, const std::string& what) const {
    for (std::int64_t k = 0; k < end.n; ++k) {
      const Status fate = fate_of(k);
      ASSERT_EQ(end.code[k], static_cast<int>(fate)) << what << ", trajectory " << k;
      EXPECT_EQ(end.steps[k], fate == Status::ok ? steps : 0) << what;
      for (int i = 0; i < end.dim; ++i) {
        const double value = end.state[i * end.n + k];
        if (fate == Status::ok) {
          EXPECT_TRUE(std::isfinite(value)) << what;
        } else if (!what.ends_with("single")) {
          EXPECT_EQ(value, start.state[i * start.n + k]) << what;  // where it was
        }
      }
    }
  }

  Outcome run(Isa isa, const Batch& batch) const {
    return run_all(*make_cpu(plan(), isa, 1, GetParam().solver, GetParam().precision, method()), batch, steps, steps);
  }
};

std::vector<Case> constrained_cases() {
  std::vector<Case> cases = all_cases({Precision::binary64, Precision::binary32});
  std::erase_if(cases, [](const Case& c) { return find_system(c.method->system)->kind != Kind::constrained; });
  return cases;
}

/// At a singular position, and of momenta that overflow, the energy of the lift is not a number, and the sign of that
/// is the compiler's. Such a state is refused as an initial one, so that no file has it.
Outcome comparable(std::int64_t k, Outcome outcome) {
  const Status fate = fates[k % n_fates];
  if (fate != Status::singular && fate != Status::not_finite) return outcome;
  for (auto* values : {&outcome.batch.invariants, &outcome.batch.max_drift, &outcome.snapshots})
    std::replace_if(
        values->begin(), values->end(), [](double x) { return std::isnan(x); }, 0.0);
  return outcome;
}

INSTANTIATE_TEST_SUITE_P(Every, Failure, ::testing::ValuesIn(constrained_cases()), case_name);

TEST_P(Failure, HasItsStatusAndLeavesItsNeighboursAlone) {
  const Batch batch = ensemble();
  std::vector<Outcome> alone;
  for (std::int64_t k = 0; k < n; ++k) alone.push_back(comparable(k, run(best_isa(), part_of(batch, k, k + 1))));
  for (const Isa isa : isas_of(method(), GetParam().precision)) {
    const std::string what = std::string(isa_names[static_cast<int>(isa)]) + (is_double() ? ", double" : ", single");
    const Outcome together = run(isa, batch);
    expect_fates(batch, together.batch, what);
    for (std::int64_t k = 0; k < n; ++k)
      expect_same_bits(comparable(k, part_of(together, k, k + 1)), alone[k],
                       what + ", trajectory " + std::to_string(k));
  }
}

TEST_P(Failure, IsTheSameForTheReference) {
  if (!is_double()) GTEST_SKIP() << "the reference computes in double precision only: nothing to compare with";
  const Batch batch = part_of(ensemble(), 0, has_slow_reference(method()) ? 2 * n_fates : n);
  expect_fates(batch, run_all(*method().make_reference(plan()), batch, steps, steps).batch, "reference");
}

/// The trajectories of a batch whose first step is valid, where that step has to end on the constraints.
std::int64_t valid_steps(const MethodEntry& method, int solver, Precision precision, RunPlan plan, const Batch& batch) {
  plan.last_step = 1;
  const Outcome end = run_all(*make_cpu(plan, best_isa(), 1, solver, precision, method), batch, 1, 1);
  // The system's own g, in double precision: what the reference finds at the start of a run.
  Batch start = end.batch;
  std::ranges::fill(start.steps, 0);
  const Outcome seen = run_all(*method.make_reference(plan), start, 1, 1);
  const double* residual = &seen.batch.invariants[(batch.n_invariants - 1) * batch.n];
  // A displacement of is_negligible, twice 32 units in the last place of |q|, times |G| <= 2 |q|. From the constraints
  // themselves 8000 steps of each solver ended within 2 (newton) and 43 units of |q|^2.
  const double allowed = 128 * (precision == Precision::binary64 ? 0x1p-52 : 0x1p-23);
  std::int64_t valid = 0;
  for (std::int64_t k = 0; k < batch.n; ++k) {
    if (end.batch.code[k] != static_cast<int>(Status::ok)) continue;
    ++valid;
    double squared = 0;
    for (int i = 0; i < batch.dim / 2; ++i) squared += std::pow(end.batch.state[i * batch.n + k], 2);
    EXPECT_LE(residual[k], allowed * squared) << "trajectory " << k;
  }
  return valid;
}

/// From the constraints with momenta up to 10^4 times those of the example; from down to 10^-8 of its positions, where
/// the constraints nearly lose their independence; and from up to 30 times its positions, where an iteration with a
/// matrix of another place creeps: without its look at the constraints newton-secant ends off them.
TEST_P(Failure, NoValidStepEndsOffItsConstraints) {
  if (!method().properties().constraints)
    GTEST_SKIP() << "this method declares that it does not keep the constraints, so that its valid steps end off them; "
                    "numerics' ConstrainedProperties.Kept checks that they measurably do";
  constexpr std::int64_t many = 300;
  Batch batch = random_states(many, 19, 1, 0, method(), std::popcount(plan().invariants));
  std::mt19937_64 random(23);
  std::uniform_real_distribution<double> uniform;
  for (std::int64_t k = 0; k < many; ++k) {
    const double place = k % 3 == 0 ? 1 : std::pow(10, k % 3 == 1 ? -8 * uniform(random) : 1 + 0.5 * uniform(random));
    const double speed = std::pow(10, (k % 3 == 2 ? 1 : 4) * uniform(random));
    for (int i = 0; i < batch.dim; ++i) batch.state[i * many + k] *= i < batch.dim / 2 ? place : speed;
  }
  const std::int64_t valid = valid_steps(method(), GetParam().solver, GetParam().precision, plan(), batch);
  EXPECT_GT(valid, many / 30);  // 15 to 178 were
  EXPECT_LT(valid, 2 * many / 3);
}

/// Bobs so light and so fast that in single precision a pivot overflows: its inverse would be 0, and the iteration seem
/// to have settled where it is.
TEST(Overflow, OfAPivotIsNoSolution) {
  for (const char* system : {"spherical-pendulum", "double-spherical-pendulum"})
    for (const char* name : {"rattle", "rattle-tn", "shake", "constraint-euler"}) {
      const MethodEntry& method = *find_method(system, name);
      RunPlan plan = example_plan(method, 1, 0, Precision::binary32);
      plan.section.observable = -1;
      const int bobs = find_system(system)->dim / 6;
      for (int i = 0; i < bobs; ++i) plan.parameters[i] = 1e-30;
      plan.parameters[2 * bobs] = 0;  // gravity
      Batch batch = random_states(100, 29, 1, 0, method, std::popcount(plan.invariants));
      std::mt19937_64 random(31);
      for (std::int64_t k = 0; k < batch.n; ++k) {
        const double speed = std::pow(10, std::uniform_real_distribution<double>(8, 12)(random));
        for (int i = batch.dim / 2; i < batch.dim; ++i) batch.state[i * batch.n + k] *= 1e-30 * speed;
      }
      EXPECT_EQ(valid_steps(method, 0, Precision::binary32, plan, batch), 0) << system << ", " << name;
    }
}

}  // namespace
}  // namespace polhode::test

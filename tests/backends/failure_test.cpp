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

  Plan plan() const {
    Plan plan = example_plan(method(), steps, GetParam().variant, GetParam().precision);
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
          case Status::not_converged: value *= is_momentum && has_limit() ? 3000 : 1; break;  // longer than a rod
          case Status::not_finite: value *= is_momentum ? 1e200 : 1; break;  // the square of a length overflows
          case Status::singular: value *= is_momentum ? 1 : 0; break;        // all points coincide
          default: break;
        }
      }
    return batch;
  }

  /// Whether a step can be so long that its equation has no solution: not where multipliers are substituted.
  bool has_limit() const { return method().variants[GetParam().variant].solver != std::string("substitution"); }
  Status fate_of(std::int64_t k) const {
    const Status fate = fates[k % n_fates];
    if (fate == Status::not_converged && !has_limit()) return Status::ok;
    // Where the atoms of a contact coincide its force is infinite; a kick before the motion comes to know of it.
    const bool is_infinite =
        find_system(method().system)->family == std::string("molecule-chain") && method().coefficients.kick_before > 0;
    if (fate == Status::singular && is_infinite) return Status::not_finite;
    return fate;
  }

  void expect_fates(const Batch& start, const Batch& end, const std::string& what) const {
    for (std::int64_t k = 0; k < n; ++k) {
      const Status fate = fate_of(k);
      ASSERT_EQ(end.code[k], static_cast<int>(fate)) << what << ", trajectory " << k;
      EXPECT_EQ(end.steps[k], fate == Status::ok ? steps : 0) << what;
      for (int i = 0; i < end.dim; ++i) {
        const double value = end.state[i * n + k];
        if (fate == Status::ok) {
          EXPECT_TRUE(std::isfinite(value)) << what;
        } else if (!what.ends_with("single")) {
          EXPECT_EQ(value, start.state[i * n + k]) << what;  // where it was
        }
      }
    }
  }

  Outcome run(Isa isa, const Batch& batch) const {
    return run_all(*make_cpu(plan(), isa, 1, GetParam().variant, GetParam().precision, method()), batch, steps, steps);
  }
};

std::vector<Case> constrained_cases() {
  std::vector<Case> cases = all_cases({Precision::binary64, Precision::binary32});
  std::erase_if(cases, [](const Case& c) { return !find_system(c.method->system)->prepare_velocities; });
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
  for (std::int64_t k = 0; k < n; ++k) alone.push_back(comparable(k, run(Isa::scalar, part_of(batch, k, k + 1))));
  for (const Isa isa : {Isa::scalar, Isa::avx2, Isa::avx512}) {
    if (!isa_supported(isa)) continue;
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
  const Batch batch = ensemble();
  expect_fates(batch, run_all(*method().make_reference(plan()), batch, steps, steps).batch, "reference");
}

}  // namespace
}  // namespace polhode::test

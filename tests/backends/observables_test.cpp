// Sections of what is not a column of the state: an observable and its size, which the refinement of a crossing is
// judged by, are computed by each instruction set and by a GPU for themselves. Every comparison here is of bits.
#include "backends/support.hpp"

namespace polhode::test {
namespace {

constexpr std::int64_t n = 65, steps = 256;

struct Derived {
  const MethodEntry* method;  ///< the first that the system has
  int observable;
  Precision precision;

  const SystemEntry& system() const { return *find_system(method->system); }
  std::string name() const { return std::string(system().observables[observable].name); }
};

std::vector<Derived> derived_observables() {
  std::vector<Derived> all;
  for (const SystemEntry& system : systems())
    for (int k = system.dim; k < static_cast<int>(system.observables.size()); ++k)
      for (const Precision precision : {Precision::binary64, Precision::binary32})
        if (const MethodEntry* const first = methods_of(system).front(); is_tested(*first, precision, best_isa()))
          all.push_back({first, k, precision});
  return all;
}

std::string derived_name(const ::testing::TestParamInfo<Derived>& info) {
  return case_name({{info.param.method, 0, info.param.precision}, info.index}) + "_" + info.param.name();
}

class SectionOfAnObservable : public ::testing::TestWithParam<Derived> {
 protected:
  SectionOfAnObservable() {
    const auto& [method, observable, precision] = GetParam();
    plan = example_plan(*method, steps, 0, precision);
    batch = random_ensemble(n, 20261123, 1, 0, *method, std::popcount(plan.invariants));
    // In the middle of the values that the starts have, so that many trajectories cross.
    std::vector<double> values(n), x(batch.dim);
    for (std::int64_t k = 0; k < n; ++k) {
      for (int i = 0; i < batch.dim; ++i) x[i] = batch.state[i * n + k];
      values[k] = GetParam().system().observe(plan.parameters, observable, x.data());
    }
    std::nth_element(values.begin(), values.begin() + n / 2, values.end());
    plan.section = {observable, values[n / 2], true, true};
    plan.section.jumps = GetParam().system().observables[observable].angle == Angle::wrapped;
  }
  /// Whether it hardly changes along an orbit.
  bool is_integral() const {
    const std::string name = GetParam().name();
    const SystemEntry& system = GetParam().system();
    const bool is_of_kepler = system.name == std::string("kepler") && (name == "e1" || name == "e2");
    return is_of_kepler ||
           std::ranges::any_of(system.invariants, [&](const Quantity& one) { return name == one.name; });
  }
  Outcome run(Isa isa) const {
    return run_all(*make_cpu(plan, isa, 1, 0, GetParam().precision, *GetParam().method), batch, steps, steps);
  }

  RunPlan plan;
  Batch batch;
};

INSTANTIATE_TEST_SUITE_P(Every, SectionOfAnObservable, ::testing::ValuesIn(derived_observables()), derived_name);

TEST_P(SectionOfAnObservable, HasTheSameBitsOnEveryInstructionSet) {
  const Outcome best = run(best_isa());
  if (!is_integral()) {
    EXPECT_GT(best.section.size(), n / 16);
  }
  for (const Isa isa : isas_of(*GetParam().method, GetParam().precision))
    expect_same_bits(run(isa), best, isa_names[static_cast<int>(isa)]);
}

TEST_P(SectionOfAnObservable, HasTheSameBitsOnCuda) {
  NEEDS_GPU();
  const auto& [method, observable, precision] = GetParam();
  const auto backend = make_cuda(plan, *method, 0, precision);
  expect_same_bits(run_all(*backend, batch, steps, steps), run(best_isa()), "cuda");
}

// An azimuth jumps from pi to -pi. Where a section's value is close to pi, only what is on both sides of the jump tells
// it from a crossing.
TEST(SectionBesideAJump, HasOnlyCrossings) {
  const MethodEntry& method = *find_method("spherical-pendulum", "rattle");
  RunPlan plan = example_plan(method, 2048);
  plan.snapshots_every = 1;
  const Batch batch = random_ensemble(n, 20261124, 4, 0, method, std::popcount(plan.invariants));
  const SystemEntry& system = *find_system(method.system);
  const int azimuth = system.find_observable("azimuth");
  const auto value_at = [&](const double* columns, std::int64_t k) {
    std::vector<double> x(batch.dim);
    for (int i = 0; i < batch.dim; ++i) x[i] = columns[i * n + k];
    return system.observe(plan.parameters, azimuth, x.data());
  };
  std::int64_t changes = 0, crossings = 0;  // of a side, in the states; and points of the section
  for (const double value : {3.137, -3.137}) {
    plan.section = {azimuth, value, true, true};
    plan.section.jumps = true;
    const Outcome fast = run_all(*make_cpu(plan, best_isa(), 1, 0, Precision::binary64, method), batch, 2048, 2048),
                  slow = run_all(*method.make_reference(plan), batch, 2048, 2048);
    EXPECT_EQ(fast.section.trajectory, slow.section.trajectory);
    EXPECT_EQ(fast.section.step, slow.section.step);
    for (const Outcome* outcome : {&fast, &slow}) {
      EXPECT_EQ(outcome->unrefined, 0);
      for (std::int64_t k = 0; k < outcome->section.size(); ++k)
        EXPECT_NEAR(system.observe(plan.parameters, azimuth, outcome->section.state.data() + k * batch.dim), value,
                    1e-12);  // round-off at pi is 4e-16, and more where the rod is nearly upright
    }
    crossings += fast.section.size();
    for (std::int64_t k = 0; k < n; ++k) {
      double before = value_at(batch.state.data(), k) - value;
      for (std::int64_t t = 0; t < 2048; ++t) {
        const double after = value_at(&fast.snapshots[t * (batch.dim + batch.n_invariants) * n], k) - value;
        changes += (before < 0 && after >= 0) || (before > 0 && after <= 0);
        before = after;
      }
    }
  }
  EXPECT_GT(crossings, 10);
  EXPECT_GT(changes - crossings, 10);  // jumps
}

}  // namespace
}  // namespace polhode::test

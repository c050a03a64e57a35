// Points in line, where the constraints of a linkage lose their independence: the trajectory ends with the status that
// says so, and its neighbours go on. For every instruction set and the reference.
#include "backend/reference/constrained_motions.hpp"
#include "backend/reference/reference_run.hpp"
#include "backends/support.hpp"
#include "polhode/method/rattle.hpp"
#include "polhode/method/status.hpp"
#include "support/linkage.hpp"
#include "system/initial_point.hpp"

extern "C" {
extern const polhode::CpuTable linkage_table_scalar, linkage_table_avx2, linkage_table_avx512;
}

namespace polhode::test {
namespace {

constexpr std::int64_t n = 37, steps = 40;

RunPlan linkage_plan() {
  RunPlan plan{};
  plan.step_plan.kicks[0] = RattleMethod::kicks;
  plan.step = Linkage::example_step;
  plan.step_plan.stages[0].sweeps = 3;
  plan.section.observable = -1;
  plan.invariants = 0b11;
  plan.last_step = steps;
  plan.invariants_every = 8;
  return plan;
}

bool is_in_line(std::int64_t k) { return k % 5 == 2; }

/// Parallelograms at angles between 60 and 120 degrees, which steps of this length do not take to the line; every fifth
/// is in line, and would have to leave it on no branch or on both.
Batch linkages() {
  Batch batch(n, Linkage::dim, 2);
  for (std::int64_t k = 0; k < n; ++k) {
    const double angle = M_PI * (60 + 60.0 * static_cast<double>(k) / n) / 180, c = std::cos(angle),
                 s = std::sin(angle);
    double x[] = {c, s, 1 + c, s, -0.2 * s, 0.2 * c, -0.2 * s, 0.2 * c};
    if (is_in_line(k)) {
      const double in_line[] = {1, 0, 2, 0, 0, 0.3, 0, 0.01 * static_cast<double>(k)};
      std::copy(std::begin(in_line), std::end(in_line), x);
    } else if (const char* problem = InitialPoint<Linkage>(nullptr).prepare(Momentum::hidden_constraint, x).problem) {
      throw std::logic_error(problem);
    }
    for (int i = 0; i < Linkage::dim; ++i) batch.state[i * n + k] = x[i];
  }
  return batch;
}

void expect_fates(const Batch& batch, const std::string& what) {
  for (std::int64_t k = 0; k < n; ++k) {
    ASSERT_EQ(batch.code[k], static_cast<int>(is_in_line(k) ? Status::singular : Status::ok)) << what << ", " << k;
    EXPECT_EQ(batch.steps[k], is_in_line(k) ? 0 : steps) << what;
  }
}

TEST(Singular, PointsInLineOnEveryInstructionSet) {
  const Batch batch = linkages();
  const CpuTable* const tables[] = {&linkage_table_scalar, &linkage_table_avx2, &linkage_table_avx512};
  for (const Precision precision : {Precision::binary64, Precision::binary32}) {
    const auto run = [&](int isa) {
      const CpuKernels& kernels = tables[isa]->kernels[0][static_cast<int>(precision)];
      return run_all(*make_cpu_backend(linkage_plan(), kernels, static_cast<Isa>(isa), {.threads = 1}), batch, steps,
                     steps);
    };
    const Outcome scalar = run(0);
    for (int isa = 0; isa < n_isas; ++isa) {
      if (!isa_supported(static_cast<Isa>(isa))) continue;
      const std::string what = std::string(isa_names[isa]);
      const Outcome outcome = run(isa);
      expect_fates(outcome.batch, what);
      expect_same_bits(outcome, scalar, what);
    }
  }
}

TEST(Singular, PointsInLineOnTheReference) {
  const RunPlan plan = linkage_plan();
  const auto backend = make_reference_run(plan, observables_of<Linkage>(plan.parameters),
                                          make_motion(mechanical_values<Linkage>(plan.parameters), {"rattle"}));
  expect_fates(run_all(*backend, linkages(), steps, steps).batch, "reference");
}

TEST(Singular, TheTextSaysWhatHappened) {
  EXPECT_NE(std::string(status_text[static_cast<int>(Status::singular)]).find("lost rank"), std::string::npos);
}

}  // namespace
}  // namespace polhode::test

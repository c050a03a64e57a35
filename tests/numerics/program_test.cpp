// The kernels of the program against the steps that the suites of this folder look at: the same bits in double, so that
// what is known of the one is known of the other; and in single precision the errors of single precision.
#include <cmath>

#include "backend/cpu/cpu_backend.hpp"
#include "numerics/subject.hpp"
#include "spec/method_step.hpp"
#include "support/kernels_under_test.hpp"
#include "support/tolerances.hpp"

namespace polhode::test {
namespace {

class Program : public ::testing::TestWithParam<Method> {
 protected:
  static constexpr int n = 6, steps = 40;

  const MethodEntry& entry() const { return *find_method(GetParam().system, GetParam().name); }
  int index_of(const std::string& solver) const {
    for (int i = 0; i < static_cast<int>(entry().solvers.size()); ++i)
      if (entry().solvers[i].name == solver) return i;
    throw std::logic_error(solver);
  }

  std::vector<State> starts(const Subject& subject) const {
    std::mt19937_64 random(31);
    std::vector<State> all;
    for (int k = 0; k < n; ++k) all.push_back(subject.start(random, GetParam().momentum()));
    return all;
  }
  /// States that the kernels lead to.
  std::vector<State> ends(const Subject& subject, int solver, Precision precision) const {
    const int index = index_of(subject.solver_name(solver));
    RunPlan plan{};
    std::copy(subject.parameters.begin(), subject.parameters.end(), plan.parameters);
    plan.step = subject.step;
    StepPlan step{.options = GetParam().stages.front().scheme.options, .n_stages = 0};
    for (const Part& stage : GetParam().stages) append_stage(step, stage.share, stage.scheme.kicks);
    plan.step_plan = entry().with_sweeps(step, index, plan.parameters, plan.step, precision);
    plan.section.observable = -1;
    plan.last_step = steps;
    plan.invariants_every = steps;
    Batch batch(n, subject.dim(), 0);
    std::vector<State> states = starts(subject);
    for (int k = 0; k < n; ++k)
      for (int i = 0; i < batch.dim; ++i) batch.state[i * n + k] = states[k][i];
    const auto backend = make_cpu_backend(plan, entry().kernels(index, precision, best_isa()), best_isa(),
                                          {.threads = 1, .capacity = 1});
    backend->load(batch);
    backend->advance({0, steps});
    backend->store(batch);
    for (int k = 0; k < n; ++k) {
      EXPECT_EQ(batch.code[k], 0);
      for (int i = 0; i < batch.dim; ++i) states[k][i] = batch.state[i * n + k];
    }
    return states;
  }
};
INSTANTIATE_TEST_SUITE_P(Catalog, Program, ::testing::ValuesIn(catalog_methods()), method_name);

TEST_P(Program, MakesTheSameSteps) {
  for (const Subject* subject : GetParam().subjects)
    for (const int solver : GetParam().solvers) {
      std::vector<State> expected = starts(*subject);
      for (State& x : expected) EXPECT_TRUE(subject->advance(solver, GetParam().stages, subject->step, steps, x));
      EXPECT_EQ(ends(*subject, solver, Precision::binary64), expected) << subject->solver_name(solver);
    }
}

TEST_P(Program, FloatHasTheErrorsOfFloat) {
  if (!is_tested(entry(), Precision::binary32, best_isa()))
    GTEST_SKIP() << "left out (support/kernels_under_test.hpp): kernels in single precision";
  double most = 0;
  for (const Subject* subject : GetParam().subjects)
    for (const int solver : GetParam().solvers) {
      const std::vector<State> wide = ends(*subject, solver, Precision::binary64),
                               narrow = ends(*subject, solver, Precision::binary32);
      double worst = 0;
      for (int k = 0; k < n; ++k) worst = std::max(worst, subject->distance(narrow[k], wide[k]));
      EXPECT_GT(worst, 1e-7) << subject->solver_name(solver);  // a unit in the last place
      EXPECT_LT(worst, round_off_of(subject->system).single) << subject->solver_name(solver);
      most = std::max(most, worst);
    }
  RecordProperty("worst", std::to_string(most * 1e6) + "e-6");
}

}  // namespace
}  // namespace polhode::test

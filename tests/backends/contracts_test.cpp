// What a driver owes a backend: breaches of it end a program that checks contracts.
#include "support/contracts.hpp"
#include "backends/support.hpp"

namespace polhode::test {
namespace {

constexpr std::int64_t steps = 32;

class BackendContractsDeathTest : public testing::TestWithParam<bool> {
 protected:
  std::unique_ptr<Backend> make() const {
    if (GetParam()) return heavy_top_rattle().make_reference(plan_);
    return make_cpu(plan_, Isa::scalar, 1);
  }

  const RunPlan plan_ = figure_plan(steps);
  const Batch batch_ = random_tops(4, 1);
};

TEST_P(BackendContractsDeathTest, ABatchIsComplete) {
  const auto backend = make();
  Batch short_column = batch_;
  short_column.max_drift.pop_back();
  EXPECT_BREACH(backend->load(short_column), "is_complete");
  EXPECT_BREACH(backend->load(Batch(0, batch_.dim, batch_.n_invariants)), "is_complete");
  EXPECT_BREACH(backend->load(random_tops(4, 1, 1, 0, heavy_top(), n_common_invariants - 1)), "n_invariants");
}

TEST_P(BackendContractsDeathTest, ASegmentFollowsTheLastOne) {
  const auto backend = make();
  EXPECT_BREACH(backend->advance({0, 8}), "");  // nothing is loaded
  backend->load(batch_);
  EXPECT_BREACH(backend->advance({8, 8}), "segment.first");
  backend->advance({0, 8});
  backend->advance({8, 8});
  EXPECT_BREACH(backend->advance({8, 8}), "segment.first");
  EXPECT_BREACH(backend->advance({16, 0}), "segment.count > 0");
  EXPECT_BREACH(backend->advance({16, steps}), "last_step");
}

INSTANTIATE_TEST_SUITE_P(Of, BackendContractsDeathTest, testing::Bool(),
                         [](const auto& info) { return info.param ? "Reference" : "Cpu"; });

}  // namespace
}  // namespace polhode::test

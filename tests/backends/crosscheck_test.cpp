// The cross-check finds faults that are planted in one of two backends, and none where there is none.
#include "crosscheck/checks.hpp"

#include <bit>

#include "backends/support.hpp"

extern "C" {
extern const polhode::CpuTable fault_none, fault_tolerance, fault_contraction;
}

namespace polhode::test {
namespace {

constexpr const char* name = "double-spherical-pendulum";
constexpr std::int64_t n = 20, steps = 300;

class CrosscheckFindings : public testing::Test {
 protected:
  void SetUp() override {
    if (!isa_supported(Isa::avx2)) GTEST_SKIP() << "this processor lacks AVX2, for which the faults are compiled";
    int variant = 0;
    while (method().variants[variant].solver != std::string("newton")) ++variant;
    plan_ = example_plan(method(), steps, variant);
    plan_.sweeps = 1;  // so that iterations end by their tolerance
    start_ = random_states(n, 3, 1, 0, method(), std::popcount(plan_.invariants));
    a_ = make_cpu(plan_, Isa::avx2, 1, variant, Precision::binary64, method());
    of_a_ = record(*a_, start_, times());
  }

  static const MethodEntry& method() { return *find_method(name, "rattle"); }
  static std::vector<std::int64_t> times() { return {0, 10, 50, 100, 200, steps}; }
  static std::unique_ptr<Backend> with_kernels(const Plan& plan, const CpuTable& table) {
    return make_cpu_backend(plan, table.kernels[0][0], Isa::avx2, {.threads = 1});
  }

  template <class Check>
  Finding judge(Backend& b, const Check& check) {
    const Recording of_b = record(b, start_, times());
    return check(Pair{"b against a", *find_system(name), *a_, b, of_a_, of_b});
  }
  Finding bits(Backend& b) { return judge(b, check_bits); }
  Finding step(Backend& b) {
    return judge(b, [](const Pair& pair) { return check_step(pair, 1e-13); });
  }
  Finding trajectories(Backend& b, double step_difference) {
    // Growth beside trajectories whose first momenta are larger by 1e-9.
    Batch near = start_;
    for (std::int64_t k = 0; k < n; ++k) near.state[6 * n + k] *= 1 + 1e-9;
    const Growth growth = growth_of(*find_system(name), of_a_, record(*a_, near, times()));
    return judge(b, [&](const Pair& pair) { return check_trajectories(pair, growth, step_difference); });
  }

  Plan plan_;
  Batch start_;
  std::unique_ptr<Backend> a_;
  Recording of_a_;
};

TEST_F(CrosscheckFindings, NoFaultNoFinding) {
  const auto same = with_kernels(plan_, fault_none);
  const Finding finding = bits(*same);
  EXPECT_EQ(finding.verdict, Verdict::kept) << finding.text;
  EXPECT_GT(of_a_.section.size(), 0);
}

TEST_F(CrosscheckFindings, ABitOfAParameter) {
  for (const int parameter : {0, 1, 2, 3, 4}) {
    Plan wrong = plan_;
    double& value = wrong.parameters[parameter];
    value = std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) ^ 1u);
    const Finding finding = bits(*with_kernels(wrong, fault_none));
    EXPECT_EQ(finding.verdict, Verdict::broken) << parameter;
    // At once; or when the energy, which has the weights in it, is compared, if their kicks are rounded to the same.
    EXPECT_GE(finding.figures.at("step"), 1) << parameter;
    EXPECT_LE(finding.figures.at("step"), plan_.invariants_every) << parameter;
    EXPECT_TRUE(finding.figures.at("ulps") >= 1 || finding.figures.at("column") == -1) << parameter;
    EXPECT_NE(finding.text.find("first difference: trajectory"), std::string::npos) << finding.text;
  }
}

TEST_F(CrosscheckFindings, AnotherToleranceOfTheSolver) {
  EXPECT_EQ(bits(*with_kernels(plan_, fault_tolerance)).verdict, Verdict::broken);
}

TEST_F(CrosscheckFindings, ContractionSwitchedOn) {
  EXPECT_EQ(bits(*with_kernels(plan_, fault_contraction)).verdict, Verdict::broken);
}

TEST_F(CrosscheckFindings, TheFirstDifferenceIsThatOfTheFirstStep) {
  // A backend that is fed another state of one trajectory differs after the step from there.
  Plan wrong = plan_;
  wrong.parameters[4] *= 1 + 1e-9;
  Difference at;
  const auto b = with_kernels(wrong, fault_none);
  ASSERT_TRUE(find_first_difference(*a_, *b, start_, steps, at));
  EXPECT_EQ(at.step, 1);
  EXPECT_EQ(at.trajectory, 0);
}

TEST_F(CrosscheckFindings, TheReferenceKeepsItsPromises) {
  const auto reference = method().make_reference(plan_);
  const Finding single = step(*reference);
  EXPECT_EQ(single.verdict, Verdict::kept) << single.text;
  EXPECT_GT(single.figures.at("largest"), 0);
  const Finding whole = trajectories(*reference, single.figures.at("largest"));
  EXPECT_EQ(whole.verdict, Verdict::kept) << whole.text;
  EXPECT_GT(whole.figures.at("judged"), 50);
  const Finding section = judge(*reference, check_section);
  EXPECT_EQ(section.verdict, Verdict::kept) << section.text;
  EXPECT_EQ(judge(*reference, check_statuses).verdict, Verdict::kept);
  EXPECT_GT(section.figures.at("matched"), 10);
}

TEST_F(CrosscheckFindings, AReferenceThatIsSlightlyWrong) {
  Plan wrong = plan_;
  wrong.step *= 1 + 1e-9;
  const auto reference = method().make_reference(wrong);
  EXPECT_EQ(step(*reference).verdict, Verdict::broken);
  EXPECT_EQ(trajectories(*reference, 1e-15).verdict, Verdict::broken);
  wrong = plan_;
  wrong.section.value += 0.05;
  EXPECT_EQ(judge(*method().make_reference(wrong), check_section).verdict, Verdict::broken);
}

}  // namespace
}  // namespace polhode::test

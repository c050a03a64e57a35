// The cross-check finds faults that are planted in one of two backends, and none where there is none.
#include "crosscheck/checks.hpp"

#include <fmt/format.h>

#include <bit>
#include <functional>
#include <limits>

#include "backends/support.hpp"
#include "crosscheck/crosscheck.hpp"
#include "polhode/method/status.hpp"

extern "C" {
extern const polhode::CpuTable fault_none, fault_tolerance, fault_contraction;
}

namespace polhode::test {
namespace {

constexpr const char* name = "double-spherical-pendulum";
constexpr std::int64_t n = 20, steps = 300;

/// Hands over another's section points with something done to them: those of the segment from each step.
class TamperedSection : public Backend {
 public:
  TamperedSection(std::unique_ptr<Backend> honest, std::function<void(SectionPoints&)> tamper)
      : honest_(std::move(honest)), tamper_(std::move(tamper)) {}

  std::int64_t preferred_batch() const override { return honest_->preferred_batch(); }
  void load(Batch batch) override { honest_->load(std::move(batch)); }
  std::size_t most_in_flight() const override { return honest_->most_in_flight(); }
  void start(const Segment& segment, const BoundaryRequest& kept) override { honest_->start(segment, kept); }
  LentResult finish() override {
    LentResult result = honest_->finish();
    for (SectionPoints& points : result->section) tamper_(points);
    return result;
  }
  std::vector<std::int64_t> counts() override { return honest_->counts(); }
  void set_counts(std::vector<std::int64_t> counts) override { honest_->set_counts(std::move(counts)); }
  void store(Batch& batch) const override { honest_->store(batch); }
  std::string device() const override { return honest_->device(); }
  std::string isa() const override { return honest_->isa(); }

 private:
  std::unique_ptr<Backend> honest_;
  std::function<void(SectionPoints&)> tamper_;
};

class CrosscheckFindings : public testing::Test {
 protected:
  void SetUp() override {
    if (!isa_supported(Isa::avx2)) GTEST_SKIP() << "this processor lacks AVX2, for which the faults are compiled";
    int solver = 0;
    while (method().solvers[solver].name != std::string("newton")) ++solver;
    plan_ = example_plan(method(), steps, solver);
    plan_.step_plan.stages[0].sweeps = 1;  // so that iterations end by their tolerance
    start_ = random_states(n, 3, 1, 0, method(), std::popcount(plan_.invariants));
    a_ = make_cpu(plan_, Isa::avx2, 1, solver, Precision::binary64, method());
    of_a_ = record(*a_, start_, times());
  }

  static const MethodEntry& method() { return *find_method(name, "rattle"); }
  static std::vector<std::int64_t> times() { return {0, 10, 50, 100, 200, steps}; }
  static std::unique_ptr<Backend> with_kernels(const RunPlan& plan, const CpuTable& table) {
    return make_cpu_backend(plan, table.kernels[0][0], Isa::avx2, {.threads = 1});
  }

  template <class Check>
  Finding judge(Backend& b, const Check& check) {
    const Recording of_b = record(b, start_, times());
    return check(Pair{"b against a", *find_system(name), *a_, b, of_a_, of_b});
  }
  Finding bits(Backend& b) { return judge(b, check_bits); }
  Finding step(Backend& b) {
    return judge(b, [](const Pair& pair) { return check_step(pair, {1e-13, std::numeric_limits<double>::epsilon()}); });
  }
  Finding trajectories(Backend& b, double step_difference) {
    // Growth beside trajectories whose first momenta are larger by 1e-9.
    Batch near = start_;
    for (std::int64_t k = 0; k < n; ++k) near.state[6 * n + k] *= 1 + 1e-9;
    const Growth growth = growth_of(*find_system(name), of_a_, record(*a_, near, times()));
    return judge(b, [&](const Pair& pair) { return check_trajectories(pair, growth, step_difference); });
  }

  Batch of_single_starts() const {
    Batch start = start_;
    for (double& x : start.state) x = static_cast<float>(x);
    return start;
  }

  RunPlan plan_;
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
    RunPlan wrong = plan_;
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
  RunPlan wrong = plan_;
  wrong.parameters[4] *= 1 + 1e-9;
  Difference at;
  const auto b = with_kernels(wrong, fault_none);
  ASSERT_TRUE(find_first_difference(*a_, *b, start_, steps, at));
  EXPECT_EQ(at.step, 1);
  EXPECT_EQ(at.trajectory, 0);
}

TEST_F(CrosscheckFindings, ASectionPointAlone) {
  // The third point of the last trajectory that has so many.
  const SectionPoints& points = of_a_.section;
  const auto is_third = [&of = points.trajectory](std::int64_t k) {
    return of[k - 2] == of[k] && (k == 2 || of[k - 3] != of[k]);
  };
  std::int64_t place = points.size() - 1;
  while (place >= 2 && !is_third(place)) --place;
  ASSERT_GE(place, 2);
  const std::int64_t trajectory = points.trajectory[place], step = points.step[place];
  // Tampers with that point, wherever a list has it.
  const auto finding = [&](const std::function<void(SectionPoints&, std::int64_t)>& tamper) {
    TamperedSection b(with_kernels(plan_, fault_none), [&](SectionPoints& list) {
      for (std::int64_t k = 0; k < list.size(); ++k)
        if (list.trajectory[k] == trajectory && list.step[k] == step) return tamper(list, k);
    });
    const Finding found = bits(b);
    EXPECT_EQ(found.verdict, Verdict::broken);
    EXPECT_EQ(found.figures.at("trajectory"), trajectory) << found.text;
    EXPECT_EQ(found.figures.at("crossing"), 2) << found.text;
    EXPECT_EQ(found.figures.at("step"), step) << found.text;
    return found;
  };
  const auto flip = [](double& value, std::uint64_t bits) {
    value = std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) ^ bits);
  };
  const Finding column = finding([&](SectionPoints& list, std::int64_t k) { flip(list.state[k * list.dim + 4], 2); });
  EXPECT_EQ(column.figures.at("column"), 4);
  EXPECT_EQ(column.figures.at("ulps"), 2);
  const std::string place_in_words = fmt::format("trajectory {}, crossing 2, step {}", trajectory, step);
  EXPECT_NE(column.text.find(place_in_words + ", q2y: "), std::string::npos) << column.text;
  EXPECT_NE(column.text.find("2 ulps apart"), std::string::npos) << column.text;

  const Finding time = finding([&](SectionPoints& list, std::int64_t k) { flip(list.theta[k], 1); });
  EXPECT_EQ(time.figures.at("column"), -1);
  EXPECT_EQ(time.figures.at("ulps"), 1);
  EXPECT_NE(time.text.find("fraction of the step"), std::string::npos) << time.text;

  const Finding missing = finding([&](SectionPoints& list, std::int64_t k) { list.theta[k] = HUGE_VAL; });
  EXPECT_NE(missing.text.find(place_in_words + ": only the latter has it"), std::string::npos) << missing.text;
}

TEST_F(CrosscheckFindings, EventsEndTheSameTrajectories) {
  // Trajectory 3 as if an event had ended it after step 60, between the times 50 and 100.
  const auto ended = [&](Recording recording, std::int64_t after) {
    for (std::size_t t = 3; t < recording.states.size(); ++t) {
      recording.states[t].code[3] = static_cast<std::uint8_t>(Status::event);
      recording.states[t].steps[3] = after;
    }
    return recording;
  };
  const auto judged = [&](const Recording& of_a, const Recording& of_b) {
    return check_statuses(Pair{"b against a", *find_system(name), *a_, *a_, of_a, of_b});
  };
  const Recording of_a = ended(of_a_, 60);
  const Finding same = judged(of_a, ended(of_a_, 60));
  EXPECT_EQ(same.verdict, Verdict::kept) << same.text;
  EXPECT_EQ(same.figures.at("events"), 1);
  EXPECT_EQ(same.figures.at("failed_a"), 0);  // an event is no failure
  EXPECT_EQ(judged(of_a, ended(of_a_, 61)).verdict, Verdict::kept);
  for (const Recording& other : {ended(of_a_, 62), of_a_}) {
    const Finding broken = judged(of_a, other);
    EXPECT_EQ(broken.verdict, Verdict::broken) << broken.text;
    EXPECT_EQ(broken.figures.at("other_events"), 1);
    EXPECT_NE(broken.text.find("trajectory 3"), std::string::npos) << broken.text;
  }
  // Bits are promised of statuses and steps, too.
  const auto b = with_kernels(plan_, fault_none);
  EXPECT_EQ(check_bits(Pair{"b against a", *find_system(name), *a_, *b, of_a, of_a_}).verdict, Verdict::broken);
  // Where it was another trajectory before, nothing is promised.
  Recording parted = of_a_;
  parted.states[2].state[3] += 1e-6;
  EXPECT_EQ(judged(of_a, parted).verdict, Verdict::kept);
  EXPECT_EQ(judged(of_a, parted).figures.at("events"), 0);
}

TEST_F(CrosscheckFindings, SinglePrecisionAgainstDouble) {
  constexpr double ratio = 0x1p29;  // of the epsilons
  const auto single_with = [&](double factor) {
    RunPlan plan = plan_;
    plan.step *= factor;
    const auto single = make_cpu(plan, Isa::avx2, 1, 0, Precision::binary32, method());
    const Recording of_single = record(*single, of_single_starts(), times());
    EXPECT_TRUE(is_single(of_single));
    return check_step(Pair{"single against double", *find_system(name), *single, *a_, of_single, of_a_},
                      {1e-13 * ratio, std::numeric_limits<float>::epsilon()});
  };
  EXPECT_FALSE(is_single(of_a_));
  const Finding right = single_with(1);
  EXPECT_EQ(right.verdict, Verdict::kept) << right.text;
  EXPECT_GT(right.figures.at("compared"), n);
  // Some units of its round-off, and not those of double.
  EXPECT_GT(right.figures.at("largest"), std::numeric_limits<float>::epsilon() / 4);
  EXPECT_LT(right.figures.at("of_allowed"), 0.1) << right.text;
  const Finding wrong = single_with(1.1);
  EXPECT_EQ(wrong.verdict, Verdict::broken) << wrong.text;
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
  RunPlan wrong = plan_;
  wrong.step *= 1 + 1e-9;
  const auto reference = method().make_reference(wrong);
  EXPECT_EQ(step(*reference).verdict, Verdict::broken);
  EXPECT_EQ(trajectories(*reference, 1e-15).verdict, Verdict::broken);
  for (const double by : {0.1, std::numeric_limits<double>::quiet_NaN()}) {
    TamperedSection moved(method().make_reference(plan_),
                          [by](SectionPoints& list) { list.state[5] += by; });  // of one point, at its time
    const Finding section = judge(moved, check_section);
    EXPECT_EQ(section.verdict, Verdict::broken) << by;
    EXPECT_EQ(section.figures.at("unmatched"), 0) << section.text;
  }
  wrong = plan_;
  wrong.section.value += 0.05;
  EXPECT_EQ(judge(*method().make_reference(wrong), check_section).verdict, Verdict::broken);
}

/// Halved steps of Henon and Heiles by a composition, which is said to have some order.
Finding order_by_halving(const char* composition, int declared) {
  RunSpec spec;
  spec.system.name = "henon-heiles";
  spec.method.name = "stoermer-verlet";
  spec.method.step = 0.1;
  spec.method.options["composition"] = std::string(composition);
  spec.ensemble = GivenStarts{
      .states = {.numbers = {0, 0.1, 0.3, 0.2, 0.2, 0, 0.2, -0.1, 0.1, -0.2, 0.25, 0.1}, .width = 4}, .variables = {}};
  spec.execution.steps = 400;
  ResolvedRun run = resolve(spec);
  run.properties.order = declared;
  CrosscheckOptions options;
  options.backends = {BackendChoice::cpu, BackendChoice::reference};
  options.isas = {Isa::scalar};
  options.step_halving = true;
  for (const Finding& finding : crosscheck(run, options, {}).findings)
    if (finding.promise == std::string("order")) return finding;
  throw std::logic_error("no order was looked for");
}

TEST(CrosscheckOrder, IsKept) {
  for (const auto& [composition, order] : {std::pair{"none", 2}, {"kahan-li6", 6}, {"kahan-li8", 8}}) {
    const Finding finding = order_by_halving(composition, order);
    EXPECT_EQ(finding.verdict, Verdict::kept) << finding.text;
    EXPECT_NEAR(finding.figures.at("order"), order, 0.25) << finding.text;
  }
}

/// Between a step that is too long and round-off nothing is left of order 10 in double.
TEST(CrosscheckOrder, IsNotSaidWhereNoneCanBeSeen) {
  const Finding ten = order_by_halving("sofroniou-spaletta10", 10);
  EXPECT_NE(ten.verdict, Verdict::broken) << ten.text;
}

TEST(CrosscheckOrder, ThatIsWrongIsFound) {
  EXPECT_EQ(order_by_halving("kahan-li6", 8).verdict, Verdict::broken);
  EXPECT_EQ(order_by_halving("yoshida4", 6).verdict, Verdict::broken);
  EXPECT_EQ(order_by_halving("kahan-li8", 6).verdict, Verdict::skipped);  // more than is said
}

}  // namespace
}  // namespace polhode::test

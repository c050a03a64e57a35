// Steps of several stages on a map that is known in closed form: which stages are made, in which order and with what,
// and what is said where one fails.
#include "polhode/run/staged_step.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "polhode/math/vec.hpp"

namespace polhode::test {
namespace {

struct Applied {
  double h;
  int sweeps;
  bool kick_first;
  bool operator==(const Applied&) const = default;
};
std::vector<Applied> applied;

/// x -> x + h; valid as far as 1. A stage that fails beyond a half is singular, one before that not finite.
struct Walk {
  struct System {
    static constexpr int dim = 1;
    template <class T>
    using State = Vec<T, 1>;
    template <class T>
    struct Model {
      explicit Model(const double*) {}
    };
  };
  template <class T>
  using NominalScalar = Real<T>;
  template <class T>
  struct Constants {
    T h;
    Constants() = default;
    Constants(const System::Model<T>&, const NoOptions&, const Kicks&, const T& h) : h(h) {}
  };
  template <class T, class S = T>
  struct Step {
    Applied how;
    Step(const System::Model<T>&, const NoOptions&, const Kicks& kicks, const Constants<S>& constants, int sweeps)
        : how{static_cast<double>(constants.h), sweeps, kicks.before == 1} {}
    bool operator()(const Vec<T, 1>& x, Vec<T, 1>& y, bool active) const {
      applied.push_back(how);
      y = {x[0] + T(how.h)};
      return y[0] <= T(1) || !active;
    }
    Failures<T> failures(const Vec<T, 1>& x) const { return {.not_finite = x[0] < T(0.5), .singular = x[0] >= T(0.5)}; }
  };
};

Plan plan_of(const std::vector<Stage>& stages, double step) {
  Plan plan{};
  plan.step_plan.n_stages = static_cast<int>(stages.size());
  std::copy(stages.begin(), stages.end(), plan.step_plan.stages);
  for (int i = 0; i < plan.step_plan.n_stages; ++i) plan.step_plan.stages[i].constants = static_cast<std::uint8_t>(i);
  plan.step_plan.kicks[1] = {.before = 1};
  plan.step = step;
  return plan;
}

struct Taken {
  bool valid;
  double end;
  Failures<double> failures;
};
Taken take(const Plan& plan, double start, bool active = true) {
  const Walk::System::Model<double> model(nullptr);
  const StageConstants<Walk, double> constants(plan);
  const NominalStep<Walk, double> step(model, plan.step_plan, constants);
  Vec<double, 1> x{start}, y{};
  Taken taken{};
  taken.valid = step(x, y, active, taken.failures);
  taken.end = y[0];
  EXPECT_EQ(x[0], start);
  return taken;
}

TEST(StagedStep, MakesItsStagesInTurn) {
  for (int n = 1; n <= 4; ++n) {
    std::vector<Stage> stages;
    std::vector<Applied> expected;
    for (int i = 0; i < n; ++i) {
      stages.push_back({.fraction = 0.25 * (i + 1),
                        .sweeps = static_cast<std::int16_t>(3 + i),
                        .kicks = static_cast<std::uint8_t>(i % 2 == 0 ? 1 : 0)});
      expected.push_back({0.25 * (i + 1) * 0.125, 3 + i, i % 2 == 0});
    }
    applied.clear();
    const Taken taken = take(plan_of(stages, 0.125), 0.25);
    EXPECT_TRUE(taken.valid);
    EXPECT_EQ(applied, expected);
    EXPECT_EQ(taken.end, 0.25 + 0.125 * 0.25 * n * (n + 1) / 2);
  }
}

TEST(StagedStep, SaysWhyTheStageThatFailedDid) {
  const std::vector<Stage> stages{{.fraction = 0.5}, {.fraction = 0.25}, {.fraction = 0.5}};
  EXPECT_TRUE(take(plan_of(stages, 0.5), 0.375).valid);
  // From 0.25 the third stage goes from 1 to 1.5: the state before it is beyond a half, that before the step is not.
  const Taken third = take(plan_of(stages, 1), 0.25);
  EXPECT_FALSE(third.valid);
  EXPECT_EQ(third.failures.status(0), Status::singular);
  const Taken first = take(plan_of(stages, 2), 0.25);
  EXPECT_FALSE(first.valid);
  EXPECT_EQ(first.failures.status(0), Status::not_finite);
  EXPECT_TRUE(take(plan_of(stages, 2), 0.25, false).valid);  // nobody asks
}

}  // namespace
}  // namespace polhode::test

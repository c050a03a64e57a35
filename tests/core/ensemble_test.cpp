#include "polhode/core/ensemble.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

namespace polhode {
namespace {

/// Tops in several slices, with everything that can be recorded.
RunSpec tops() {
  RunSpec run;
  run.system.name = "heavy-top";
  run.system.parameters["alpha"] = {0.44, 0.5, 1.0};
  run.method.name = "rattle";
  run.method.step = 0.05;
  RandomStarts starts;
  starts.count = 3000;
  starts.distribution = Microcanonical{.energy = 1.0, .momentum = {}, .angular_momentum = {}};
  run.ensemble = starts;
  run.execution.steps = 300;
  run.execution.slice = 1024;
  run.section.emplace().name = "gamma3";
  run.density = DensitySpec{.axes = {"pi1", "pi2"}, .bins = {4, 5}, .range = {{{-2, 2}, {-2, 2}}}};
  run.statistics = StatisticsSpec{.every = 100, .observables = {"pi1"}, .bins = 0, .range = {}};
  run.record.snapshots = 60;
  return run;
}

void expect_same(const Result& a, const Result& b) {
  ASSERT_EQ(a.arrays.size(), b.arrays.size());
  for (const auto& [name, array] : a.arrays) {
    EXPECT_EQ(array.shape, b.arrays.at(name).shape) << name;
    EXPECT_TRUE(array.values == b.arrays.at(name).values) << name;  // none of these is NaN
  }
}

TEST(Ensemble, RunsAgainWithTheSameBits) {
  Ensemble ensemble(tops());
  const Result first = ensemble.run();
  EXPECT_TRUE(first.report.done.complete);
  EXPECT_EQ(first.report.of(Status::ok).count, 3000);
  EXPECT_EQ(first.values<double>("/snapshots/state").size(), 3000u * 6 * 6);
  EXPECT_GT(first.report.done.points, 3000);
  EXPECT_EQ(first.values<double>("/section/time").size(), static_cast<std::size_t>(first.report.done.points));
  expect_same(first, ensemble.run());
}

TEST(Ensemble, SlicesAndThreadsLeaveNoTrace) {
  RunSpec whole = tops();
  whole.execution.slice = 0;
  whole.execution.threads = 1;
  expect_same(Ensemble(tops()).run(), Ensemble(whole).run());
}

TEST(Ensemble, TwoRunAtTheSameTime) {
  RunSpec others = tops();
  others.method.step = 0.04;
  const Result alone = Ensemble(tops()).run(), other_alone = Ensemble(others).run();
  Result together;
  std::thread thread([&] { together = Ensemble(tops()).run(); });
  const Result other_together = Ensemble(others).run();
  thread.join();
  expect_same(alone, together);
  expect_same(other_alone, other_together);
}

TEST(Ensemble, ReportsWhatIsToBeRun) {
  const RunReport report = Ensemble(tops()).report();
  EXPECT_EQ(report.trajectories, 3000);
  EXPECT_EQ(report.system, "heavy-top");
  EXPECT_EQ(report.section, "gamma3 = 0, up");
  EXPECT_EQ(report.done.steps, 0);
}

/// Speeds are those of the steps that were taken: trajectories that have failed take none.
TEST(Ensemble, CountsTheStepsThatAreTaken) {
  RunSpec spec = tops();
  spec.method.step = 0.6;  // too long for many
  const Result result = Ensemble(spec).run();
  const auto& steps = result.values<std::int64_t>("/status/step");
  EXPECT_EQ(result.report.done.steps, std::accumulate(steps.begin(), steps.end(), std::int64_t{0}));
  EXPECT_LT(result.report.done.steps, 3000 * 300);
  EXPECT_GT(result.report.done.steps, 300);
}

TEST(Ensemble, ProgressComesToTheEndOrStopsTheRun) {
  Ensemble ensemble(tops());
  double last = -1, all = 0;
  const Result whole = ensemble.run([&](const RunProgress& now) {
    EXPECT_GT(now.steps, last);
    last = now.steps;
    all = now.all;
    return true;
  });
  EXPECT_EQ(all, 3000.0 * 300);
  EXPECT_GT(last, 0);

  const Result stopped = ensemble.run([](const RunProgress& now) { return now.steps < now.all / 2; });
  EXPECT_FALSE(stopped.report.done.complete);
  EXPECT_TRUE(stopped.arrays.empty());
  EXPECT_GT(stopped.report.done.end.first, 0);
  expect_same(whole, ensemble.run());
}

TEST(Ensemble, ExceptionsOfTheCallerAreItsOwn) {
  struct Own {
    int value;
  };
  Ensemble ensemble(tops());
  try {
    ensemble.run([](const RunProgress& now) -> bool { return now.steps > 0 ? throw Own{7} : true; });
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Own& own) {
    EXPECT_EQ(own.value, 7);
  }
  EXPECT_TRUE(ensemble.run().report.done.complete);
}

TEST(Ensemble, ResultsAreBounded) {
  RunSpec spec = tops();
  // How many blocks of points there are, each with its head, follows the clock and the threads otherwise.
  spec.execution.segment = 8;
  spec.execution.threads = 1;
  bool begun = false;
  const auto watch = [&](const RunProgress&) { return begun = true; };
  const auto refused = [&](std::uint64_t most_bytes) {
    begun = false;
    try {
      Ensemble(spec, {}, most_bytes).run(watch);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::io);
      EXPECT_EQ(std::string(error.what()).rfind("the result does not fit into memory (it takes ", 0), 0u)
          << error.what();
      return true;
    }
    return false;
  };
  EXPECT_TRUE(refused(1000));
  EXPECT_FALSE(begun);
  std::uint64_t little = 1000, enough = 1 << 30;
  while (enough - little > 1) {
    const std::uint64_t middle = little + (enough - little) / 2;
    (refused(middle) ? little : enough) = middle;
  }
  EXPECT_TRUE(refused(little));
  EXPECT_TRUE(begun);  // the last points are what was too much
  std::uint64_t bytes = 0;
  for (const auto& [name, array] : Ensemble(spec, {}, enough).run().arrays)
    bytes += std::visit([](const auto& values) { return values.size() * sizeof(values[0]); }, array.values);
  EXPECT_GT(enough, bytes);
  EXPECT_LT(enough, 2 * bytes);
}

TEST(Ensemble, ResultsThatCannotFitAreRefusedBeforeTheirStartsAreMade) {
  RunSpec spec = tops();
  std::get<RandomStarts>(spec.ensemble).count = std::int64_t{1} << 31;  // which would take hours to examine
  try {
    Ensemble refused(spec);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::io);
    EXPECT_EQ(std::string(error.what()).rfind("the result does not fit into memory (it takes ", 0), 0u) << error.what();
  }
}

TEST(Ensemble, StartsOfUnknownNumberCanHaveEverything) {
  RunSpec spec = tops();
  SectionStarts starts;
  starts.grid = {3, 3};
  starts.energy = 1;
  spec.ensemble = starts;
  EXPECT_TRUE(Ensemble(spec).run().report.done.complete);
}

TEST(Ensemble, FilesAreNotRead) {
  RunSpec run = tops();
  run.ensemble = FileStarts{.path = "states.h5"};
  try {
    Ensemble refused(run);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    EXPECT_STREQ(
        error.what(),
        "cannot read 'states.h5' (polhode::core reads no files). Give the states themselves, or what reads them.");
  }
}

}  // namespace
}  // namespace polhode

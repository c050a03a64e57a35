#include "output/assembly.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <ios>
#include <limits>
#include <numeric>
#include <random>
#include <thread>
#include <utility>

#include "output/h5.hpp"
#include "output/part_folder.hpp"
#include "read_all.hpp"
#include "result/annotations.hpp"
#include "support.hpp"
#include "support/batch_part.hpp"

namespace polhode {
namespace {

using test::is_unknown;
using test::mark;
using test::read;
using test::SmallRun;

std::string text(const h5::Object& object, const std::string& name) {
  return std::get<std::string>(object.attribute(name));
}

std::vector<std::string> text_list(const h5::File& file, const char* path, const char* attribute) {
  return std::get<std::vector<std::string>>(file.dataset(path).attribute(attribute));
}

class Assembly : public testing::Test {
 protected:
  h5::File assemble_small(const std::function<void()>& before = [] {}) {
    PartFolder part(path, PartFolder::Existing::refuse, test::in_one_slice(run.initial), "id");
    for (const SectionPoints& segment : run.segments) part.append(segment);
    part.append_snapshots(run.snapshots);
    part.append_final(run.final);
    before();
    part.finish(run.description, run.starts);
    return h5::File::open(path);
  }
  /// The same run in slices of two trajectories.
  h5::File assemble_in_slices() {
    PartFolder part(path, PartFolder::Existing::refuse, {run.initial, 2}, "id");
    for (std::int64_t first = 0; first < SmallRun::n; first += 2) {
      const std::int64_t end = std::min<std::int64_t>(first + 2, SmallRun::n);
      for (const SectionPoints& segment : run.segments) {
        SectionPoints points{.dim = segment.dim, .trajectory = {}, .step = {}, .theta = {}, .state = {}};
        for (std::int64_t k = 0; k < segment.size(); ++k) {
          if (segment.trajectory[k] < first || segment.trajectory[k] >= end) continue;
          points.trajectory.push_back(segment.trajectory[k]);
          points.step.push_back(segment.step[k]);
          points.theta.push_back(segment.theta[k]);
          for (int i = 0; i < SmallRun::dim; ++i) points.state.push_back(segment.state[k * SmallRun::dim + i]);
        }
        part.append(points);
      }
      const auto columns = [&](const std::vector<double>& all) {
        std::vector<double> some;
        for (std::size_t i = 0; i < all.size() / SmallRun::n; ++i)
          some.insert(some.end(), all.begin() + i * SmallRun::n + first, all.begin() + i * SmallRun::n + end);
        return some;
      };
      part.append_snapshots(columns(run.snapshots));
      part.append_final(test::part_of(run.final, first, end));
    }
    part.finish(run.description, run.starts);
    return h5::File::open(path);
  }

  const test::TemporaryFolder folder;
  const std::filesystem::path path = folder / "run.h5";
  SmallRun run;
};

TEST_F(Assembly, RootSaysWhatWasRun) {
  const h5::File file = assemble_small();
  EXPECT_EQ(std::get<std::int64_t>(file.attribute("schema")), 1);
  EXPECT_EQ(std::get<std::int64_t>(file.attribute("sweeps")), 8);
  EXPECT_EQ(std::get<std::int64_t>(file.attribute("steps")), 4);
  EXPECT_EQ(std::get<double>(file.attribute("step")), 0.25);
  EXPECT_EQ(text(file, "program"), "polhode");
  EXPECT_EQ(text(file, "config"), run.description.config);
  EXPECT_EQ(text(file, "solver"), "cayley");
  EXPECT_EQ(text(file, "section"), "c = 0, up");
  EXPECT_EQ(text(file, "created"), "2024-05-01T12:00:00Z");
  for (const char* name : {"version", "git", "system", "method", "backend", "device", "isa", "precision"}) {
    EXPECT_FALSE(text(file, name).empty()) << name;
  }
}

TEST_F(Assembly, ParametersCarryUnitAndMeaning) {
  const h5::File file = assemble_small();
  const h5::Dataset mass = file.dataset("/parameters/mass");
  EXPECT_EQ(mass.shape(), h5::Shape{});
  EXPECT_EQ(mass.read_all(), std::vector<double>{2.5});
  EXPECT_EQ(text(mass, "unit"), "kg");
  EXPECT_EQ(text(mass, "meaning"), "of the body");
  EXPECT_EQ(file.dataset("/parameters/axis").shape(), h5::Shape{3});
  EXPECT_EQ(read<double>(file, "/parameters/axis"), (std::vector<double>{0, 0, 1}));
}

TEST_F(Assembly, StatesAreRowsOfTrajectories) {
  const h5::File file = assemble_small();
  std::vector<double> initial, final;
  for (std::int64_t k = 0; k < SmallRun::n; ++k) {
    for (int i = 0; i < SmallRun::dim; ++i) {
      initial.push_back(mark(0, k, i));
      final.push_back(mark(9, k, i));
    }
  }
  EXPECT_EQ(file.dataset("/initial/state").shape(), (h5::Shape{5, 3}));
  EXPECT_EQ(read<double>(file, "/initial/state"), initial);
  EXPECT_EQ(read<double>(file, "/final/state"), final);
  EXPECT_EQ(read<double>(file, "/final/time"), (std::vector<double>{1, 1, 1, 1, 0.75}));
  for (const char* path : {"/initial/state", "/final/state"}) {
    EXPECT_EQ(text_list(file, path, "columns"), (std::vector<std::string>{"a", "b", "c"}));
    EXPECT_EQ(text_list(file, path, "unit"), (std::vector<std::string>{"m", "m", "m/s"}));
    EXPECT_EQ(text_list(file, path, "meaning"), (std::vector<std::string>{"first", "second", "third"}));
  }
}

TEST_F(Assembly, StatusHasItsMeaning) {
  const h5::File file = assemble_small();
  EXPECT_EQ(file.dataset("/status/code").type(), "uint8");
  EXPECT_EQ(read<std::uint8_t>(file, "/status/code"), (std::vector<std::uint8_t>{0, 0, 0, 0, 2}));
  EXPECT_EQ(read<std::int64_t>(file, "/status/step"), (std::vector<std::int64_t>{4, 4, 4, 4, 3}));
  const auto meaning = std::get<std::vector<std::string>>(file.dataset("/status/code").attribute("meaning"));
  ASSERT_EQ(meaning.size(), static_cast<std::size_t>(n_statuses));
  EXPECT_EQ(meaning[0], "ok");
}

TEST_F(Assembly, SectionIsInTheOrderOfTrajectoryAndStep) {
  const h5::File file = assemble_small();
  const std::vector<std::int64_t> trajectory{0, 0, 0, 2, 3, 3, 3, 4}, step{0, 2, 3, 3, 0, 1, 3, 1};
  EXPECT_EQ(file.dataset("/section/trajectory").type(), "int64");
  EXPECT_EQ(read<std::int64_t>(file, "/section/trajectory"), trajectory);
  EXPECT_EQ(read<std::int64_t>(file, "/section/step"), step);
  EXPECT_EQ(read<double>(file, "/section/time"),
            (std::vector<double>{0.0625, 0.625, 0.875, 0.9375, 0.125, 0.5, 0.875, 0.375}));
  std::vector<double> state;
  for (std::size_t k = 0; k < step.size(); ++k) {
    for (int i = 0; i < SmallRun::dim; ++i) state.push_back(mark(100 + step[k], trajectory[k], i));
  }
  EXPECT_EQ(file.dataset("/section/state").shape(), (h5::Shape{8, 3}));
  EXPECT_EQ(read<double>(file, "/section/state"), state);
}

TEST_F(Assembly, PointsAreCountedWhetherOrNotTheyAreThere) {
  for (const bool points : {true, false}) {
    run.description.section_points = points;
    const h5::File file = assemble_small();
    EXPECT_EQ(file.find_dataset("/section/state").has_value(), points);
    const h5::Dataset count = file.dataset("/section/count");
    EXPECT_EQ(count.type(), "int64");
    EXPECT_EQ(read<std::int64_t>(file, "/section/count"), (std::vector<std::int64_t>{3, 0, 1, 3, 1}));
    test::expect_contains(text(count, "meaning"), "points of each trajectory");
    std::filesystem::remove(path);
  }
}

TEST_F(Assembly, SnapshotsStartWithTheInitialState) {
  const h5::File file = assemble_small();
  EXPECT_EQ(read<double>(file, "/snapshots/time"), (std::vector<double>{0, 0.5, 1}));
  EXPECT_EQ(file.dataset("/snapshots/state").shape(), (h5::Shape{5, 3, 3}));
  EXPECT_EQ(file.dataset("/snapshots/invariants").shape(), (h5::Shape{5, 3, 2}));
  const auto states = read<double>(file, "/snapshots/state"), invariants = read<double>(file, "/snapshots/invariants");
  for (std::int64_t k = 0; k < SmallRun::n; ++k) {
    for (std::int64_t t = 0; t < 3; ++t) {
      const bool has_ended = t == 2 && k == SmallRun::n - 1;  // after step 3, before that snapshot
      for (int i = 0; i < SmallRun::dim; ++i) {
        const double x = states[(k * 3 + t) * SmallRun::dim + i];
        EXPECT_TRUE(has_ended ? is_unknown(x) : x == mark(t, k, i)) << k << ", " << t << ": " << x;
      }
      for (int i = 0; i < 2; ++i) {
        const double x = invariants[(k * 3 + t) * 2 + i];
        EXPECT_TRUE(has_ended ? is_unknown(x) : x == (t == 0 ? mark(7, k, i) : mark(t, k, SmallRun::dim + i))) << x;
      }
    }
  }
}

TEST_F(Assembly, DriftOfATrajectoryThatWasNeverComparedIsUnknown) {
  run.description.first_compared = 4;  // the last one came to step 3
  const h5::File file = assemble_small();
  const auto drift = read<double>(file, "/invariants/max_drift");
  for (std::int64_t k = 0; k < SmallRun::n; ++k)
    for (int i = 0; i < 2; ++i)
      EXPECT_TRUE(k == SmallRun::n - 1 ? is_unknown(drift[k * 2 + i])
                                       : drift[k * 2 + i] == run.final.max_drift[i * SmallRun::n + k]);
  EXPECT_EQ(read<double>(file, "/invariants/initial")[2 * (SmallRun::n - 1)], mark(7, SmallRun::n - 1, 0));
}

TEST_F(Assembly, SlicesLeaveNoTrace) {
  const h5::File whole = assemble_small();
  std::filesystem::rename(path, folder / "whole.h5");
  const h5::File sliced = assemble_in_slices();
  for (const char* name : {"/initial/state", "/final/state", "/final/time", "/section/state", "/section/time",
                           "/snapshots/state", "/snapshots/invariants", "/invariants/initial", "/invariants/max_drift"})
    EXPECT_TRUE(test::same_bits(read<double>(sliced, name), read<double>(whole, name))) << name;
  for (const char* name : {"/section/trajectory", "/section/step", "/section/count", "/status/step"})
    EXPECT_EQ(read<std::int64_t>(sliced, name), read<std::int64_t>(whole, name)) << name;
  EXPECT_EQ(read<std::uint8_t>(sliced, "/status/code"), read<std::uint8_t>(whole, "/status/code"));
}

TEST_F(Assembly, InvariantsHaveNames) {
  const h5::File file = assemble_small();
  EXPECT_EQ(file.dataset("/invariants/names").read_text(), names_of(run.description.invariants));
  EXPECT_EQ(file.dataset("/invariants/max_drift").shape(), (h5::Shape{5, 2}));
  const auto initial = read<double>(file, "/invariants/initial"), drift = read<double>(file, "/invariants/max_drift");
  for (std::int64_t k = 0; k < SmallRun::n; ++k) {
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(initial[k * 2 + i], mark(7, k, i));
      EXPECT_EQ(drift[k * 2 + i], run.final.max_drift[i * SmallRun::n + k]);
    }
  }
}

TEST_F(Assembly, ASectionWithoutPointsIsEmptyAndValid) {
  for (SectionPoints& segment : run.segments) {
    segment = SectionPoints();
    segment.dim = SmallRun::dim;
  }
  run.final = run.final_with({});
  const h5::File file = assemble_small();
  EXPECT_EQ(file.dataset("/section/state").shape(), (h5::Shape{0, 3}));
  EXPECT_EQ(file.dataset("/section/step").shape(), (h5::Shape{0}));
  EXPECT_TRUE(file.dataset("/section/state").read_all().empty());
}

TEST_F(Assembly, WhatWasNotRecordedIsAbsent) {
  run.description.settings = {{"precision", Value("double")}, {"momentum", Value()}};
  run.description.section = std::nullopt;
  run.description.invariants = {};
  run.description.snapshots_every = 0;
  const h5::File file = assemble_small();
  EXPECT_EQ(text(file, "precision"), "double");
  EXPECT_FALSE(file.has_attribute("momentum"));
  EXPECT_FALSE(file.has_attribute("section"));
  EXPECT_EQ(file.names(),
            (std::vector<std::string>{"column", "final", "initial", "parameters", "status", "trajectory"}));
}

TEST_F(Assembly, TextMayExceedTheLimitOfFixedAttributes) {
  run.description.config = std::string(200'000, 'x');
  EXPECT_EQ(text(assemble_small(), "config"), run.description.config);
}

TEST_F(Assembly, EqualRunsGiveEqualBytes) {
  assemble_small();
  std::filesystem::rename(path, folder / "first.h5");
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // HDF5 keeps times in seconds
  assemble_small();
  EXPECT_TRUE(test::content_of(path) == test::content_of(folder / "first.h5"));
}

/// As a GPU hands them out: the points of a trajectory in a list are in no order.
TEST_F(Assembly, PointsOfAListMayBeInAnyOrder) {
  SectionPoints all{.dim = SmallRun::dim};
  for (int segment = 0; segment < 3; ++segment)
    run.add_point(segment, 3, 1, segment * 0.125);  // steps with many points
  for (const SectionPoints& segment : run.segments) all.append(segment);
  run.segments[0] = all;
  run.segments[1] = run.segments[2] = SectionPoints{.dim = SmallRun::dim};
  const h5::File file = assemble_small();
  std::filesystem::rename(path, folder / "ordered.h5");
  std::vector<std::int64_t> order(all.size());
  std::iota(order.begin(), order.end(), 0);
  for (int turn = 1; turn < 5; ++turn) {
    std::ranges::shuffle(order, std::minstd_rand(turn));
    run.segments[0] = all.reordered(order);
    assemble_small();
    EXPECT_TRUE(test::content_of(path) == test::content_of(folder / "ordered.h5")) << turn;
    std::filesystem::remove(path);
  }
  EXPECT_EQ(read<double>(file, "/section/time"),
            (std::vector<double>{0.0625, 0.625, 0.875, 0.9375, 0.125, 0.25, 0.28125, 0.3125, 0.5, 0.875, 0.375}));
}

TEST_F(Assembly, PointsMayKeepSomeColumns) {
  run.description.section_columns = {2, 0};
  PartFolder part(path, PartFolder::Existing::refuse,
                  {run.initial, SmallRun::n, 0, true, run.description.section_columns}, "id");
  for (const SectionPoints& segment : run.segments) part.append(segment);
  part.append_snapshots(run.snapshots);
  part.append_final(run.final);
  part.finish(run.description, run.starts);
  const h5::File file = h5::File::open(path);
  EXPECT_EQ(text_list(file, "/section/state", "columns"), (std::vector<std::string>{"c", "a"}));
  EXPECT_EQ(text_list(file, "/section/state", "unit"), (std::vector<std::string>{"m/s", "m"}));
  EXPECT_EQ(file.dataset("/section/state").dimensions(),
            (std::vector<std::string>{"/section/point", "/section/column"}));
  EXPECT_EQ(file.dataset("/section/column").read_text(), (std::vector<std::string>{"c", "a"}));
  const std::vector<std::int64_t> trajectory{0, 0, 0, 2, 3, 3, 3, 4}, step{0, 2, 3, 3, 0, 1, 3, 1};
  std::vector<double> state;
  for (std::size_t k = 0; k < step.size(); ++k)
    for (const int i : {2, 0}) state.push_back(mark(100 + step[k], trajectory[k], i));
  EXPECT_EQ(file.dataset("/section/state").shape(), (h5::Shape{8, 2}));
  EXPECT_EQ(read<double>(file, "/section/state"), state);
  EXPECT_EQ(file.dataset("/final/state").shape(), (h5::Shape{5, 3}));
}

TEST_F(Assembly, RefusesADamagedJournal) {
  // The third list has points of trajectories 2, 3 and 0 at step 3, in groups of one trajectory: 0, 2, 3. It is the
  // first block of the third file: a head of five numbers and counts of four groups are before its columns.
  const auto overwrite = [&](std::size_t word, std::int64_t value) {
    return [=, this] {
      std::fstream journal(folder / "run.h5.part/section-2", std::ios::binary | std::ios::in | std::ios::out);
      journal.seekp(static_cast<std::streamoff>(8 * word));
      journal.write(reinterpret_cast<const char*>(&value), sizeof(value));
    };
  };
  const auto refusal = [&](const std::function<void()>& damage) {
    const std::string message = test::message_of([&] { assemble_small(damage); }, ExitCode::bad_input);
    EXPECT_FALSE(std::filesystem::exists(folder / "run.h5.part/result.h5"));
    std::filesystem::remove_all(folder / "run.h5.part");
    return message;
  };
  constexpr std::size_t points = 2, counts = 5, trajectory = counts + 4, step = trajectory + 3;
  test::expect_contains(refusal(overwrite(trajectory, SmallRun::n)), "a point of trajectory 5 among those of 0 to 0");
  test::expect_contains(refusal(overwrite(step, 1)), "trajectory 0 has its points out of order");
  test::expect_contains(refusal(overwrite(counts, 0)), "2 points in the groups of a block of 3");
  test::expect_contains(refusal(overwrite(points, 2)), "a group has no end");
  for (const std::int64_t value : {std::int64_t{-1}, std::int64_t{0}, std::int64_t{1} << 60}) {
    test::expect_contains(refusal(overwrite(points, value)), "a block has no end");
    test::expect_contains(refusal(overwrite(points + 2, value)), "a block has no end");  // its groups
  }
  for (const std::int64_t group : {std::int64_t{4}, std::numeric_limits<std::int64_t>::max()})
    test::expect_contains(refusal(overwrite(points + 1, group)), "beyond the last");
  test::expect_contains(refusal(overwrite(step + 3, -1)), "a point without a time");  // the bits of a NaN
  test::expect_contains(refusal(overwrite(counts, -1)), "a group has no end");

  ++run.final.section_count[4];
  test::expect_contains(refusal([] {}), "8 section points instead of 9");
  --run.final.section_count[3];
  test::expect_contains(refusal([] {}), "trajectory 3 has 1 points too many");
  ++run.final.section_count[3];
  --run.final.section_count[4];

  run.snapshots.resize(SmallRun::n * (SmallRun::dim + 2));
  test::expect_contains(test::message_of([&] { assemble_small(); }, ExitCode::bad_input),
                        "5 records of snapshots instead of 10");
}

}  // namespace
}  // namespace polhode

#include "output/assembly.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <fstream>
#include <functional>
#include <thread>
#include <utility>

#include "output/h5.hpp"
#include "output/part_folder.hpp"
#include "read_all.hpp"
#include "result/annotations.hpp"
#include "result/records.hpp"
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
  ASSERT_EQ(meaning.size(), 7u);
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

TEST_F(Assembly, RefusesADamagedJournal) {
  // The last point, step 3 of trajectory 0, which has one at step 2, too.
  const auto overwrite_last = [&](std::size_t place, std::int64_t value) {
    return [=, this] {
      std::fstream journal(folder / "run.h5.part/section", std::ios::binary | std::ios::in | std::ios::out);
      const auto last = 7 * section_record_bytes(SmallRun::dim);
      journal.seekp(static_cast<std::streamoff>(last + place));
      journal.write(reinterpret_cast<const char*>(&value), sizeof(value));
    };
  };
  const auto of_another = overwrite_last(offsetof(SectionRecordHead, trajectory), SmallRun::n);
  test::expect_contains(test::message_of([&] { assemble_small(of_another); }, ExitCode::bad_input),
                        "a point of trajectory 5 of 5");
  std::filesystem::remove_all(folder / "run.h5.part");

  const auto too_early = overwrite_last(offsetof(SectionRecordHead, step), 1);
  test::expect_contains(test::message_of([&] { assemble_small(too_early); }, ExitCode::bad_input), "out of order");
  std::filesystem::remove_all(folder / "run.h5.part");

  run.snapshots.resize(SmallRun::n * (SmallRun::dim + 2));
  test::expect_contains(test::message_of([&] { assemble_small(); }, ExitCode::bad_input),
                        "5 records of snapshots instead of 10");
}

}  // namespace
}  // namespace polhode

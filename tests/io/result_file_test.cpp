#include "output/result_file.hpp"
#include "polhode/files/files.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "output/part_folder.hpp"
#include "support.hpp"

namespace polhode {
namespace {

using test::expect_contains;
using test::message_of;
using test::SmallRun;
using test::write_content;

class ResultFile : public testing::Test {
 protected:
  void write_result() const {
    PartFolder part(file, PartFolder::Existing::replace, test::in_one_slice(run.initial), "id");
    for (const SectionPoints& segment : run.segments) part.append(segment);
    part.append_snapshots(run.snapshots);
    part.append_final(run.final);
    part.finish(run.description, run.starts);
  }
  std::string info_refusal() const {
    return message_of([&] { read_info(file); }, ExitCode::bad_input);
  }
  std::string states_refusal(const std::string& dataset, int dim = SmallRun::dim) const {
    return message_of([&] { read_states(file, dataset, dim); }, ExitCode::bad_input);
  }

  const test::TemporaryFolder folder;
  const std::filesystem::path file = folder / "run.h5";
  SmallRun run;
};

TEST_F(ResultFile, InfoListsEverything) {
  write_result();
  const ResultInfo info = read_info(file);
  ASSERT_EQ(info.attributes.size(), 17u);
  EXPECT_EQ(info.attributes.front().name, "program");
  EXPECT_EQ(info.attributes.front().value, "polhode");
  EXPECT_EQ(info.attributes[8].name, "step");
  EXPECT_EQ(info.attributes[8].value, "0.25");
  EXPECT_EQ(info.attributes.back().value, run.description.config);

  ASSERT_EQ(info.parameters.size(), 2u);
  EXPECT_EQ(info.parameters[0].value, "[0, 0, 1]");
  EXPECT_EQ(info.parameters[1].value, "2.5 kg");

  ASSERT_EQ(info.statuses.size(), 2u);
  EXPECT_EQ(info.statuses[0].count, 4);
  EXPECT_EQ(info.statuses[1].code, 2);
  EXPECT_EQ(info.statuses[1].count, 1);
  EXPECT_EQ(info.statuses[1].meaning, "the state became infinite or not a number");

  ASSERT_EQ(info.invariants.size(), 2u);
  EXPECT_EQ(info.invariants[0].invariant, "energy");
  // The last trajectory, with the largest drift, failed.
  EXPECT_EQ(info.invariants[0].reached.change, run.final.max_drift[3]);
  EXPECT_EQ(info.invariants[0].reached.trajectory, 3);
  EXPECT_EQ(info.invariants[0].early.change, run.final.max_drift[4]);
  EXPECT_EQ(info.invariants[0].early.trajectory, 4);
  EXPECT_EQ(info.invariants[1].reached.change, run.final.max_drift[SmallRun::n]);
  EXPECT_EQ(info.invariants[1].reached.trajectory, 0);
  EXPECT_EQ(info.invariants[1].unknown, 0);

  std::string arrays;
  for (const auto& array : info.arrays) arrays += array.path + " " + array.type + " " + h5::to_text(array.shape) + "\n";
  EXPECT_EQ(arrays,
            "/column text [3]\n/final/state float64 [5, 3]\n/final/time float64 [5]\n/initial/state float64 [5, 3]\n"
            "/invariant text [2]\n"
            "/invariants/initial float64 [5, 2]\n/invariants/max_drift float64 [5, 2]\n/invariants/names text [2]\n"
            "/parameters/axis float64 [3]\n/parameters/mass float64 []\n"
            "/section/count int64 [5]\n/section/round_off int64 [5]\n/section/state float64 [8, 3]\n/section/step "
            "int64 [8]\n/section/time float64 [8]\n"
            "/section/trajectory int64 [8]\n"
            "/snapshots/invariants float64 [5, 3, 2]\n/snapshots/state float64 [5, 3, 3]\n/snapshots/time float64 [3]\n"
            "/status/code uint8 [5]\n/status/step int64 [5]\n");
}

TEST_F(ResultFile, InfoKnowsNoDriftThatWasNeverCompared) {
  run.description.first_compared = 4;  // the last trajectory, with the largest drift of the energy, came to step 3
  write_result();
  const ResultInfo some = read_info(file);
  EXPECT_EQ(some.invariants[0].reached.change, run.final.max_drift[3]);
  EXPECT_EQ(some.invariants[0].reached.trajectory, 3);
  EXPECT_LT(some.invariants[0].early.trajectory, 0);
  EXPECT_EQ(some.invariants[0].unknown, 1);
  run.description.first_compared = 5;
  write_result();
  const ResultInfo none = read_info(file);
  EXPECT_LT(none.invariants[0].reached.trajectory, 0);
  EXPECT_EQ(none.invariants[0].unknown, SmallRun::n);
}

TEST_F(ResultFile, InfoOfARunThatRecordedLittle) {
  run.description.invariants = {};
  run.description.section = std::nullopt;
  write_result();
  const ResultInfo info = read_info(file);
  EXPECT_TRUE(info.invariants.empty());
  EXPECT_EQ(info.attributes.size(), 16u);
}

TEST_F(ResultFile, UnreadableFilesAreNamed) {
  expect_contains(info_refusal(), "cannot read '" + file.string() + "' (No such file or directory). ");
  write_content(file, "");
  expect_contains(info_refusal(), "(not an HDF5 file). ");
  write_content(file, "a text");
  expect_contains(info_refusal(), "(not an HDF5 file). ");
  std::filesystem::remove(file);
  std::filesystem::create_directory(file);
  expect_contains(info_refusal(), "(not a regular file). ");
}

TEST_F(ResultFile, ForeignFilesAreRefused) {
  {
    h5::File foreign = h5::File::create(file);
    foreign.close();
  }
  expect_contains(info_refusal(), "(not written by polhode). ");
  {
    h5::File newer = h5::File::create(file);
    newer.set_attribute("program", "polhode");
    newer.set_attribute("schema", 2);
    newer.close();
  }
  expect_contains(info_refusal(), "its schema is 2 instead of 1");
}

TEST_F(ResultFile, TruncatedFilesAreRefused) {
  write_result();
  const std::string whole = test::content_of(file);
  for (std::size_t size = 8; size < whole.size(); size += 997) {
    write_content(file, whole.substr(0, size));
    ASSERT_THROW(read_info(file), InputError) << size;
  }
}

TEST_F(ResultFile, StatesAreReadFromAResult) {
  std::ranges::fill(run.final.code, 0);
  write_result();
  for (const char* dataset : {"/final/state", "final/state"}) {
    const std::vector<double> states = read_states(file, dataset, SmallRun::dim);
    ASSERT_EQ(states.size(), 15u);
    EXPECT_EQ(states[7], test::mark(9, 2, 1));
  }
}

TEST_F(ResultFile, FinalStatesOfFailedTrajectoriesAreRefused) {
  write_result();
  expect_contains(states_refusal("/final/state"), "1 of its trajectories failed");
  expect_contains(states_refusal("final/state"), "1 of its trajectories failed");
  EXPECT_EQ(read_states(file, "/initial/state", SmallRun::dim).size(), 15u);
}

TEST_F(ResultFile, StatesOfAnotherShapeAreRefused) {
  write_result();
  expect_contains(states_refusal("/nowhere"), "there is no dataset '/nowhere'");
  expect_contains(states_refusal("/final"), "there is no dataset '/final'");
  expect_contains(states_refusal("/initial/state", 6), "'/initial/state' is [5, 3] instead of [n, 6]");
  expect_contains(states_refusal("/snapshots/state"), "is [5, 3, 3] instead of [n, 3]");
  expect_contains(states_refusal("/final/time"), "is [5] instead of [n, 3]");
}

TEST_F(ResultFile, StatesOfAnotherTypeAreRefused) {
  {
    h5::File other = h5::File::create(file);
    other.create_dataset("counts", h5::Element::int64, {2, 3});
    other.create_dataset("none", h5::Element::float64, {0, 3});
    other.close();
  }
  expect_contains(states_refusal("counts"), "'counts' [2, 3] holds int64 instead of float64");
  expect_contains(states_refusal("none"), "is [0, 3] instead of [n, 3] with n > 0");
}

TEST_F(ResultFile, StatesThatAreNotFiniteAreRefused) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    h5::File other = h5::File::create(file);
    std::vector<double> values(9, 1.0);
    values[7] = bad;
    other.create_dataset("states", h5::Element::float64, {3, 3}).write(0, values);
    other.close();
    expect_contains(states_refusal("states"), "'states' is not finite in row 2, column 1");
  }
}

TEST_F(ResultFile, ProcessesReadTheirPartsOfTheStates) {
  constexpr int rows = 1000;
  std::vector<double> values(3 * rows);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  const auto write = [&] {
    h5::File other = h5::File::create(file);
    other.create_dataset("states", h5::Element::float64, {rows, 3}).write(0, values);
    other.close();
  };
  write();
  for (const int parts : {1, 2, 3, 7, 1001}) {
    std::vector<double> joined;
    for (int k = 0; k < parts; ++k) {
      const std::vector<double> part = read_part(file, "states", 3, {.index = k, .of = parts});
      EXPECT_LE(part.size(), 3u * ((rows + parts - 1) / parts));
      joined.insert(joined.end(), part.begin(), part.end());
    }
    EXPECT_EQ(joined, values) << parts;
  }
  // Only the one that reads it sees what is wrong with a row, and counts rows from the first of the file.
  values[3 * 600 + 2] = std::numeric_limits<double>::infinity();
  write();
  for (const int k : {0, 2}) EXPECT_NO_THROW(read_part(file, "states", 3, {.index = k, .of = 3}));
  expect_contains(message_of([&] { read_part(file, "states", 3, {.index = 1, .of = 3}); }, ExitCode::bad_input),
                  "'states' is not finite in row 600, column 2");
  // What is wrong with the file all of them see.
  for (const int k : {0, 1, 2})
    expect_contains(message_of([&] { read_part(file, "states", 4, {.index = k, .of = 3}); }, ExitCode::bad_input),
                    "'states' is [1000, 3] instead of [n, 4]");
}

}  // namespace
}  // namespace polhode

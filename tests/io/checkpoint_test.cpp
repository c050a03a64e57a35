#include "output/checkpoint.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <utility>

#include "checksum.hpp"
#include "support.hpp"

namespace polhode {
namespace {

using test::content_of;
using test::expect_contains;
using test::message_of;
using test::write_content;

Checkpoint example() {
  return {
      .trajectories = 4000,
      .slice = 1024,
      .records = {.section = {17, 3, {40, 0, 64, 8}}, .snapshots = 1, .statistics = 5, .final = 2048},
      .identity = "system = \"heavy-top\"; 13 more",  // no multiple of the checksum's word
      .point = {
          .position = {2048, 3}, .batch = test::SmallRun().final, .counts = {4, 0, 9}, .points = 17, .unrefined = 2}};
}

void expect_equal(const Checkpoint& a, const Checkpoint& b) {
  EXPECT_EQ(a.trajectories, b.trajectories);
  EXPECT_EQ(a.slice, b.slice);
  EXPECT_EQ(a.point.position.first, b.point.position.first);
  EXPECT_EQ(a.point.position.step, b.point.position.step);
  EXPECT_EQ(a.point.points, b.point.points);
  EXPECT_EQ(a.point.unrefined, b.point.unrefined);
  EXPECT_EQ(a.records, b.records);
  EXPECT_EQ(a.identity, b.identity);
  EXPECT_EQ(a.point.counts, b.point.counts);
  EXPECT_EQ(a.point.batch.shape(), b.point.batch.shape());
  for_carried([](const CarriedColumn& column, const auto& x, const auto& y) { EXPECT_EQ(x, y) << column.name; },
              a.point.batch, b.point.batch);
}

class CheckpointFile : public testing::Test {
 protected:
  std::string refusal() const {
    return message_of([&] { read_checkpoint(path); }, ExitCode::bad_input);
  }

  const test::TemporaryFolder folder;
  const std::filesystem::path path = folder / "checkpoint";
};

TEST_F(CheckpointFile, RoundTrip) {
  write_checkpoint(path, example());
  expect_equal(read_checkpoint(path), example());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST_F(CheckpointFile, RoundTripOfNothing) {
  write_checkpoint(path, Checkpoint{});
  expect_equal(read_checkpoint(path), {});
}

TEST_F(CheckpointFile, ReplacesTheOneBefore) {
  write_checkpoint(path, Checkpoint{});
  write_checkpoint(path, example());
  expect_equal(read_checkpoint(path), example());
}

TEST_F(CheckpointFile, IsWrittenWithoutACopyOfTheBatch) {
  // 49 MB, with a column too large to be taken from memory freed before
  const Checkpoint large{.identity = "id", .point = {.position = {0, 3}, .batch = Batch(1'000'000, 5, 0)}};
  const test::MemoryLimit limit(16 << 20);
  write_checkpoint(path, large);
}

/// A change of these values without one of the carried columns needs another layout number of the format.
TEST_F(CheckpointFile, ChecksumsStayWhatTheyAre) {
  write_checkpoint(path, example());
  std::uint64_t stored = 0;
  std::memcpy(&stored, content_of(path).data() + 176, sizeof(stored));
  EXPECT_EQ(stored, 0x465c9475cb66d10au);  // of layout 12 and today's columns
  EXPECT_EQ(checksum(std::span<const double>()), 0xcbf29ce484222325u);
  EXPECT_EQ(checksum(std::vector<double>{0.0}), 0xcbf29ce484222325u * 0x100000001b3u);
  EXPECT_NE(checksum(std::vector<double>{0.0}), checksum(std::vector<double>{-0.0}));
  EXPECT_NE(checksum(std::vector<double>{1.0, 2.0}), checksum(std::vector<double>{2.0, 1.0}));
}

TEST_F(CheckpointFile, SeesDamageInEveryByte) {
  write_checkpoint(path, example());
  const std::string whole = content_of(path);
  constexpr unsigned char flips[] = {0x01, 0x80, 0xff};
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ flips[i % 3]);
    write_content(path, damaged);
    ASSERT_THROW(read_checkpoint(path), InputError) << "byte " << i;
  }
}

TEST_F(CheckpointFile, SeesTruncationAndWhatFollows) {
  write_checkpoint(path, example());
  const std::string whole = content_of(path);
  for (std::size_t size = 0; size < whole.size(); size += 5) {
    write_content(path, whole.substr(0, size));
    ASSERT_THROW(read_checkpoint(path), InputError) << "size " << size;
  }
  write_content(path, whole + '\0');
  expect_contains(refusal(), "truncated or damaged");
}

TEST_F(CheckpointFile, NamesTheFileAndTheReason) {
  expect_contains(refusal(), "cannot read '" + path.string() + "' (No such file or directory). ");
  write_content(path, std::string(200, 'x'));
  expect_contains(refusal(), "(not a checkpoint of polhode). ");
  write_checkpoint(path, example());
  std::string content = content_of(path);
  const char version = std::exchange(content[8], 99);
  write_content(path, content);
  expect_contains(refusal(), "another version");
  content[8] = version;
  content.back() ^= 1;
  write_content(path, content);
  expect_contains(refusal(), "its checksum does not match");
}

TEST_F(CheckpointFile, IsNotTouchedByOneThatFails) {
  write_checkpoint(path, Checkpoint{});
  {
    const test::FileSizeLimit full(200);
    message_of([&] { write_checkpoint(path, example()); }, ExitCode::io);
  }
  expect_equal(read_checkpoint(path), {});
}

}  // namespace
}  // namespace polhode

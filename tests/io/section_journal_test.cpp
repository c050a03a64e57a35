// The journal of section points, as blocks in several files.
#include "output/section_journal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <tuple>
#include <vector>

#include "support.hpp"

namespace polhode {
namespace {

using test::expect_contains;
using test::message_of;

constexpr int dim = 2;
constexpr std::int64_t group = 4;

/// Points first, ..., first + count - 1 of a list in which every number tells its place.
SectionPoints points_from(std::int64_t first, std::int64_t count, std::int64_t trajectories) {
  SectionPoints points{.dim = dim};
  for (std::int64_t i = first; i < first + count; ++i) {
    points.trajectory.push_back(i * 7 % trajectories);
    points.step.push_back(i);
    points.theta.push_back(static_cast<double>(i) + 0.5);
    for (int c = 0; c < dim; ++c) points.state.push_back(static_cast<double>(10 * i + c));
  }
  return points;
}

/// What a journal has, with the number of columns that it keeps.
struct Content {
  explicit Content(const SectionJournal& journal, std::size_t columns) {
    for (const Journal& stripe : journal.stripes()) {
      mappings.emplace_back(new Mapping(stripe.map()));
      records.push_back(
          {stripe.path().string(),
           1,
           {mappings.back()->data(), static_cast<std::size_t>(stripe.records()) * stripe.record_bytes()}});
    }
    blocks = read_section_blocks(records, columns);
  }
  /// Turn, trajectory, step and last column of all points, sorted.
  std::vector<std::tuple<std::int64_t, std::int64_t, std::int64_t, double>> points(std::size_t columns) const {
    std::vector<std::tuple<std::int64_t, std::int64_t, std::int64_t, double>> all;
    for (const SectionBlockView& block : blocks) {
      std::int64_t i = 0;
      for (std::int64_t g = 0; g < block.groups; ++g)
        for (const std::int64_t end = i + block.counts[g]; i < end; ++i) {
          EXPECT_EQ(block.trajectory[i] / group, block.first_group + g);
          EXPECT_EQ(block.theta[i], static_cast<double>(block.step[i]) + 0.5);
          all.emplace_back(block.turn, block.trajectory[i], block.step[i],
                           block.state[static_cast<std::size_t>(i + 1) * columns - 1]);
        }
    }
    std::ranges::sort(all);
    return all;
  }

  std::vector<std::unique_ptr<Mapping>> mappings;
  std::vector<Records> records;
  std::vector<SectionBlockView> blocks;
};

TEST(SectionJournal, HoldsWhatWasAppended) {
  for (const std::vector<int>& columns : {std::vector<int>{}, {1}, {1, 0}}) {
    const test::TemporaryFolder folder;
    SectionJournal journal(folder.path());
    journal.truncate_to({});
    std::vector<std::tuple<std::int64_t, std::int64_t, std::int64_t, double>> expected;
    std::int64_t first = 0, turn = 0;
    for (const std::int64_t count : {1, 0, 40'000, 7, 100'001}) {  // short and long lists
      const SectionPoints points = points_from(first, count, 41);
      journal.append(points, group, columns);
      for (std::int64_t i = 0; i < count; ++i)
        expected.emplace_back(turn, points.trajectory[i], points.step[i],
                              points.state[i * dim + (columns.empty() ? 1 : columns.back())]);
      first += count;
      turn += count > 0;
    }
    std::ranges::sort(expected);
    EXPECT_EQ(journal.length().points, first);
    EXPECT_EQ(journal.length().turns, turn);
    const std::size_t kept = columns.empty() ? dim : columns.size();
    const Content content(journal, kept);
    EXPECT_EQ(content.points(kept), expected);
    for (const std::int64_t words : journal.length().words) EXPECT_GT(words, 0);
  }
}

/// Blocks of a turn are read in the order of their points, so that those in order stay in order.
TEST(SectionJournal, BlocksOfAListStayInOrder) {
  const test::TemporaryFolder folder;
  SectionJournal journal(folder.path());
  journal.truncate_to({});
  SectionPoints points = points_from(0, 2'000'000, 1);
  journal.append(points, group, {});
  const Content content(journal, dim);
  EXPECT_GT(content.blocks.size(), std::size_t{section_stripes});
  std::int64_t next = 0;
  for (const SectionBlockView& block : content.blocks)
    for (std::int64_t i = 0; i < block.points; ++i) ASSERT_EQ(block.step[i], next++);
  EXPECT_EQ(next, 2'000'000);
}

TEST(SectionJournal, IsCutOffWhereACheckpointWas) {
  const test::TemporaryFolder folder;
  SectionLength length;
  {
    SectionJournal journal(folder.path());
    journal.truncate_to({});
    journal.append(points_from(0, 50'000, 41), group, {});
    journal.append(points_from(50'000, 3, 41), group, {});
    length = journal.length();
    journal.append(points_from(60'000, 50'000, 41), group, {});
  }
  SectionJournal journal(folder.path());
  journal.truncate_to(length);
  EXPECT_EQ(journal.length(), length);
  journal.append(points_from(50'003, 9'000, 41), group, {});
  const auto points = Content(journal, dim).points(dim);
  ASSERT_EQ(points.size(), 59'003u);
  std::int64_t sum = 0;
  for (const auto& point : points) sum += std::get<2>(point);
  EXPECT_EQ(sum, std::int64_t{59'003} * 59'002 / 2);
  EXPECT_EQ(std::get<0>(points.back()), 2);

  ++length.words[1];
  expect_contains(message_of(
                      [&] {
                        SectionLength more = journal.length();
                        ++more.words[1];
                        journal.truncate_to(more);
                      },
                      ExitCode::bad_input),
                  "instead of the checkpoint's");
}

TEST(SectionJournal, KeepsNothingOfAFailedAppend) {
  const test::TemporaryFolder folder;
  SectionJournal journal(folder.path());
  journal.truncate_to({});
  journal.append(points_from(0, 3, 41), group, {});
  const SectionLength before = journal.length();
  const SectionPoints points = points_from(3, 100'000, 41);
  {
    const test::FileSizeLimit full(900'000);  // less than a quarter of the points takes
    expect_contains(message_of([&] { journal.append(points, group, {}); }, ExitCode::io), "cannot write");
  }
  EXPECT_EQ(journal.length(), before);
  std::uintmax_t bytes = 0;
  for (int i = 0; i < section_stripes; ++i) bytes += std::filesystem::file_size(folder / SectionJournal::name(i));
  EXPECT_EQ(bytes, 8u * static_cast<std::uint64_t>(std::accumulate(before.words.begin(), before.words.end(), 0l)));
  journal.append(points, group, {});
  EXPECT_EQ(Content(journal, dim).points(dim).size(), 100'003u);
}

}  // namespace
}  // namespace polhode

#include "output/journal.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "support.hpp"

namespace polhode {
namespace {

using test::content_of;
using test::expect_contains;
using test::FileSizeLimit;
using test::message_of;

constexpr std::size_t record_bytes = 24;

std::vector<std::byte> records(int first, int count) {
  std::vector<std::byte> bytes(record_bytes * static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(first + i / record_bytes);
  return bytes;
}

std::vector<std::byte> all_of(const Journal& journal) {
  const Mapping mapping = journal.map();
  return {mapping.data(), mapping.data() + static_cast<std::size_t>(journal.records()) * record_bytes};
}

TEST(Journal, AppendsAndReadsBack) {
  const test::TemporaryFolder folder;
  Journal journal(folder / "j", record_bytes);
  EXPECT_EQ(journal.records(), 0);
  EXPECT_TRUE(all_of(journal).empty());
  journal.append(records(1, 2));
  journal.append({});
  journal.append(records(3, 5));
  journal.sync();
  EXPECT_EQ(journal.records(), 7);
  EXPECT_EQ(all_of(journal), records(1, 7));
}

TEST(Journal, AppendsRecordsInParts) {
  const test::TemporaryFolder folder;
  Journal journal(folder / "j", record_bytes);
  journal.append(records(1, 2));
  const std::vector<std::byte> bytes = records(3, 4);
  const std::span<const std::byte> all = bytes;
  const std::span<const std::byte> parts[] = {all.first(record_bytes + 5), {}, all.subspan(record_bytes + 5)};
  {
    const FileSizeLimit full(4 * record_bytes);  // inside the last part
    expect_contains(message_of([&] { journal.append_parts(parts); }, ExitCode::io), "cannot write");
  }
  EXPECT_EQ(journal.records(), 2);
  EXPECT_EQ(std::filesystem::file_size(folder / "j"), 2 * record_bytes);
  journal.append_parts(parts);
  EXPECT_EQ(journal.records(), 6);
  EXPECT_EQ(all_of(journal), records(1, 6));
}

TEST(Journal, ReopensWhereItEnded) {
  const test::TemporaryFolder folder;
  Journal(folder / "j", record_bytes).append(records(1, 3));
  Journal journal(folder / "j", record_bytes);
  EXPECT_EQ(journal.records(), 3);
  journal.append(records(4, 1));
  EXPECT_EQ(all_of(journal), records(1, 4));
}

TEST(Journal, WritesOverARecordCutShort) {
  for (std::size_t rest = 1; rest < record_bytes; ++rest) {
    const test::TemporaryFolder folder;
    Journal(folder / "j", record_bytes).append(records(1, 3));
    std::filesystem::resize_file(folder / "j", 2 * record_bytes + rest);
    Journal journal(folder / "j", record_bytes);
    ASSERT_EQ(journal.records(), 2);
    journal.append(records(3, 2));
    ASSERT_EQ(all_of(journal), records(1, 4));
    ASSERT_EQ(std::filesystem::file_size(folder / "j"), 4 * record_bytes);
  }
}

TEST(Journal, Truncates) {
  const test::TemporaryFolder folder;
  Journal journal(folder / "j", record_bytes);
  journal.append(records(1, 5));
  journal.truncate_to(2);
  EXPECT_EQ(journal.records(), 2);
  EXPECT_EQ(std::filesystem::file_size(folder / "j"), 2 * record_bytes);
  journal.append(records(3, 1));
  EXPECT_EQ(all_of(journal), records(1, 3));
  expect_contains(message_of([&] { journal.truncate_to(4); }, ExitCode::bad_input), "3 records instead of");
  journal.truncate_to(0);
  EXPECT_EQ(journal.records(), 0);
}

TEST(Journal, KeepsNothingOfAFailedAppend) {
  const test::TemporaryFolder folder;
  Journal journal(folder / "j", record_bytes);
  journal.append(records(1, 2));
  {
    const FileSizeLimit full(4 * record_bytes + 5);
    expect_contains(message_of([&] { journal.append(records(3, 9)); }, ExitCode::io), "cannot write");
  }
  EXPECT_EQ(journal.records(), 2);
  EXPECT_EQ(std::filesystem::file_size(folder / "j"), 2 * record_bytes);
  journal.append(records(3, 1));
  EXPECT_EQ(all_of(journal), records(1, 3));
}

TEST(Journal, NamesTheReasonWhenItCannotBeCreated) {
  const test::TemporaryFolder folder;
  expect_contains(message_of([&] { Journal(folder / "missing/j", record_bytes); }, ExitCode::io),
                  "(No such file or directory). ");
}

}  // namespace
}  // namespace polhode

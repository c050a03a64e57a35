// A full disk is an IoError with its reason, at whatever byte it fills up, and what was there before can be resumed.
#include <gtest/gtest.h>
#include <sys/mount.h>

#include "output/part_folder.hpp"
#include "support.hpp"

namespace polhode {
namespace {

using test::expect_contains;
using test::message_of;
using test::SmallRun;
using test::write_content;
using Existing = PartFolder::Existing;

/// A file system of 1 MiB; not ok() where it cannot be mounted.
class SmallDisk {
 public:
  SmallDisk() : mounted_(::mount("tmpfs", folder_.path().c_str(), "tmpfs", 0, "size=1m") == 0) {}
  ~SmallDisk() {
    if (mounted_) ::umount2(folder_.path().c_str(), MNT_DETACH);
  }
  bool ok() const { return mounted_; }
  std::filesystem::path operator/(const std::string& name) const { return folder_ / name; }

 private:
  const test::TemporaryFolder folder_;
  bool mounted_;
};

TEST(DiskFull, AJournalSaysSo) {
  const SmallDisk disk;
  if (!disk.ok()) GTEST_SKIP() << "cannot mount a small file system (this needs root)";
  PartFolder part(disk / "run.h5", Existing::refuse, test::in_one_slice({1000, 6, 0}), "id");
  const std::vector<double> snapshot(6000);
  const std::string message = message_of(
      [&] {
        for (int i = 0; i < 100; ++i) part.append_snapshots(snapshot);
      },
      ExitCode::io);
  EXPECT_EQ(message, "cannot write '" + (disk / "run.h5.part/snapshots").string() +
                         "' (No space left on device). Free some space and run again, with --resume if there is a "
                         ".part folder.");
}

TEST(DiskFull, AssemblySaysSoAndCanBeTriedAgain) {
  const SmallDisk disk;
  if (!disk.ok()) GTEST_SKIP() << "cannot mount a small file system (this needs root)";
  constexpr std::int64_t n = 5000;
  SmallRun run;
  run.description.section = std::nullopt;
  run.description.snapshots_every = 0;
  const Batch batch(n, 3, 2);
  const std::vector<double> starts(n * 3);
  write_content(disk / "filler", std::string(300'000, 'x'));  // leaves room for the checkpoint, not for the result
  {
    PartFolder part(disk / "run.h5", Existing::refuse, test::in_one_slice(batch), "id");
    part.append_final(batch);
    part.write_checkpoint({.position = {n, 0}, .batch = Batch(0, 3, 2)});
    expect_contains(message_of([&] { part.finish(run.description, starts); }, ExitCode::io),
                    "(No space left on device). Free some space and run again, with --resume");
  }
  EXPECT_FALSE(std::filesystem::exists(disk / "run.h5"));
  EXPECT_FALSE(std::filesystem::exists(disk / "run.h5.part/result.h5"));
  std::filesystem::remove(disk / "filler");
  PartFolder part(disk / "run.h5", Existing::resume, test::in_one_slice(batch), "id");
  part.finish(run.description, starts);
  EXPECT_TRUE(std::filesystem::exists(disk / "run.h5"));
}

/// Finishes with room for 0, then more and more bytes until it succeeds; how often it failed.
int finish_at_every_limit(const SmallRun& run, std::uint64_t first_stride, std::uint64_t stride) {
  const test::TemporaryFolder folder;
  const std::filesystem::path file = folder / "run.h5";
  PartFolder part(file, Existing::replace, test::in_one_slice(run.initial), "id");
  for (const SectionPoints& segment : run.segments) part.append(segment);
  part.append_snapshots(run.snapshots);
  part.append_final(run.final);
  int failures = 0;
  std::string message;
  for (std::uint64_t limit = 0;; limit += limit < 8192 ? first_stride : stride) {
    try {
      const test::FileSizeLimit full(limit);
      part.finish(run.description, run.starts);
      return failures;
    } catch (const IoError& error) {
      message = error.what();
    }
    ++failures;
    expect_contains(message, "(File too large). ");
    EXPECT_FALSE(std::filesystem::exists(file));
  }
}

TEST(DiskFull, AssemblySurvivesAFailureAtAnyByte) { EXPECT_GT(finish_at_every_limit(SmallRun(), 61, 1009), 100); }

TEST(DiskFull, AssemblySurvivesAFailureBetweenChunks) {
  SmallRun run;
  for (std::int64_t step = 4; step < 300'000; ++step) run.add_point(2, step % SmallRun::n, step, 0.5);
  EXPECT_GT(finish_at_every_limit(run, 2048, 399'989), 30);
}

TEST(DiskFull, AssemblySurvivesAFailureBetweenCompressedChunks) {
  SmallRun run;
  run.description.compression = 1;
  for (std::int64_t step = 4; step < 300'000; ++step) run.add_point(2, step % SmallRun::n, step, 0.5);
  EXPECT_GT(finish_at_every_limit(run, 2048, 99'991), 8);
}

}  // namespace
}  // namespace polhode

#include "output/part_folder.hpp"

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "output/h5.hpp"
#include "support.hpp"

namespace polhode {
namespace {

using test::expect_contains;
using test::message_of;
using test::SmallRun;
using test::write_content;
using Existing = PartFolder::Existing;

class PartFolderRules : public testing::Test {
 protected:
  PartFolder start(Existing existing) const { return {file, existing, test::in_one_slice(run.initial), "id"}; }
  std::string refusal(Existing existing, ExitCode code = ExitCode::bad_input) const {
    return message_of([&] { PartFolder::check_output(file, existing); }, code);
  }
  /// After the points of these segments.
  void finish(PartFolder& folder, std::initializer_list<int> segments) const {
    folder.append_final(run.final_with(segments));
    folder.finish(run.description, run.starts);
  }
  /// For OpenFileLimit: a constructor that fails, and one that does not, with files to spare.
  void meet_what_is_thrown() const {
    EXPECT_THROW(PartFolder(folder / "missing/run.h5", Existing::replace, test::in_one_slice(run.initial), "id"),
                 IoError);
    PartFolder(folder / "other.h5", Existing::replace, test::in_one_slice(run.initial), "id").discard();
  }
  std::vector<std::string> left() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
      names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
  }

  const test::TemporaryFolder folder;
  std::filesystem::path file = folder / "run.h5";
  const std::filesystem::path part = folder / "run.h5.part";
  const SmallRun run;
};

TEST_F(PartFolderRules, AFreshOutputIsFine) {
  PartFolder::check_output(file, Existing::refuse);
  PartFolder::check_output(file, Existing::replace);
  EXPECT_TRUE(left().empty());
  PartFolder::check_output("relative.h5", Existing::replace);
}

TEST_F(PartFolderRules, AnExistingFileNeedsForce) {
  write_content(file, "old");
  expect_contains(refusal(Existing::refuse), "--force");
  PartFolder::check_output(file, Existing::replace);
  expect_contains(refusal(Existing::resume), "already exists");
  EXPECT_EQ(test::content_of(file), "old");
}

TEST_F(PartFolderRules, AnExistingPartNeedsResumeOrForce) {
  { const PartFolder interrupted = start(Existing::refuse); }
  const std::string message = refusal(Existing::refuse);
  expect_contains(message, "--resume");
  expect_contains(message, "--force");
  EXPECT_EQ(message_of([&] { start(Existing::refuse); }, ExitCode::bad_input), message);
  PartFolder::check_output(file, Existing::replace);
  PartFolder::check_output(file, Existing::resume);
}

TEST_F(PartFolderRules, NothingToResume) { expect_contains(refusal(Existing::resume), "nothing to resume ("); }

TEST_F(PartFolderRules, OnlyAFileCanBeReplaced) {
  std::filesystem::create_directory(file);
  for (const Existing existing : {Existing::refuse, Existing::replace, Existing::resume}) {
    expect_contains(refusal(existing), "not a regular file");
  }
  file = "/dev/null";
  expect_contains(refusal(Existing::replace), "not a regular file");
  file = folder / "name/";
  expect_contains(refusal(Existing::refuse), "no output file");
  file = "";
  expect_contains(refusal(Existing::refuse), "no output file");
}

TEST_F(PartFolderRules, ADanglingLinkExists) {
  std::filesystem::create_symlink("nowhere", file);
  expect_contains(refusal(Existing::refuse), "already exists");
}

TEST_F(PartFolderRules, AFileInThePlaceOfTheFolder) {
  write_content(part, "mine");
  expect_contains(refusal(Existing::replace), "in the way");
}

TEST_F(PartFolderRules, AMissingFolderIsNamed) {
  file = folder / "missing/run.h5";
  expect_contains(refusal(Existing::refuse, ExitCode::io), "(No such file or directory). Create the folder");
  write_content(folder / "plain", "");
  file = folder / "plain/run.h5";
  expect_contains(refusal(Existing::refuse, ExitCode::io), "(Not a directory). ");
}

TEST_F(PartFolderRules, AReadOnlyFolderIsRefused) {
  const std::filesystem::path mounted = folder / "mounted";
  std::filesystem::create_directory(mounted);
  if (::mount("tmpfs", mounted.c_str(), "tmpfs", MS_RDONLY, "size=64k") != 0)
    GTEST_SKIP() << "cannot mount (this needs root)";
  file = mounted / "run.h5";
  const std::string message = refusal(Existing::replace, ExitCode::io);
  ::umount(mounted.c_str());
  expect_contains(message, "(Read-only file system). ");
}

TEST_F(PartFolderRules, FinishLeavesTheFileOnly) {
  PartFolder output = start(Existing::refuse);
  output.append(run.segments[0]);
  output.append_snapshots(run.snapshots);
  output.write_checkpoint({.position = {0, 4}, .batch = run.final});
  finish(output, {0});
  EXPECT_EQ(left(), std::vector<std::string>{"run.h5"});
}

TEST_F(PartFolderRules, ReplaceKeepsTheOldFileUntilTheEnd) {
  write_content(file, "old");
  {
    PartFolder interrupted = start(Existing::replace);
    interrupted.append(run.segments[0]);
    interrupted.append_snapshots(run.snapshots);
    interrupted.write_checkpoint({.position = {0, 4}, .batch = run.final});
  }
  EXPECT_EQ(test::content_of(file), "old");

  PartFolder output = start(Existing::replace);
  EXPECT_FALSE(output.resume());
  EXPECT_FALSE(PartFolder::read_checkpoint(file));
  output.append(run.segments[1]);
  output.append_snapshots(run.snapshots);
  finish(output, {1});
  EXPECT_EQ(h5::File::open(file).dataset("/section/state").shape(), (h5::Shape{2, 3}));
}

TEST_F(PartFolderRules, AReplacementThatWasInterruptedIsResumed) {
  write_content(file, "old");
  {
    PartFolder interrupted = start(Existing::replace);
    interrupted.append(run.segments[0]);
    interrupted.append_snapshots(run.snapshots);
    interrupted.write_checkpoint({.position = {0, 4}, .batch = run.final});
  }
  expect_contains(refusal(Existing::refuse), "already exists");
  PartFolder::check_output(file, Existing::resume);
  for (int interruption = 0; interruption < 2; ++interruption) {
    PartFolder output = start(Existing::resume);
    ASSERT_TRUE(output.resume());
  }
  EXPECT_EQ(test::content_of(file), "old");
  PartFolder output = start(Existing::resume);
  finish(output, {0});
  EXPECT_EQ(h5::File::open(file).dataset("/section/state").shape(), (h5::Shape{3, 3}));
  EXPECT_EQ(left(), std::vector<std::string>{"run.h5"});
}

TEST_F(PartFolderRules, ResumeReplacesNothingWithoutForce) {
  {
    PartFolder interrupted = start(Existing::refuse);
    interrupted.append_snapshots(run.snapshots);
    interrupted.write_checkpoint({.position = {0, 4}, .batch = run.final});
  }
  write_content(file, "new");
  expect_contains(refusal(Existing::resume), "already exists");
  PartFolder output = start(Existing::resume);
  expect_contains(message_of([&] { finish(output, {}); }, ExitCode::bad_input), "it has appeared during the run");
  EXPECT_EQ(test::content_of(file), "new");
}

TEST_F(PartFolderRules, ResumeGoesOnFromTheCheckpoint) {
  const std::size_t snapshot = SmallRun::n * (SmallRun::dim + 2);
  const std::span<const double> snapshots(run.snapshots);
  {
    PartFolder killed = start(Existing::refuse);
    killed.append(run.segments[0]);
    killed.append_snapshots(snapshots.first(snapshot));
    killed.write_checkpoint({.position = {0, 2}, .batch = run.final});
    killed.append(run.segments[1]);  // lost, to be computed again
    killed.append_snapshots(snapshots.last(snapshot));
  }
  const auto before = PartFolder::read_checkpoint(file);
  ASSERT_TRUE(before);
  EXPECT_EQ(before->identity, "id");

  PartFolder output = start(Existing::resume);
  const JournalRecords records = PartFolder::read_checkpoint(file)->records;
  EXPECT_EQ(records.section.points, 3);
  EXPECT_EQ(records.snapshots, SmallRun::n);
  const auto standing = output.resume();
  ASSERT_TRUE(standing);
  EXPECT_EQ(standing->position.step, 2);
  EXPECT_EQ(standing->points, 3);
  EXPECT_EQ(standing->batch.state, run.final.state);
  output.append(run.segments[1]);
  output.append(run.segments[2]);
  output.append_snapshots(snapshots.last(snapshot));
  finish(output, {0, 1, 2});
  const std::string resumed = test::content_of(file);

  PartFolder whole = start(Existing::replace);
  for (const SectionPoints& segment : run.segments) whole.append(segment);
  whole.append_snapshots(run.snapshots);
  finish(whole, {0, 1, 2});
  EXPECT_TRUE(test::content_of(file) == resumed);
}

TEST_F(PartFolderRules, ResumeWithoutACheckpointStartsAtTheBeginning) {
  {
    PartFolder killed = start(Existing::refuse);
    killed.append(run.segments[0]);
    killed.append_snapshots(run.snapshots);
  }
  EXPECT_FALSE(PartFolder::read_checkpoint(file));
  PartFolder output = start(Existing::resume);
  EXPECT_FALSE(output.resume());
  output.append(run.segments[1]);
  output.append_snapshots(run.snapshots);
  finish(output, {1});
  EXPECT_EQ(h5::File::open(file).dataset("/section/state").shape(), (h5::Shape{2, 3}));
}

TEST_F(PartFolderRules, ResumeRefusesWhatDoesNotFit) {
  {
    PartFolder killed = start(Existing::refuse);
    killed.append(run.segments[0]);
    killed.write_checkpoint({.position = {0, 2}, .batch = run.final});
  }
  expect_contains(message_of(
                      [&] {
                        PartFolder(file, Existing::resume, test::in_one_slice({7, SmallRun::dim, 2}), "id");
                      },
                      ExitCode::bad_input),
                  "[5, 3] with 2 invariants instead of [7, 3] with 2");
  std::filesystem::resize_file(part / "section-0", 10);
  expect_contains(message_of([&] { start(Existing::resume); }, ExitCode::bad_input), "1 records instead of");
  write_content(part / "checkpoint", "rubbish");
  expect_contains(message_of([&] { start(Existing::resume); }, ExitCode::bad_input), "truncated");
  expect_contains(message_of([&] { PartFolder::read_checkpoint(file); }, ExitCode::bad_input), "truncated");
}

TEST_F(PartFolderRules, TwoProcessesCannotWriteOneOutput) {
  PartFolder first = start(Existing::refuse);
  for (const Existing existing : {Existing::replace, Existing::resume}) {
    expect_contains(message_of([&] { start(existing); }, ExitCode::bad_input), "another process is writing it");
  }
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      start(Existing::replace);
    } catch (const InputError&) {
      ::_exit(2);
    }
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 2);
  first.append(run.segments[0]);
  first.append_snapshots(run.snapshots);
  finish(first, {0});
}

TEST_F(PartFolderRules, AFileThatAppearsDuringTheRunIsNotOverwritten) {
  {
    PartFolder output = start(Existing::refuse);
    output.append_snapshots(run.snapshots);
    output.write_checkpoint({.position = {0, 4}, .batch = run.final});
    write_content(file, "new");
    expect_contains(message_of([&] { finish(output, {}); }, ExitCode::bad_input), "--resume");
  }
  EXPECT_EQ(test::content_of(file), "new");
  std::filesystem::remove(file);
  PartFolder output = start(Existing::resume);
  finish(output, {});
  EXPECT_EQ(left(), std::vector<std::string>{"run.h5"});
}

TEST_F(PartFolderRules, DiscardLeavesNothingOfARejectedRun) {
  PartFolder output = start(Existing::refuse);
  output.append(run.segments[0]);
  output.discard();
  EXPECT_TRUE(left().empty());
}

TEST_F(PartFolderRules, AConstructorThatFailsLeavesNoFolder) {
  meet_what_is_thrown();
  for (const Existing existing : {Existing::refuse, Existing::replace}) {
    int failures = 0;
    for (int files = 0;; ++files) {
      const auto started = [&] {
        const test::OpenFileLimit limit(files);
        PartFolder output = start(existing);
        output.discard();
      };
      try {
        started();
        break;
      } catch (const IoError& error) {
        expect_contains(error.what(), "(Too many open files). ");
      }
      ++failures;
      ASSERT_EQ(left(), std::vector<std::string>{}) << files;
    }
    EXPECT_GE(failures, 3);
  }
}

TEST_F(PartFolderRules, AConstructorThatFailsKeepsWhatCanBeResumed) {
  {
    PartFolder interrupted = start(Existing::refuse);
    interrupted.write_checkpoint({.position = {0, 2}, .batch = run.final});
  }
  meet_what_is_thrown();
  EXPECT_THROW(start(Existing::refuse), InputError);
  for (int files = 0; files < 3; ++files) {
    const test::OpenFileLimit limit(files);
    EXPECT_THROW(start(Existing::resume), Error);
    EXPECT_THROW(start(Existing::refuse), Error);
  }
  EXPECT_TRUE(PartFolder::read_checkpoint(file));
}

TEST_F(PartFolderRules, DiscardKeepsWhatCanBeResumed) {
  {
    PartFolder output = start(Existing::refuse);
    output.write_checkpoint({.position = {0, 2}, .batch = run.final});
    output.discard();
  }
  PartFolder resumed = start(Existing::resume);
  resumed.discard();
  EXPECT_TRUE(PartFolder::read_checkpoint(file));
}

TEST_F(PartFolderRules, SomeoneElsesFilesStay) {
  std::filesystem::create_directory(part);
  write_content(part / "notes", "mine");
  PartFolder output = start(Existing::replace);
  output.append_snapshots(run.snapshots);
  finish(output, {});
  EXPECT_EQ(test::content_of(part / "notes"), "mine");
}

}  // namespace
}  // namespace polhode

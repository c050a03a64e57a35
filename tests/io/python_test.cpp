// Python reads a result without help: read_result.py compares every dataset of the small run with its expected content.
#include <gtest/gtest.h>

#include <cstdlib>

#include "output/part_folder.hpp"
#include "support.hpp"

namespace polhode {
namespace {

TEST(Python, ReadsAResult) {
  const char* const given = std::getenv("POLHODE_PYTHON");
  const std::string python = given != nullptr ? given : "/usr/bin/python3";
  if (std::system((python + " -c 'import h5py, numpy' >/dev/null 2>&1").c_str()) != 0) {
    GTEST_SKIP() << python << " has no h5py";
  }
  const std::filesystem::path script = std::filesystem::path(__FILE__).parent_path() / "read_result.py";
  if (!exists(script)) GTEST_SKIP() << "the source tree with " << script << " is not here";
  const test::TemporaryFolder folder;
  const test::SmallRun run;
  const std::filesystem::path file = folder / "run.h5";
  PartFolder part(file, PartFolder::Existing::refuse, test::in_one_slice(run.initial), "id");
  for (const SectionPoints& segment : run.segments) part.append(segment);
  part.append_snapshots(run.snapshots);
  part.append_final(run.final);
  part.finish(run.description, run.starts);
  EXPECT_EQ(std::system((python + " '" + script.string() + "' '" + file.string() + "'").c_str()), 0);
}

}  // namespace
}  // namespace polhode

// Results larger than the blocks in which they are written.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "output/h5.hpp"
#include "output/part_folder.hpp"
#include "read_all.hpp"
#include "support.hpp"

namespace polhode {
namespace {

using test::is_unknown;
using test::read;
using test::SmallRun;

class AssemblyInBlocks : public testing::Test {
 protected:
  const test::TemporaryFolder folder;
  const std::filesystem::path path = folder / "run.h5";
  SmallRun run;
};

/// Snapshots of long trajectories go through blocks of both trajectories and times, in memory that does not grow.
TEST_F(AssemblyInBlocks, LongTrajectoriesTakeLittleMemory) {
  constexpr int dim = 6;
  run.description.columns = {{"a"}, {"b"}, {"c"}, {"d"}, {"e"}, {"f"}};
  run.description.invariants = {};
  run.description.section = std::nullopt;
  run.description.snapshots_every = 1;
  for (const auto& [n, later] : {std::pair<std::int64_t, std::int64_t>{1, 2'000'000}, {3, 400'000}, {40, 22'000}}) {
    Batch batch(n, dim, 0);
    batch.steps.assign(n, later);
    run.description.steps = later;
    {
      PartFolder part(path, PartFolder::Existing::replace, test::in_one_slice(batch), "id");
      std::vector<double> some(size_t(n * dim) * 1000);
      for (std::int64_t t = 0; t < later; t += 1000) {
        for (std::size_t i = 0; i < some.size(); ++i)
          some[i] = static_cast<double>(n * dim * (t + 1)) + static_cast<double>(i);
        part.append_snapshots(some);
      }
      some = {};
      part.append_final(batch);
      const std::vector<double> starts(size_t(n * dim));
      const test::MemoryLimit limit(48 << 20);
      part.finish(run.description, starts);
    }
    const h5::File file = h5::File::open(path);
    const auto states = read<double>(file, "/snapshots/state"), times = read<double>(file, "/snapshots/time");
    std::int64_t wrong = 0;
    for (std::int64_t k = 0; k < n; ++k) {
      for (std::int64_t t = 0; t <= later; ++t) {
        wrong += times[t] != static_cast<double>(t) * 0.25;
        for (int i = 0; i < dim; ++i) {
          wrong += states[(k * (later + 1) + t) * dim + i] != (t == 0 ? 0 : static_cast<double>((t * dim + i) * n + k));
        }
      }
    }
    EXPECT_EQ(wrong, 0) << n << " trajectories";
  }
}

/// Sizes at which every dataset consists of several chunks and blocks, with incomplete ones at the end.
TEST_F(AssemblyInBlocks, ManyChunksAndBlocks) {
  constexpr std::int64_t n = 200'003, points = 1'500'007;
  constexpr int dim = 6;
  const BatchShape shape{n, dim, 0, 1};
  Batch initial(shape), final(shape);
  for (std::size_t i = 0; i < initial.state.size(); ++i) {
    initial.state[i] = static_cast<double>(i);
    final.state[i] = -static_cast<double>(i);
  }
  for (std::int64_t k = 0; k < n; ++k) {
    final.steps[k] = k % 3 == 0 ? k % 5 : 4;  // some end early
  }
  for (std::int64_t i = 0; i < points; ++i) ++final.section_count[i * 7919 % n];
  std::vector<double> snapshots;
  for (int t = 1; t <= 4; ++t) {
    for (std::int64_t i = 0; i < n * dim; ++i) snapshots.push_back(static_cast<double>(t * n * dim + i));
  }
  run.description.columns = {{"a"}, {"b"}, {"c"}, {"d"}, {"e"}, {"f"}};
  run.description.invariants = {};
  run.description.snapshots_every = 1;

  {
    PartFolder part(path, PartFolder::Existing::refuse, test::in_one_slice(initial), "id");
    SectionPoints section;
    section.dim = dim;
    for (std::int64_t i = 0; i < points; ++i) {
      section.trajectory.push_back(i * 7919 % n);
      section.step.push_back(i / 1000);
      section.theta.push_back(0.5);
      for (int k = 0; k < dim; ++k) section.state.push_back(static_cast<double>(i * dim + k));
    }
    part.append(section);
    part.append_snapshots(snapshots);
    part.append_final(final);
    std::vector<double> starts;
    for (std::int64_t k = 0; k < n; ++k) {
      for (int i = 0; i < dim; ++i) starts.push_back(initial.state[i * n + k]);
    }
    part.finish(run.description, starts);
  }

  const h5::File file = h5::File::open(path);
  const auto rows = read<double>(file, "/final/state"), states = read<double>(file, "/snapshots/state");
  std::int64_t wrong = 0;
  for (std::int64_t k = 0; k < n; ++k) {
    for (int i = 0; i < dim; ++i) {
      wrong += rows[k * dim + i] != final.state[i * n + k];
      for (int t = 0; t < 5; ++t) {
        const double x = states[(k * 5 + t) * dim + i];
        wrong += t > final.steps[k] ? !is_unknown(x) : x != static_cast<double>((t * dim + i) * n + k);
      }
    }
  }
  EXPECT_EQ(read<std::int64_t>(file, "/section/count"), final.section_count);
  EXPECT_EQ(wrong, 0);

  const auto trajectory = read<std::int64_t>(file, "/section/trajectory"),
             step = read<std::int64_t>(file, "/section/step");
  const auto state = read<double>(file, "/section/state");
  ASSERT_EQ(trajectory.size(), static_cast<std::size_t>(points));
  std::vector<bool> seen(points);
  for (std::int64_t k = 0; k < points; ++k) {
    const auto i = static_cast<std::int64_t>(state[k * dim]) / dim;  // its place in the journal
    seen[i] = true;
    wrong +=
        trajectory[k] != i * 7919 % n || step[k] != i / 1000 || state[k * dim + 5] != static_cast<double>(i * dim + 5);
    if (k > 0) wrong += std::pair(trajectory[k - 1], step[k - 1]) > std::pair(trajectory[k], step[k]);
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(std::count(seen.begin(), seen.end(), false), 0);
}

}  // namespace
}  // namespace polhode

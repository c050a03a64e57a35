// What is owed a part folder and a dataset: breaches of it end a program that checks contracts.
#include "support/contracts.hpp"
#include "output/h5.hpp"
#include "output/part_folder.hpp"
#include "support.hpp"
#include "support/batch_part.hpp"

namespace polhode::test {
namespace {

/// The run in slices of 3 and 2 trajectories.
class PartFolderContractsDeathTest : public testing::Test {
 protected:
  const TemporaryFolder folder_;
  const SmallRun run_;
  const Batch first_slice_ = part_of(run_.final, 0, 3);
  PartFolder part_{folder_ / "run.h5", PartFolder::Existing::refuse, {run_.initial, 3}, "id"};
};

TEST_F(PartFolderContractsDeathTest, PointsAreOfTheSlice) {
  SectionPoints points;
  points.dim = SmallRun::dim;
  points.resize(2);
  points.trajectory = {1, 1};
  part_.append(points);
  points.trajectory = {1, 3};
  EXPECT_BREACH(part_.append(points), "are_complete");
  part_.append_final(first_slice_);
  points.trajectory = {1, 1};
  EXPECT_BREACH(part_.append(points), "are_complete");
  points.trajectory = {4, 3};
  part_.append(points);
  points.theta.pop_back();
  EXPECT_BREACH(part_.append(points), "are_complete");
  points.resize(2);
  points.dim = 2;
  EXPECT_BREACH(part_.append(points), "dim");
}

TEST_F(PartFolderContractsDeathTest, RecordsAreOfWholeSlices) {
  const std::vector<double> snapshot((SmallRun::dim + run_.final.n_invariants) * 3);
  part_.append_snapshots(snapshot);
  EXPECT_BREACH(part_.append_snapshots(std::span(snapshot).first(SmallRun::dim)), "snapshots");
  EXPECT_BREACH(part_.append_statistics(snapshot), "statistics_");
  EXPECT_BREACH(part_.append_final(run_.final), "slice_shape");
}

TEST_F(PartFolderContractsDeathTest, ACheckpointIsOfTheSliceBeingWritten) {
  part_.write_checkpoint({.position = {0, 2}, .batch = first_slice_});
  PartFolder nameless(folder_ / "other.h5", PartFolder::Existing::refuse, {run_.initial, 3}, "");
  EXPECT_BREACH(nameless.write_checkpoint({.position = {0, 2}, .batch = first_slice_}), "identity");
  EXPECT_BREACH(part_.write_checkpoint({.position = {3, 2}, .batch = first_slice_}), "first");
  EXPECT_BREACH(part_.write_checkpoint({.position = {0, 2}, .batch = run_.final}), "slice_shape");
}

/// Memory of another rank would be copied element by element.
TEST(DatasetContractsDeathTest, BlocksHaveTheRankOfTheDataset) {
  const TemporaryFolder folder;
  h5::File file = h5::File::create(folder / "blocks.h5");
  h5::Dataset dataset = file.create_dataset("values", h5::Element::float64, {3, 4});
  const std::vector<double> values(12);
  dataset.write_block({0, 0}, {3, 4}, values);
  EXPECT_BREACH(dataset.write_block({0}, {12}, values), "extent_ndims");
}

}  // namespace
}  // namespace polhode::test

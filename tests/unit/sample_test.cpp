// How much more work a run is than a sample of it, which its time and its section points follow from.
#include "integration/sample.hpp"

#include <gtest/gtest.h>

namespace polhode::test {
namespace {

/// The steps of a run that is so long that the sample came to a part of them.
TEST(Sample, WorkIsCountedInSteps) {
  const Sample sample{.complete = false, .trajectories = 1024, .steps = 2048e3, .points = 0, .seconds = 0.5};
  EXPECT_EQ(sample.times(1024, 2000), 1);
  EXPECT_EQ(sample.times(1024, 600'000), 300);
  EXPECT_EQ(sample.times(4096, 600'000), 1200);
  EXPECT_EQ(sample.times(512, 600'000), 150);
}

/// Of trajectories that end early the rest are as many as in the sample.
TEST(Sample, WorkOfACompleteOneIsCountedInTrajectories) {
  const Sample sample{.complete = true, .trajectories = 1024, .steps = 1000, .points = 0, .seconds = 0.1};
  for (const std::int64_t steps : {1, 600'000}) {
    EXPECT_EQ(sample.times(1024, steps), 1);
    EXPECT_EQ(sample.times(4096, steps), 4);
    EXPECT_EQ(sample.times(512, steps), 0.5);
  }
}

/// One that had no time for a segment.
TEST(Sample, WorkOfNoStepsIsABound) {
  EXPECT_EQ((Sample{.complete = false, .trajectories = 4, .steps = 0, .points = 0, .seconds = 0.5}.times(8, 10)), 80);
}

}  // namespace
}  // namespace polhode::test
